/** What ends a body: its length, its last chunk, or the end of the connection (RFC 9112 §6.3). */
type BodyFraming =
  | number
  | 'chunked'
  | 'until-close'
  /** Not the final response: another head follows. */
  | 'interim'
  /** The head contradicts itself, so nothing behind it may be taken for a message. */
  | 'unreadable'

type State = 'head' | 'body' | 'chunk-line' | 'chunk' | 'trailer' | 'trailer-field' | 'trailer-end'
type Text = { ending: string; bytesMax: number }

/** Bun refuses heads above 16 KB, so the end of a longer one need not be found. */
const HEAD: Text = { ending: '\r\n\r\n', bytesMax: 32_768 }
const CHUNK_LINE: Text = { ending: '\r\n', bytesMax: 1_024 }
const CHUNK_SIZE = /^([\da-f]{1,8})[ \t]*(?:;.*)?\r\n$/i
const FRAMING_FIELD = /^(content-length|transfer-encoding)([ \t]*):(.*)$/gim
/** Ignores keep-alive in HTTP/1.0, which the API server handles. */
const ENDS_CONNECTION = /^connection:[^\n]*\bclose\b|^\S+ \S+ HTTP\/1\.0\r/im
const LENGTH = /^\d{1,15}$/
const LINE_END_BYTES = 2
const CARRIAGE_RETURN = 13
const LINE_FEED = 10

/**
 * Finds the end of an HTTP/1.1 message that arrives in pieces, and checks nothing else.
 *
 *   head ──▶ body ──▶ complete
 *   head ──▶ chunk-line ──▶ chunk ──▶ chunk-line … ──▶ trailer ──▶ trailer-end ──▶ complete
 *   head ──▶ until-close                               trailer ⇄ trailer-field
 *   any ──▶ unreadable
 */
class MessageFraming {
  readonly #framingOf: (head: string) => BodyFraming
  #state: State | 'until-close' | 'complete' | 'unreadable' = 'head'
  /** The pieces of a head, or of a chunk's line, so far, and its last bytes, in which its end may begin. */
  #pieces: string[] = []
  #gathered = 0
  #tail = ''
  /** Bytes to come of the body, or of a chunk and its line end. */
  #missing = 0
  #hasBegun = false

  constructor(framingOf: (head: string) => BodyFraming) {
    this.#framingOf = framingOf
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get isComplete(): boolean {
    return this.#state === 'complete'
  }

  /**
   * Reads what belongs to the message and returns the number of bytes read: not all of them if the message ends earlier.
   * `pass` gets all that was read except the fields of a trailer, which Bun would take for another request.
   */
  read(bytes: Buffer, pass: (part: Buffer) => void = () => {}): number {
    let at = 0
    let passed = 0
    while (at < bytes.length && this.#state !== 'complete' && this.#state !== 'unreadable') {
      this.#hasBegun = true
      const isDropped = this.#state === 'trailer-field'
      if (isDropped && passed < at) pass(bytes.subarray(passed, at))
      at = this.#step(this.#state, bytes, at)
      if (isDropped) passed = at
    }
    if (passed < at) pass(bytes.subarray(passed, at))
    return at
  }

  /** Returns where to continue. Every step reads a byte or changes the state. */
  #step(state: State | 'until-close', bytes: Buffer, at: number): number {
    switch (state) {
      case 'head':
        return this.#gather(HEAD, bytes, at)
      case 'chunk-line':
        return this.#gather(CHUNK_LINE, bytes, at)
      case 'body':
      case 'chunk':
        return this.#count(bytes, at)
      case 'trailer':
        return this.#beginTrailerLine(bytes, at)
      case 'trailer-field':
        return this.#readTrailerField(bytes, at)
      case 'trailer-end':
        this.#state = bytes[at] === LINE_FEED ? 'complete' : 'unreadable'
        return at + 1
      case 'until-close':
        return bytes.length
    }
  }

  #gather(kind: Text, bytes: Buffer, at: number): number {
    const piece = bytes.toString('latin1', at, at + kind.bytesMax)
    const text = this.#tail + piece
    const endingAt = text.indexOf(kind.ending)
    if (endingAt === -1) {
      this.#pieces.push(piece)
      this.#gathered += piece.length
      this.#tail = text.slice(1 - kind.ending.length)
      if (this.#gathered >= kind.bytesMax) this.#state = 'unreadable'
      return at + piece.length
    }
    const end = endingAt + kind.ending.length - this.#tail.length
    const whole = this.#pieces.join('') + piece.slice(0, end)
    this.#pieces = []
    this.#gathered = 0
    this.#tail = ''
    this.#take(kind, whole)
    return at + end
  }

