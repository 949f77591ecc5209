import { WIRE_CASES } from './broken-wire.data.ts'
import { type Draft, type FieldOfPart, MUTATIONS, type Random, setBoundary } from './mutations.ts'
import type { Operation } from './operations.ts'

export type HostileRequest = {
  bytes: Buffer
  method: string
  /** As sent. */
  path: string
  /** What was done to a good request. */
  kinds: string[]
  /** For the report. */
  what: string
  /** The server's own parser may answer it, or close the connection. It carries no key, so that it can do nothing. */
  isBroken: boolean
  /** One more would be the answer to something smuggled. */
  answersMax: number
}

export type HostileSettings = { seed: number; index: number; key: string; codes: readonly string[] }

/** Safely under the 16 KB that the complete server reads of a head. */
const HEAD_BYTES_MAX = 15_000
const HEADERS_MAX = 100
/** Ids of labels and versions are small. */
const IDS = 20
/** Of an operation. Most have more fields. */
const TARGETS_MIN = 6
const PARTS = ['query', 'headers', 'body'] as const
const PLAIN_PATHS = ['/', '/nobody', '/no/thing', '/docs', '/api/health', '/api/links', '/qr/nobody']
const PLAIN = 'GET /nobody HTTP/1.1\r\nHost: localhost\r\n\r\n'
/** Of four requests one breaks HTTP itself, the others what is said in it. */
const WIRE_EVERY = 4

/** The request with this index in the series of the seed; always the same. */
export function hostileRequest(operations: readonly Operation[], settings: HostileSettings): HostileRequest {
  const random = randomFrom(settings.seed * 1_000_003 + settings.index)
  if (random.below(WIRE_EVERY) === 0) return wireRequest(random)
  const targets = operations.flatMap(targetsOf)
  const { operation, field } = targets[settings.index % targets.length]!
  const draft = goodRequest(operation, settings, random)
  const kinds: string[] = []
  if (field !== undefined) {
    setBoundary(draft, random, field)
    kinds.push('a boundary')
  }
  for (let left = 1 + random.below(3); left > 0; left--) {
    const [kind, mutate] = random.of(MUTATIONS)
    mutate(draft, random, operation)
    kinds.push(kind)
  }
  return written(draft, operation, kinds)
}

type Target = { operation: Operation; field?: FieldOfPart }

/** Every field of every operation in turn, so that none is left out by chance, and short URLs have their share. */
function targetsOf(operation: Operation): Target[] {
  const fields = PARTS.flatMap((part) => operation[part].map((field) => ({ part, field })))
  const targets: Target[] =
    fields.length > 0 ? fields.map((field) => ({ operation, field })) : [{ operation }]
  const count = Math.max(TARGETS_MIN, targets.length)
  return Array.from({ length: count }, (_, at) => targets[at % targets.length]!)
}

/** One alone, or between requests that are good, all sent at once. */
function wireRequest(random: Random): HostileRequest {
  const { what, text, answersMax } = random.of(WIRE_CASES)
  const path = random.of(PLAIN_PATHS)
  const before = random.below(4) === 0 ? PLAIN.repeat(1 + random.below(3)) : ''
  const after = random.below(4) === 0 ? PLAIN : ''
  const plain = (before + after).length / PLAIN.length
  return {
    bytes: Buffer.from(before + text(path) + after, 'latin1'),
    method: 'GET',
    path,
    kinds: [what.split(', ')[0]!, ...(plain > 0 ? ['pipelined'] : [])],
    what: `${what}, among ${plain} others`,
    isBroken: true,
    answersMax: answersMax + plain,
  }
}

function goodRequest(
  { method, path, body }: Operation,
  { key, codes }: HostileSettings,
  random: Random,
): Draft {
  const values: Record<string, string> = {
    original_url: '"https://example.com/"',
    title: '"A title"',
    is_active: 'true',
    short_codes: JSON.stringify([random.of(codes)]),
    set: '{"archived":false}',
    name: '"A name"',
    into: '1',
  }
  return {
    method,
    path: path
      .replace('{short_code}', random.of(codes))
      .replaceAll(/\{\w+\}/g, () => String(1 + random.below(IDS))),
    query: [],
    headers: [`X-API-Key: ${key}`, ...(body.length > 0 ? ['Content-Type: application/json'] : [])],
    fields: body.flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]])),
    body: undefined,
    isChunked: false,
    isBroken: false,
  }
}

function written(draft: Draft, operation: Operation, kinds: string[]): HostileRequest {
  if (draft.isBroken || draft.method === 'CONNECT' || isOverLong(draft)) makeHarmless(draft)
  const hasBody = draft.body !== undefined || draft.fields.length > 0
  const body = hasBody ? bodyOf(draft, operation) : Buffer.alloc(0)
  const lines = [`${draft.method} ${requestPath(draft)} HTTP/1.1`, 'Host: localhost', ...draft.headers]
  if (hasBody) lines.push(draft.isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return {
    bytes: Buffer.concat([head, hasBody && draft.isChunked ? inChunks(body) : body]),
    method: draft.method,
    path: draft.path,
    kinds,
    what: `${operation.method} ${operation.path}: ${kinds.join(', ')}`,
    isBroken: draft.isBroken,
    answersMax: draft.isBroken ? 2 : 1,
  }
}

const requestPath = ({ path, query }: Draft) => (query.length > 0 ? `${path}?${query.join('&')}` : path)

function isOverLong(draft: Draft): boolean {
  const bytes = requestPath(draft).length + draft.headers.join('\r\n').length
  return bytes > HEAD_BYTES_MAX || draft.headers.length > HEADERS_MAX
}

/** Without a key and to no link, so that the effect is known even without a response. */
function makeHarmless(draft: Draft): void {
  draft.isBroken = true
  draft.headers = draft.headers.filter((line) => !/tern_/i.test(line))
  draft.query = draft.query.filter((parameter) => !/tern_/i.test(parameter))
  if (!draft.path.startsWith('/api')) draft.path = '/nobody'
}

function bodyOf({ body, fields }: Draft, { bulkMax }: Operation): Buffer {
  if (body !== undefined) return Buffer.from(body, 'latin1')
  const object = `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`
  return Buffer.from(bulkMax === undefined ? object : `{"links":[{"url":"https://example.com/"},${object}]}`)
}

/** With extensions, leading zeros and capitals: unusual, and right. */
function inChunks(body: Buffer): Buffer {
  const first = body.subarray(0, Math.ceil(body.length / 2))
  const pieces = [first, body.subarray(first.length)].filter(({ length }) => length > 0)
  const chunks = pieces.flatMap((piece) => [
    Buffer.from(`00${piece.length.toString(16).toUpperCase()};a=b\r\n`),
    piece,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (count: number) => next() % count
  return { below, of: (values) => values[below(values.length)]! }
}
