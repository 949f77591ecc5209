import { html, type Html } from '../../html.ts'
import { slug } from './list-operations.ts'

/** A heading of a text, for the navigation beside it. */
export type Heading = { title: string; anchor: string }

/**
 * The part of Markdown that descriptions use: paragraphs, `##` headings, lists, fenced code, and within a line
 * `code`, **strong** and [links](https://…). Everything else stays the text it is.
 */
export function markdownLite(text: string): Html {
  const blocks = splitBlocks(text)
  return html`${blocks.map(blockHtml)}`
}

/** The second-level headings of a text, with the anchors that `markdownLite` gives them. */
export const headingsOf = (text: string): Heading[] =>
  splitBlocks(text).flatMap((block) =>
    block.kind === 'heading' && block.level === 2
      ? [{ title: block.title, anchor: headingAnchor(block.title) }]
      : [],
  )

type Block =
  | { kind: 'heading'; level: 2 | 3; title: string }
  | { kind: 'code'; lines: string[] }
  | { kind: 'bullets' | 'numbers'; items: string[] }
  | { kind: 'paragraph'; lines: string[] }

const headingAnchor = (title: string): string => `about-${slug(title)}`

function splitBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let isFenceOpen = false
  let isAfterGap = true
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const isFence = line.trimStart().startsWith('```')
    const last = blocks.at(-1)
    if (isFence) {
      isFenceOpen = !isFenceOpen
      if (isFenceOpen) blocks.push({ kind: 'code', lines: [] })
    } else if (isFenceOpen && last?.kind === 'code') {
      last.lines.push(line)
    } else if (line.trim() !== '') {
      addLine(blocks, line, isAfterGap)
    }
    isAfterGap = isFence || (!isFenceOpen && line.trim() === '')
  }
  return blocks
}

function addLine(blocks: Block[], line: string, isAfterGap: boolean): void {
  const last = blocks.at(-1)
  const heading = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line)
  if (heading?.[1] && heading[2]) {
    // The page has its own first heading, so a text's highest is the second.
    blocks.push({ kind: 'heading', level: heading[1].length <= 2 ? 2 : 3, title: heading[2] })
    return
  }
  const item = /^\s*(?:([-*+])|\d{1,3}[.)])\s+(.+)$/.exec(line)
  if (item?.[2]) {
    const kind = item[1] ? 'bullets' : 'numbers'
    if (last?.kind === kind) last.items.push(item[2])
    else blocks.push({ kind, items: [item[2]] })
    return
  }
  if (last?.kind === 'paragraph' && !isAfterGap) last.lines.push(line.trim())
  else if ((last?.kind === 'bullets' || last?.kind === 'numbers') && !isAfterGap) {
    last.items.push(`${last.items.pop() ?? ''} ${line.trim()}`)
  } else blocks.push({ kind: 'paragraph', lines: [line.trim()] })
}

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return block.level === 2
        ? html`<h2 id="${headingAnchor(block.title)}">${inlineMarkdown(block.title)}</h2>`
        : html`<h3>${inlineMarkdown(block.title)}</h3>`
    case 'code':
      return html`<pre class="code" tabindex="0"><code>${block.lines.join('\n')}</code></pre>`
    case 'bullets':
      return html`<ul>
        ${block.items.map((item) => html`<li>${inlineMarkdown(item)}</li>`)}
      </ul>`
    case 'numbers':
      return html`<ol>
        ${block.items.map((item) => html`<li>${inlineMarkdown(item)}</li>`)}
      </ol>`
    case 'paragraph':
      return html`<p>${inlineMarkdown(block.lines.join(' '))}</p>`
  }
}

/** What may stand within a line: `code`, **strong**, [links](https://…). */
export function inlineMarkdown(text: string): Html {
  // Split keeps the marks, so what lies between them is plain text and is escaped.
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^()\s]+\))/)
  return html`${parts.map((part, position) => (position % 2 === 0 ? part : markHtml(part)))}`
}

function markHtml(mark: string): Html {
  if (mark.startsWith('`')) return html`<code>${mark.slice(1, -1)}</code>`
  if (mark.startsWith('**')) return html`<strong>${mark.slice(2, -2)}</strong>`
  const [, label = '', href = ''] = /^\[([^\]]+)\]\(([^()\s]+)\)$/.exec(mark) ?? []
  // Only addresses of the web, of this host and of this page: never javascript: or data:.
  const isSafe = /^(https?:\/\/|\/(?!\/)|#)/i.test(href)
  return isSafe ? html`<a href="${href}">${label}</a>` : html`${label}`
}
