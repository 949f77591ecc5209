import * as hostile from './hostile-texts.data.ts'

/** What can be asked of the service, read from its own description. */
export type Operation = { method: string; path: string; query: string[]; body: string[]; isBulk: boolean }

export type HostileRequest = {
  bytes: Buffer
  method: string
  /** What was done to a good request, for the report. */
  what: string
  /** The server's own parser may answer it, or close the connection. */
  isBroken: boolean
}

export type HostileSettings = { seed: number; index: number; key: string; codes: readonly string[] }

type Draft = {
  method: string
  /** Percent-encoded. */
  path: string
  query: string[]
  headers: string[]
  /** JSON by field; a field may be there twice. */
  fields: [name: string, json: string][]
  /** In place of the fields; Latin-1. */
  body: string | undefined
  isBroken: boolean
}

type Random = { below(count: number): number; of<Value>(values: readonly Value[]): Value }
type Mutation = (draft: Draft, random: Random, operation: Operation) => void

const HEAD_BYTES_MAX = 15_000
const PUBLIC_PATHS = [
  '/',
  '/docs',
  '/robots.txt',
  '/assets/site.css',
  '/.well-known/gpc.json',
  '/favicon.ico',
  '/no/thing',
  '/api',
]

export function operationsOf(openApi: any): Operation[] {
  const described = Object.entries<any>(openApi.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, { parameters = [], requestBody }]) => {
      const { $ref = '' } = requestBody?.content['application/json'].schema ?? {}
      const body = Object.keys(openApi.components.schemas[$ref.split('/').at(-1)]?.properties ?? {})
      const isBulk = body.includes('links')
      const query = parameters.filter((each: any) => each.in === 'query').map(({ name }: any) => name)
      const fields = isBulk ? ['original_url', 'title', 'custom_code', 'is_active'] : body
      return { method: method.toUpperCase(), path, query, body: fields, isBulk }
    }),
  )
  const read = (path: string, query: string[] = []) => ({
    method: 'GET',
    path,
    query,
    body: [],
    isBulk: false,
  })
  const picture = read('/qr/{short_code}', ['format', 'size', 'margin', 'level', 'color', 'background'])
  return [
    ...described,
    picture,
    read('/{short_code}'),
    read('/{short_code}'),
    ...PUBLIC_PATHS.map((path) => read(path)),
  ]
}

/** The request with this index of the series that the seed begins; the same for ever. */
export function hostileRequest(operations: readonly Operation[], settings: HostileSettings): HostileRequest {
  const random = randomFrom(settings.seed * 1_000_003 + settings.index)
  const operation = random.of(operations)
  const draft = goodRequest(operation, settings, random)
  const names: string[] = []
  for (let left = 1 + random.below(3); left > 0; left--) {
    const [name, mutate] = random.of(MUTATIONS)
    mutate(draft, random, operation)
    names.push(name)
  }
  return written(draft, `${operation.method} ${operation.path}: ${names.join(', ')}`)
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
  }
  return {
    method,
    path: path.replace('{short_code}', random.of(codes)),
    query: [],
    headers: [`X-API-Key: ${key}`, ...(body.length > 0 ? ['Content-Type: application/json'] : [])],
    fields: body.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
    body: undefined,
    isBroken: false,
  }
}

const anyJson = (random: Random) =>
  random.below(2) === 0 ? JSON.stringify(random.of(hostile.TEXTS)) : random.of(hostile.JSON_FRAGMENTS)

const MUTATIONS: [string, Mutation][] = [
  ['a value', changeValue],
  ['a value', changeValue],
  ['another field', (draft, random) => void draft.fields.push([random.of(hostile.TEXTS), anyJson(random)])],
  ['another body', (draft, random) => void (draft.body = random.of(hostile.BODIES))],
  ['a parameter', addParameter],
  ['a parameter', addParameter],
  [
    'a query',
    (draft, random) =>
      void draft.query.push(random.of(['&&', '=', '=x', '%', '%ff=%ff', '[]=1', 'a[b]=c', '+', '?', ';a=b'])),
  ],
  ['a code', changeCode],
  ['a code', changeCode],
  ['a path', changePath],
  ['a header', (draft, random) => void draft.headers.push(random.of(hostile.HEADERS))],
  ['another header', (draft, random) => void (draft.headers[random.below(2)] = random.of(hostile.HEADERS))],
  ['a method', (draft, random) => void (draft.method = random.of(hostile.METHODS))],
  ['a broken line', breakLine],
]

