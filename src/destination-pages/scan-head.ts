import { TEXT_CHARS_READ } from './page-text.ts'

type Attributes = ReadonlyMap<string, string>
export type HeadReader = {
  onElement(name: string, attributes: Attributes): void
  /** Of the page, not of a drawing inside it. */
  onTitle(text: string): void
}

/** Tags, comments and attributes together. */
const STEPS_MAX = 5_000

/** Nothing inside of these is a tag (HTML, 13.2.5.2 and 13.2.5.4). */
const RAW_TEXT = new Map(
  ['title', 'script', 'style', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    `</${name}(?=[\\s/>])`,
  ]),
)
const NAMES_READ = new Set(['property', 'name', 'content', 'href', 'rel', 'type'])

const TAG = /<(\/?)([a-z][^\s/>]{0,30})/iy
const BEFORE_ATTRIBUTE = /[\s/]*/y
const ATTRIBUTE_NAME = /[^\s/>][^\s/>=]*/y
const EQUALS = /\s*=\s*/y
const UNQUOTED = /[^\s>]*/y

/**
 * Reads the tags of a page up to `</head>` or `<body>`. Every character is read a fixed number of times and no open elements are
 * kept, so the time is linear whatever a page contains. Over the bound, or in a tag without an end, reading stops.
 */
export function scanHead(html: string, reader: HeadReader): void {
  let at = 0
  let steps = 0
  let drawings = 0

  for (at = html.indexOf('<'); at !== -1 && steps++ < STEPS_MAX; at = html.indexOf('<', at)) {
    const [, slash = '', written] = matchAt(TAG, html, at) ?? []
    if (written === undefined) {
      at = afterMarkup(html, at)
      continue
    }
    const name = written.toLowerCase()
    const tag = readAttributes(html, at + 1 + slash.length + written.length, STEPS_MAX - steps)
    if (tag === undefined) return
    const { attributes, isSelfClosing } = tag
    steps += tag.steps
    at = tag.end
    if (slash === '/' ? name === 'head' : name === 'body') return
    if (name === 'svg' && !isSelfClosing) drawings = Math.max(0, drawings + (slash === '/' ? -1 : 1))
    if (slash === '/') continue
    reader.onElement(name, attributes)
    const end = RAW_TEXT.get(name)
    if (end === undefined) continue
    const from = at
    at = searchFrom(new RegExp(end, 'gi'), html, from)
    if (name === 'title' && drawings === 0) reader.onTitle(html.slice(from, at).slice(0, TEXT_CHARS_READ))
  }
}

/** The place behind a comment, a doctype or a `<` that is text; the end of the page if it does not end. */
function afterMarkup(html: string, at: number): number {
  if (html.startsWith('<!--', at)) return behind(html, '-->', at + 2)
  return /[!?/]/.test(html[at + 1] ?? '') ? behind(html, '>', at) : at + 1
}

function behind(html: string, end: string, from: number): number {
  const at = html.indexOf(end, from)
  return at === -1 ? html.length : at + end.length
}

type Tag = { attributes: Attributes; isSelfClosing: boolean; steps: number; end: number }

/** From behind the name of a tag to its `>`; undefined if that is missing, or there are too many attributes. */
function readAttributes(html: string, from: number, stepsMax: number): Tag | undefined {
  const attributes = new Map<string, string>()
  let at = from
  for (let steps = 0; steps < stepsMax; steps++) {
    at += matchAt(BEFORE_ATTRIBUTE, html, at)![0].length
    if (at >= html.length) return undefined
    if (html[at] === '>') return { attributes, isSelfClosing: html[at - 1] === '/', steps, end: at + 1 }
    const name = matchAt(ATTRIBUTE_NAME, html, at)![0]
    at += name.length
    const equals = matchAt(EQUALS, html, at)?.[0]
    let value = ''
    if (equals !== undefined) {
      at += equals.length
      const quote = html[at]
      if (quote === '"' || quote === "'") {
        const end = html.indexOf(quote, at + 1)
        if (end === -1) return undefined
        value = html.slice(at + 1, end)
        at = end + 1
      } else {
        value = matchAt(UNQUOTED, html, at)![0]
        at += value.length
      }
    }
    if (name.length > 8) continue
    const tagName = name.toLowerCase()
    if (NAMES_READ.has(tagName) && !attributes.has(tagName))
      attributes.set(tagName, value.slice(0, TEXT_CHARS_READ))
  }
  return undefined
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function searchFrom(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}
