/** A request that has nothing but a head, as far as the fast lane understands it. */
export type RequestHead = {
  method: string
  /** Path and query, as sent. */
  target: string
  host: string
  /** The client wants no further answer on this connection. */
  closes: boolean
  /** By its name in lower case; several lines of one name are joined, as HTTP says. Null when absent. */
  header(name: string): string | null
}

const HEAD_BYTES_MAX = 8_192
const FIELDS_MAX = 100
/** One head and nothing behind it: a request line, fields of printable ASCII, an empty line. RFC 9112 §2–5, narrowed. */
const PLAIN_HEAD = /^(GET|HEAD) (\/[!-~]*) HTTP\/1\.([01])\r\n(?:[!#$%&'*+.^_`|~\w-]+:[ -~]*\r\n)+\r\n$/

/** What a redirect looks at. */
const LOOKED_AT = [
  ...['host', 'connection', 'user-agent', 'referer', 'accept', 'x-forwarded-for'],
  ...['sec-purpose', 'purpose', 'x-moz', 'sec-gpc', 'dnt'],
]
/** What says that there is more to the request than its head. */
const BEYOND_HEAD = new Set(['content-length', 'transfer-encoding', 'expect', 'upgrade', 'te', 'trailer'])

/** Most fields that a browser sends are none of these, and known as such by their length and first letter alone. */
const CANDIDATES = new Set(
  [...LOOKED_AT, ...BEYOND_HEAD].map((name) => hint(name.length, name.charCodeAt(0))),
)

function hint(length: number, firstLetter: number): number {
  return length * 32 + (firstLetter & 31) // the low five bits are the same in both cases
}

/**
 * Reads bytes that are one plain request and nothing else: a complete head, no content, nothing behind it. Undefined
 * for all the rest, which is not refused but left to a complete server: this must never guess.
 */
export function readRequestHead(bytes: Buffer): RequestHead | undefined {
  if (bytes.length > HEAD_BYTES_MAX) return undefined
  const text = bytes.toString('latin1')
  const [, method, target, minor] = PLAIN_HEAD.exec(text) ?? []
  if (method === undefined || target === undefined) return undefined
  const fields = readFields(text)
  const host = fields?.get('host')
  if (fields === undefined || host === undefined) return undefined
  const connection = fields.get('connection')?.toLowerCase()
  if (connection !== undefined && connection !== 'close' && connection !== 'keep-alive') return undefined
  const closes = connection === 'close' || minor === '0'
  return { method, target, host, closes, header: (name) => fields.get(name) ?? null }
}

/** The fields that are looked at; undefined when one says that the head is not all, or there are very many. */
function readFields(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>()
  const last = text.length - 2
  let count = 0
  for (let at = text.indexOf('\n') + 1; at < last;) {
    if (++count > FIELDS_MAX) return undefined
    const end = text.indexOf('\r', at)
    const colon = text.indexOf(':', at)
    if (CANDIDATES.has(hint(colon - at, text.charCodeAt(at)))) {
      const name = text.slice(at, colon).toLowerCase()
      if (BEYOND_HEAD.has(name)) return undefined
      const value = text.slice(colon + 1, end).trim()
      const before = fields.get(name)
      fields.set(name, before === undefined ? value : `${before}, ${value}`)
    }
    at = end + 2
  }
  return fields
}