  #take(kind: Text, text: string): void {
    if (kind === HEAD) return this.#beginBody(this.#framingOf(text))
    const size = CHUNK_SIZE.exec(text)?.[1]
    if (size === undefined) return void (this.#state = 'unreadable')
    const bytes = Number.parseInt(size, 16)
    this.#state = bytes === 0 ? 'trailer' : 'chunk'
    this.#missing = bytes + LINE_END_BYTES
  }

  #beginBody(framing: BodyFraming): void {
    if (framing === 'interim') {
      this.#state = 'head'
      this.#hasBegun = false
    } else if (framing === 'chunked') this.#state = 'chunk-line'
    else if (typeof framing === 'string') this.#state = framing
    else {
      this.#state = framing === 0 ? 'complete' : 'body'
      this.#missing = framing
    }
  }

  #count(bytes: Buffer, at: number): number {
    const length = Math.min(this.#missing, bytes.length - at)
    this.#missing -= length
    if (this.#missing === 0) this.#state = this.#state === 'body' ? 'complete' : 'chunk-line'
    return at + length
  }

  #beginTrailerLine(bytes: Buffer, at: number): number {
    const isEmpty = bytes[at] === CARRIAGE_RETURN
    this.#state = isEmpty ? 'trailer-end' : 'trailer-field'
    return isEmpty ? at + 1 : at
  }

  #readTrailerField(bytes: Buffer, at: number): number {
    const lineFeedAt = bytes.indexOf(LINE_FEED, at)
    if (lineFeedAt === -1) return bytes.length
    this.#state = 'trailer'
    return lineFeedAt + 1
  }
}

/** One request, and the response to it. */
export type Exchange = {
  request: MessageFraming
  response: MessageFraming
  isHead(): boolean
  /** One of them says that the connection ends with it. */
  isLast(): boolean
}

export function newExchange(): Exchange {
  let method = ''
  let isLast = false
  const request = new MessageFraming((head) => {
    method = head.slice(0, head.indexOf(' '))
    isLast = ENDS_CONNECTION.test(head)
    return requestFraming(head)
  })
  const response = new MessageFraming((head) => {
    isLast ||= ENDS_CONNECTION.test(head)
    return responseFraming(head, method)
  })
  return { request, response, isHead: () => method === 'HEAD', isLast: () => isLast }
}

/** RFC 9112 §6.3. What could be read in two ways is unreadable. */
function requestFraming(head: string): BodyFraming {
  const { lengths, codings, isMalformed } = framingFields(head)
  if (isMalformed || (codings.length > 0 && lengths.length > 0)) return 'unreadable'
  if (codings.length > 0) return codings.length === 1 && isChunked(codings) ? 'chunked' : 'unreadable'
  if (lengths.length === 0) return 0
  return new Set(lengths).size === 1 && LENGTH.test(lengths[0]!) ? Number(lengths[0]) : 'unreadable'
}

/** Of the response to a request with this method. */
function responseFraming(head: string, method: string): BodyFraming {
  const status = Number(head.slice(9, 12))
  if (status >= 100 && status < 200) return 'interim'
  if (method === 'HEAD' || status === 204 || status === 304) return 0
  const { lengths, codings } = framingFields(head)
  if (codings.length > 0) return isChunked(codings) ? 'chunked' : 'until-close'
  return lengths.length === 0 ? 'until-close' : Number(lengths[0])
}

function framingFields(head: string) {
  const lengths: string[] = []
  const codings: string[] = []
  let isMalformed = false
  for (const [, name, blanks, value] of head.matchAll(FRAMING_FIELD)) {
    const values = name!.toLowerCase() === 'content-length' ? lengths : codings
    values.push(value!.trim())
    isMalformed ||= blanks !== ''
  }
  return { lengths, codings, isMalformed }
}

const isChunked = (codings: readonly string[]): boolean => codings.at(-1)!.toLowerCase() === 'chunked'
