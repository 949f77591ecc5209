import { type ImportFile, unreadable } from './import-file.ts'
import { type Encoding, headText, textOf } from './text-encoding.ts'
import { isObject } from '../../validation/is-object.ts'

// What APIs answer: a page of links is one JSON text.

/** What is read whole, in characters of a file or bytes of an answer. Pages of an API are far smaller. */
export const PAGE_LENGTH_MAX = 64 * 1024 * 1024

/** Undefined if it is not JSON: null is. */
export function parsedJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

export type JsonObject = Record<string, unknown>

export const looksLikeJson = (file: ImportFile, encoding: Encoding): boolean =>
  /^[\uFEFF\s]*[[{]/.test(headText(file, encoding))

/** The member of a page with this path; without a path the page itself. */
export const memberAt =
  (...names: string[]) =>
  (page: unknown): unknown =>
    names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), page)

const CONTROLS = /[\x00-\x1f]/g

/** The last page that a file has, and the links of all. */
export async function jsonPage(
  file: ImportFile,
  encoding: Encoding,
  listIn: (page: unknown) => unknown,
): Promise<{ page: unknown; items: unknown[] }> {
  const text = await wholeText(file, encoding)
  const read = parsedPage(text)
  const value = 'value' in read ? read.value : parsedSequence(text)
  if (value === undefined && 'refused' in read) throw unreadable(file.path, read.refused)
  const itemsOf = (page: unknown) => itemsIn(page) ?? itemsIn(listIn(page))
  // Scripts put pages together, or their links.
  const items = Array.isArray(value) ? value.flatMap((each) => itemsOf(each) ?? [each]) : itemsOf(value)
  if (items === undefined) throw unreadable(file.path, NO_LIST)
  return { page: Array.isArray(value) ? value.at(-1) : value, items }
}

/** Pages one behind the other, or a link a line. Undefined if it is neither. */
function parsedSequence(text: string): unknown[] | undefined {
  const ends = endsOfValues(text) ?? []
  const values = ends.flatMap((end, at) => {
    const read = parsedPage(text.slice(ends[at - 1] ?? 0, end))
    return 'value' in read ? [read.value] : []
  })
  const isWhole = values.length === ends.length && text.slice(ends.at(-1) ?? 0).trim() === ''
  return isWhole && values.length > 1 ? values : undefined
}

export const NO_LIST = 'has no list of links where one is expected.'

/** A page of an API, or what is wrong with its text. */
export function parsedPage(text: string): { value: unknown } | { refused: string } {
  if (endsOfValues(text) === undefined)
    return { refused: 'is no page of links: it has too many lists and objects.' }
  return parsedJson(text) ?? parsedPlain(text) ?? { refused: 'is not valid JSON.' }
}

/** Undefined if it is no list. */
export const itemsIn = (list: unknown): unknown[] | undefined => (Array.isArray(list) ? list : undefined)

/** Pages of links have about five levels, and about five lists and objects for each link. */
const DEPTH_MAX = 100
const PARTS_MAX = 2_000_000

/**
 * Where each list or object ends that is in no other. Undefined if there are too many: they take so much more memory than their text
 * that they are counted before it is parsed.
 */
function endsOfValues(text: string): number[] | undefined {
  const ends: number[] = []
  let depth = 0
  let parts = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (isString && character === '\\') at++
    else if (character === '"') isString = !isString
    else if (!isString && (character === '[' || character === '{')) {
      depth++
      parts++
    } else if (!isString && (character === ']' || character === '}')) {
      depth--
      if (depth === 0) ends.push(at + 1)
    }
    if (depth > DEPTH_MAX || parts > PARTS_MAX) return undefined
  }
  return ends
}

/** Bitly sends titles with control characters, which JSON does not allow. Outside of texts they are blanks anyway. */
function parsedPlain(text: string): { value: unknown } | undefined {
  const plain = text.replaceAll(CONTROLS, ' ')
  return plain === text ? undefined : parsedJson(plain)
}

async function wholeText(file: ImportFile, encoding: Encoding): Promise<string> {
  let text = ''
  for await (const chunk of textOf(file, encoding)) {
    text += chunk
    if (text.length > PAGE_LENGTH_MAX)
      throw unreadable(file.path, 'is larger than 64 MB. Split it into several files.')
  }
  return text
}