function changeValue(draft: Draft, random: Random, { body }: Operation): void {
  const name = body.length > 0 ? random.of(body) : 'original_url'
  const others = draft.fields.filter(([field]) => field !== name || random.below(10) === 0)
  draft.fields = [...others, [name, anyJson(random)]]
}

function addParameter(draft: Draft, random: Random, { query }: Operation): void {
  const name =
    query.length > 0 && random.below(8) > 0
      ? random.of(query)
      : random.of(['api_key', 'page', '__proto__', 'x'])
  draft.query.push(`${name}=${encoded(random.of(hostile.TEXTS), random)}`)
}

function changeCode(draft: Draft, random: Random, { path }: Operation): void {
  draft.path = path.replace('{short_code}', encoded(random.of(hostile.TEXTS), random))
}

function changePath(draft: Draft, random: Random): void {
  const { path } = draft
  const text = encoded(random.of(hostile.TEXTS), random)
  draft.path = random.of([
    `${path}/`,
    `/${path}`,
    `${path}/${text}`,
    `${path}${text}`,
    `/${text}${path}`,
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/./${path}`,
    path.toUpperCase(),
    path.replaceAll('/', '//'),
    path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    path.replaceAll('/', '%2F').replace('%2F', '/'),
    path.replaceAll('/', '\\').replace('\\', '/'),
    `${path};a=b`,
    `${path}#${text}`,
  ])
}

/** Without a key and to nobody, so that what was done is known even if the answer never comes. */
function breakLine(draft: Draft, random: Random): void {
  draft.isBroken = true
  if (random.below(4) === 0) draft.method = random.of(hostile.BROKEN_METHODS)
  else draft.headers.push(random.of(hostile.BROKEN_LINES))
}

/** A text in a path or query: rightly encoded or, by chance, not quite. Never anything that would end the line. */
function encoded(text: string, random: Random): string {
  const bytes = Buffer.from(text)
  const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  const onlyBreaking = bytes
    .toString('latin1')
    .replaceAll(/[\x00-\x20\x7f]/g, (byte) => encodeURIComponent(byte))
  const well = encodeURIComponent(text.toWellFormed())
  return random.of([
    well,
    well,
    everyByte,
    onlyBreaking,
    encodeURIComponent(well),
    `${well}%`,
    `${well}%ff`,
    `%zz${well}`,
    `${well}%00`,
  ])
}

function written(draft: Draft, what: string): HostileRequest {
  if (draft.isBroken || draft.method === 'CONNECT') {
    draft.isBroken = true
    draft.headers = draft.headers.filter((line) => !line.startsWith('X-API-Key: tern_'))
    if (!draft.path.startsWith('/api')) draft.path = '/nobody'
  }
  const hasBody = draft.body !== undefined || draft.fields.length > 0
  const body = hasBody ? bodyOf(draft, what) : Buffer.alloc(0)
  const target = draft.query.length > 0 ? `${draft.path}?${draft.query.join('&')}` : draft.path
  const lines = [`${draft.method} ${target} HTTP/1.1`, 'Host: localhost', ...draft.headers]
  if (hasBody) lines.push(`Content-Length: ${body.length}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const isBroken = draft.isBroken || head.length > HEAD_BYTES_MAX
  return { bytes: Buffer.concat([head, body]), method: draft.method, what, isBroken }
}

function bodyOf({ body, fields }: Draft, what: string): Buffer {
  if (body !== undefined) return Buffer.from(body, 'latin1')
  const object = `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join()}}`
  return Buffer.from(
    what.includes('bulk-shorten') ? `{"links":[{"url":"https://example.com/"},${object}]}` : object,
  )
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
