import { searchCookies } from './search-cookies.ts'

/** A request without a body. */
export type RequestHead = {
  method: string
  /** With the query, as sent. */
  path: string
  host: string
  /** In bytes. The bytes after it belong to the next request. */
  length: number
  /** The client wants no further response on this connection. */
  closes: boolean
  /** Null if absent. Repeated fields are joined, as HTTP says. */
  header: (name: Field) => string | null
}

const HEAD_BYTES_MAX = 8_192
const FIELDS_MAX = 100
/** RFC 9112 §3, narrowed: a method that reads, a path, a version that keeps connections or not. */
const REQUEST_LINE = /^(GET|HEAD) (\/[!-~]*) HTTP\/1\.([01])$/
/** Plain text so far, without the empty line that ends a head. The API server refuses everything else. */
const BEGINNING = /^[A-Z]{1,16}(?: [!-~]*(?: [!-~]{0,8}(?:\r\n[!-~][ -~]*)*(?:\r(?:\n\r?)?)?)?)?$/
const PLAIN_TEXT = /^[ -~]*$/
const CARRIAGE_RETURN = 13
const LINE_FEED = 10
const COLON = 58
/** The bytes of field names (RFC 9110 §5.6.2) and of values (printable ASCII). */
const IS_NAME = bytesThat((character) => /[!#$%&'*+.^_`|~\w-]/.test(character))
const IS_VALUE = bytesThat((character) => /[ -~]/.test(character))

/** Fields that redirects need, read while the head is parsed. */
const PARSED = [
  ...(['host', 'connection', 'user-agent', 'referer', 'accept', 'x-forwarded-for'] as const),
  ...(['accept-language', 'sec-purpose', 'sec-fetch-mode', 'purpose', 'x-moz', 'sec-gpc', 'dnt'] as const),
]
type Field = (typeof PARSED)[number] | 'cookie'
/** Fields that say that there is more to the request than its head. */
const BEYOND_HEAD = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'te', 'trailer']

const SLOTS = new Map<string, number>(PARSED.map((name, slot) => [name, slot]))
/** No two of the names have the same length and first letter, and few other names share both with one of them. */
const NAMES = new Map(
  [...PARSED, ...BEYOND_HEAD].map((name) => [hint(name.length, name.charCodeAt(0)), name]),
)

function hint(length: number, firstLetter: number): number {
  return length * 32 + (firstLetter & 31) // the low five bits are the same in upper and lower case
}

function bytesThat(isIncluded: (character: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (isIncluded(String.fromCharCode(byte)) ? 1 : 0))
}

/**
 * Reads a plain request at the beginning of the bytes: a complete head and no body. It never guesses: anything else gives
 * undefined and is left to the API server.
 */
export function readRequestHead(bytes: Buffer): RequestHead | undefined {
  const text = bytes.toString('latin1', 0, HEAD_BYTES_MAX)
  const lineEnd = text.indexOf('\r\n')
  const [, method, path, minor] = REQUEST_LINE.exec(text.slice(0, lineEnd)) ?? []
  if (method === undefined || path === undefined) return undefined
  const fields = readFields(bytes, text, lineEnd + 2)
  if (fields === undefined) return undefined
  const { values, length } = fields
  const header = (name: Field): string | null => {
    if (name === 'cookie') return searchCookies(text.slice(lineEnd, length))
    return values[SLOTS.get(name)!] ?? null
  }
  const host = header('host')
  const connection = header('connection')?.toLowerCase()
  if (host === null) return undefined
  if (connection !== undefined && connection !== 'close' && connection !== 'keep-alive') return undefined
  return { method, path, host, length, closes: connection === 'close' || minor === '0', header }
}

/** Whether the bytes may become a head when more of them arrive. */
export function isBeginningOfHead(bytes: Buffer): boolean {
  return bytes.length < HEAD_BYTES_MAX && BEGINNING.test(bytes.toString('latin1'))
}

/**
 * Whether an incomplete head of this length has to be parsed again because of its last piece. Parsing it for every single
 * byte would take time with the square of its length.
 */
export function completesLine(piece: Buffer, length: number): boolean {
  return length >= HEAD_BYTES_MAX || !PLAIN_TEXT.test(piece.toString('latin1'))
}

type Fields = { values: (string | undefined)[]; length: number }

/**
 * The values of the parsed fields, and the length of the head with its last empty line. Undefined if a line is not a field, if
 * a field says that there is more than a head, or if there are too many or not yet all of them.
 */
function readFields(bytes: Buffer, text: string, start: number): Fields | undefined {
  const values = new Array<string | undefined>(PARSED.length)
  const last = text.length - 2
  let at = start
  for (let count = 0; at < last && bytes[at] !== CARRIAGE_RETURN; count++) {
    const nameAt = at
    while (IS_NAME[bytes[at]!] === 1) at++
    const colon = at++
    if (count === FIELDS_MAX || colon === nameAt || bytes[colon] !== COLON) return undefined
    while (IS_VALUE[bytes[at]!] === 1) at++
    if (bytes[at] !== CARRIAGE_RETURN || bytes[at + 1] !== LINE_FEED) return undefined
    const name = NAMES.get(hint(colon - nameAt, bytes[nameAt]!))
    if (name !== undefined && isNameAt(name, bytes, nameAt)) {
      const slot = SLOTS.get(name)
      if (slot === undefined) return undefined
      const value = text.slice(colon + 1, at).trim()
      const before = values[slot]
      values[slot] = before === undefined ? value : `${before}, ${value}`
    }
    at += 2
  }
  const isComplete = at <= last && bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED
  return isComplete ? { values, length: at + 2 } : undefined
}

/** Whether the name is there, in any case. Of the characters of a name, only capitals become letters by setting the bit. */
function isNameAt(name: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((bytes[start + i]! | 32) !== name.charCodeAt(i)) return false
  }
  return true
}
