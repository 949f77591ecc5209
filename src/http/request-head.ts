/** A request that has nothing but a head, as far as the fast lane understands it. */
export type RequestHead = {
  method: string
  /** Path and query, as sent. */
  target: string
  host: string
  /** In bytes; what is behind it is another request's. */
  length: number
  /** The client wants no further answer on this connection. */
  closes: boolean
  /** By its name in lower case; several lines of one name are joined, as HTTP says. Null when absent. */
  header(name: string): string | null
}

const HEAD_BYTES_MAX = 8_192
const FIELDS_MAX = 100
/** RFC 9112 §3, narrowed: a method that reads, a path, a version that keeps connections or not. */
const REQUEST_LINE = /^(GET|HEAD) (\/[!-~]*) HTTP\/1\.([01])$/
/** Plain text so far, without the empty line that ends a head; lines that no head has are somebody else's to refuse. */
const BEGINNING = /^[A-Z]{1,16}(?: [!-~]*(?: [!-~]{0,8}(?:\r\n[!-~][ -~]*)*(?:\r(?:\n\r?)?)?)?)?$/
const PLAIN_TEXT = /^[ -~]*$/
const [CARRIAGE_RETURN, LINE_FEED, COLON] = [13, 10, 58]
/** Which bytes a field's name and its value are made of: RFC 9110 §5.6.2, and printable ASCII. */
const IS_NAME = bytesThat((character) => /[!#$%&'*+.^_`|~\w-]/.test(character))
const IS_VALUE = bytesThat((character) => /[ -~]/.test(character))

/** What a redirect looks at. */
const LOOKED_AT = [
  ...['host', 'connection', 'user-agent', 'referer', 'accept', 'x-forwarded-for'],
  ...['sec-purpose', 'purpose', 'x-moz', 'sec-gpc', 'dnt'],
]
/** What says that there is more to the request than its head. */
const BEYOND_HEAD = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'te', 'trailer']

const SLOTS = new Map(LOOKED_AT.map((name, slot) => [name, slot]))
/** No two of the names have their length and first letter in common, and most other names share neither. */
const NAMES = new Map(
  [...LOOKED_AT, ...BEYOND_HEAD].map((name) => [hint(name.length, name.charCodeAt(0)), name]),
)

function hint(length: number, firstLetter: number): number {
  return length * 32 + (firstLetter & 31) // the low five bits are the same in both cases
}

/** 1 for each byte whose character, in Latin-1, is one. */
function bytesThat(isOne: (character: string) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (isOne(String.fromCharCode(byte)) ? 1 : 0))
}

/**
 * Reads a plain request at the beginning of the bytes: a complete head and no content. Undefined for all the rest, which
 * is not refused but left to a complete server: this must never guess.
 */
export function readRequestHead(bytes: Buffer): RequestHead | undefined {
  const text = bytes.toString('latin1', 0, HEAD_BYTES_MAX)
  const lineEnd = text.indexOf('\r\n')
  const [, method, target, minor] = REQUEST_LINE.exec(text.slice(0, lineEnd)) ?? []
  if (method === undefined || target === undefined) return undefined
  const fields = readFields(bytes, text, lineEnd + 2)
  if (fields === undefined) return undefined
  const { values, length } = fields
  const header = (name: string) => values[SLOTS.get(name)!] ?? null
  const host = header('host')
  const connection = header('connection')?.toLowerCase()
  if (host === null) return undefined
  if (connection !== undefined && connection !== 'close' && connection !== 'keep-alive') return undefined
  return { method, target, host, length, closes: connection === 'close' || minor === '0', header }
}

/** Whether these bytes are the beginning of a head that may yet become one for `readRequestHead`, or for a server. */
export function isBeginningOfHead(bytes: Buffer): boolean {
  return bytes.length < HEAD_BYTES_MAX && BEGINNING.test(bytes.toString('latin1'))
}

/**
 * Whether a beginning of a head, of so many bytes by now, has to be read once more because of its last piece. Reading all
 * of it for each single byte would take time with the square of its length, on the thread that answers visitors.
 */
export function completesLine(piece: Buffer, length: number): boolean {
  return length >= HEAD_BYTES_MAX || !PLAIN_TEXT.test(piece.toString('latin1'))
}

type Fields = { values: (string | undefined)[]; length: number }

/**
 * The values of the fields that are looked at, and where the empty line behind them ends. Undefined when a line is no
 * field, when a field says that the head is not all, when there are very many, or when the text does not have them all.
 */
function readFields(bytes: Buffer, text: string, start: number): Fields | undefined {
  const values = new Array<string | undefined>(LOOKED_AT.length)
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
    if (name !== undefined && isWritten(name, bytes, nameAt)) {
      const slot = SLOTS.get(name)
      if (slot === undefined) return undefined
      const value = text.slice(colon + 1, at).trim()
      const before = values[slot]
      values[slot] = before === undefined ? value : `${before}, ${value}`
    }
    at += 2
  }
  const isWhole = at <= last && bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED
  return isWhole ? { values, length: at + 2 } : undefined
}

/** Whether this name stands there, in capitals or not. Of what a name may hold, only capitals become letters by the bit. */
function isWritten(name: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((bytes[start + i]! | 32) !== name.charCodeAt(i)) return false
  }
  return true
}
