import { beforeAll, describe, expect, test } from 'bun:test'
import { type CallOptions, useCaller } from '../rigs/service/service-rig.ts'
import {
  DESTINATION,
  DOCUMENT,
  type DocumentedEndpoint,
  ENDPOINTS,
  makeLink,
  useOwnContractRig,
} from './contract-rig.ts'

const FAULTS_OF_OURS = [500, 503]

/** Nothing answers there. */
const NO_DNS = '127.0.0.1:9'

const rig = useOwnContractRig({ TRUSTED_PROXIES: '127.0.0.1' }, { dnsServers: [NO_DNS] })
const caller = useCaller(rig)
const unverified = useCaller(rig, { isVerified: false })
const exhausted = useCaller(rig, { rateLimit: 1 })

beforeAll(prepareCallers)

describe.each(ENDPOINTS.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  const documented = Object.keys(DOCUMENT.paths[endpoint.path][endpoint.method].responses).map(Number)
  const others = [...FAULTS_OF_OURS, ...(ELSEWHERE[name] ?? [])]

  test.each(documented.filter((status) => !others.includes(status)))(
    'can return %d as documented',
    async (status) => {
      const { short_code } = await makeLink(rig, caller)
      if (OF_DELETED.includes(name)) await rig.call('DELETE', `/api/links/${short_code}`, caller)
      const sample = BODIES[name]?.good
      const body = typeof sample === 'function' ? sample(short_code) : sample
      const kind = /^\/api\/(tags|folders|imports|import-jobs)/.exec(endpoint.path)?.[1]
      const good = {
        path: endpoint.path
          .replace('{short_code}', short_code)
          .replace('{version}', '1')
          .replace('{id}/files', '{id}/files?name=b.csv&offset=0')
          .replace('{host}', endpoint.path.includes('{host}') ? await makeDomain() : '')
          .replace('{id}', String(kind === undefined ? '' : await makeOne(kind, endpoint.path))),
        options: { ...(endpoint.isKeyed ? { key: caller.key } : {}), body },
      }
      if (isOfShare(endpoint) && (status === 409 || !name.startsWith('post ') || name.endsWith('/reset')))
        await rig.call('POST', good.path.replace('/reset', ''), { key: caller.key, body: {} })
      if (status === 429 && !endpoint.isKeyed) await useUpPublicRequests()
      const { path, options } = provoke(endpoint, status, good)
      // The rig holds the answer against the document, its shape and its status both.
      expect((await rig.call(endpoint.method.toUpperCase(), path, options)).status).toBe(status)
    },
  )

  test('documents every error', () => {
    const expected = [400, 429, ...FAULTS_OF_OURS]
    if (endpoint.isKeyed) expected.push(401, 403)
    if (
      /\{(?:short_code|id|host)\}/.test(endpoint.path) ||
      /analytics\/(?!overview|not-found)|stats/.test(endpoint.path)
    )
      expected.push(404)
    if (endpoint.input !== undefined) expected.push(413, 415, 422)
    if (endpoint.takesBytes) expected.push(413)
    if (endpoint.query !== undefined || endpoint.path.includes('{short_code}')) expected.push(422)
    if (isOfShare(endpoint) && endpoint.answer.status === 201) expected.push(409)
    expected.push(...(ELSEWHERE[name] ?? []))
    expect(documented.filter((status) => status >= 300)).toEqual([...new Set(expected)].sort())
  })
})

describe('the served document', () => {
  test('is the committed one, with the base URL of the service', async () => {
    const { status, body } = await rig.call('GET', '/api/openapi.json')
    expect([status, body]).toEqual([200, { ...DOCUMENT, servers: [{ url: rig.config.baseUrl }] }])
  })
})

let lastDomain = ''

/** The ids of a tag and a folder to merge others into. */
const kept: Record<string, number> = {}

/** `good` may depend on the short code of the link that is there. */
const BODIES: Record<string, { good: string | object | ((code: string) => object); bad?: object }> = {
  'post /api/links': { good: { original_url: DESTINATION }, bad: {} },
  'post /api/bulk-shorten': { good: { links: [{ original_url: DESTINATION }] }, bad: { links: [] } },
  'put /api/links/{short_code}': { good: { title: 'Changed' }, bad: { title: 7 } },
  'put /api/workspace/settings': { good: { brand_colors: [] }, bad: { brand_colors: 7 } },
  'post /api/domains': { good: () => ({ host: `${crypto.randomUUID()}.example` }), bad: { host: 'x' } },
  'put /api/domains/{host}': { good: { home_url: DESTINATION }, bad: { home_url: 7 } },
  'post /api/links/bulk-update': {
    good: (code) => ({ short_codes: [code], set: { archived: true } }),
    bad: { short_codes: [] },
  },
  'post /api/links/bulk-delete': { good: (code) => ({ short_codes: [code] }), bad: {} },
  'post /api/links/bulk-restore': { good: (code) => ({ short_codes: [code] }), bad: {} },
  'post /api/links/import': { good: { links: [{ original_url: DESTINATION }] }, bad: { links: [] } },
  'post /api/imports': { good: { source: 'csv' }, bad: { source: '' } },
  'post /api/imports/{id}/undo': { good: {}, bad: { edited: 'some' } },
  'post /api/import-jobs': { good: { source: 'csv' }, bad: { source: '' } },
  'post /api/import-jobs/{id}/files': { good: 'url' },
  'put /api/import-jobs/{id}': { good: {}, bad: { options: 7 } },
  'put /api/import-jobs/{id}/choices': { good: {}, bad: { items: 7 } },
  ...bodiesOfShares('links/{short_code}'),
  ...bodiesOfShares('tags/{id}'),
  ...bodiesOfShares('folders/{id}'),
  ...bodiesOfLabels('tags'),
  ...bodiesOfLabels('folders'),
}

async function prepareCallers(): Promise<void> {
  await rig.call('GET', '/api/account', exhausted)
  for (const kind of ['tags', 'folders']) kept[kind] = await makeLabel(kind)
}

/** An address whose public requests are used up where a test needs it. */
const BUSY = { 'X-Forwarded-For': '192.0.2.1' }

const PUBLIC_REQUESTS_MAX = 1_000
const REUSED = { original_url: DESTINATION, reuse_existing: true }

const REUSING: Record<string, object> = {
  'post /api/links': REUSED,
  'post /api/bulk-shorten': { links: [REUSED] },
}

/** What no request can bring about alone: two at once, an operator's setting, another link, an error of ours. */
const ELSEWHERE: Record<string, number[]> = {
  'put /api/links/{short_code}': [409],
  'post /api/links': [409],
  'post /api/bulk-shorten': [409],
  'get /api/stats/public': [404],
  'get /api/info/{short_code}': [410],
  'post /api/domains/{host}/verify': [422],
  'post /api/links/{short_code}/restore': [409],
  'post /api/links/bulk-restore': [409],
  'post /api/links/import': [409],
  'post /api/imports/{id}/undo': [409],
  ...Object.fromEntries(
    [
      'post ',
      'put /{id}',
      'delete /{id}',
      'post /{id}/files',
      'put /{id}/choices',
      'post /{id}/start',
      'post /{id}/stop',
    ].map((each) => [each.replace(' ', ' /api/import-jobs'), [409]]),
  ),
  'post /api/import-jobs/{id}/check': [409, 422],
  'get /api/import-jobs/{id}/columns': [422],
}

async function makeLabel(kind: string): Promise<number> {
  const body = { name: crypto.randomUUID() }
  return (await rig.call('POST', `/api/${kind}`, { key: caller.key, body })).body.data.id
}

async function makeOne(kind: string, path: string): Promise<number> {
  if (!kind.startsWith('import')) return makeLabel(kind)
  // A workspace has few that are not done.
  if (lastJob !== undefined) await rig.call('DELETE', `/api/import-jobs/${lastJob}`, { key: caller.key })
  const body = { source: 'csv' }
  const { id } = (await rig.call('POST', `/api/${kind}`, { key: caller.key, body })).body.data
  lastJob = kind === 'import-jobs' ? id : undefined
  if (lastJob === undefined) return id
  const file = { key: caller.key, body: 'url' }
  await rig.call('POST', `/api/import-jobs/${id}/files?name=a.csv&offset=0`, file)
  const job = rig.store.db.updateTable('import_jobs').where('id', '=', id)
  if (/\/(?:start|choices)$/.test(path)) await job.set({ state: 'checked', counts: COUNTS }).execute()
  if (path.endsWith('/stop')) await job.set({ state: 'stopped' }).execute()
  return id
}

let lastJob: number | undefined
const COUNTS = JSON.stringify({ created: 0, equal: 0, conflicts: 0, refused: 0, oldCodes: 0 })

async function makeDomain(): Promise<string> {
  const body = { host: `${crypto.randomUUID()}.example` }
  // Few may wait to be verified.
  if (lastDomain !== '') await rig.call('DELETE', `/api/domains/${lastDomain}`, { key: caller.key })
  lastDomain = (await rig.call('POST', '/api/domains', { key: caller.key, body })).body.data.host
  return lastDomain
}

/** Until one is refused. Right before they have to be: a minute later they are allowed again. */
async function useUpPublicRequests() {
  const ask = () => rig.call('GET', '/api/health', { headers: BUSY })
  for (let asked = 0; asked < 3 * PUBLIC_REQUESTS_MAX; asked += 100) {
    const answers = await Promise.all(Array.from({ length: 100 }, ask))
    if (answers.some(({ status }) => status === 429)) return
  }
  throw new Error('The limit was not reached.')
}

function bodiesOfLabels(kind: string) {
  const good = () => ({ name: crypto.randomUUID() })
  return {
    [`post /api/${kind}`]: { good, bad: { name: '' } },
    [`put /api/${kind}/{id}`]: { good, bad: { color: 9 } },
    [`post /api/${kind}/{id}/merge`]: { good: () => ({ into: kept[kind] }), bad: {} },
  }
}

function bodiesOfShares(path: string) {
  const bodies = { good: { panels: ['clicks'] }, bad: { panels: 7 } }
  return { [`post /api/${path}/share`]: bodies, [`put /api/${path}/share`]: bodies }
}

/** About statistics that are shared already, but for their creation. */
const isOfShare = ({ path }: DocumentedEndpoint) => /\/share(?:\/reset)?$/.test(path)

/** Endpoints about links in the trash. */
const OF_DELETED = [
  'post /api/links/{short_code}/restore',
  'post /api/links/bulk-restore',
  'delete /api/trash/{short_code}',
]
const badQuery = ({ path }: DocumentedEndpoint) =>
  path.startsWith('/api/analytics/')
    ? 'period=never&limit=0'
    : path.includes('{short_code}')
      ? 'domain=a.example&domain=b.example'
      : 'page=0&archived=never&client=never'

/** The request that brings the status about, given one that succeeds. */
function provoke(endpoint: DocumentedEndpoint, status: number, good: { path: string; options: CallOptions }) {
  const { path, options } = good
  const { bad } = BODIES[nameOf(endpoint)] ?? {}
  const ways: Record<number, () => { path: string; options: CallOptions }> = {
    // Such a link was made before.
    200: () => ({ path, options: { ...options, body: REUSING[nameOf(endpoint)] } }),
    [endpoint.answer.status]: () => good,
    400: () => ({ path: `${path}?x=%zz`, options }),
    401: () => ({ path, options: { ...options, key: 'bad' } }),
    403: () => ({ path, options: { ...options, key: unverified.key } }),
    404: () =>
      /\{(?:short_code|id|host)\}/.test(endpoint.path)
        ? {
            path: endpoint.path.replace('{short_code}', 'never-made').replace(/\{(?:id|host)\}/, '999999'),
            options,
          }
        : { path: `${path}?short_code=never-made`, options },
    // It was shared before.
    409: () => good,
    413: () => ({ path, options: { ...options, body: 'x'.repeat(2 ** 20 + 1) } }),
    415: () => ({ path, options: { ...options, headers: { 'Content-Type': 'text/plain' } } }),
    422: () => {
      if (bad !== undefined) return { path, options: { ...options, body: bad } }
      return { path: `${path}?${badQuery(endpoint)}`, options }
    },
    429: () =>
      endpoint.isKeyed
        ? { path, options: { ...options, key: exhausted.key } }
        : { path, options: { ...options, headers: BUSY } },
  }
  const way = ways[status]
  if (way === undefined) throw new Error(`Nobody knows how ${nameOf(endpoint)} comes to answer ${status}.`)
  return way()
}

function nameOf({ method, path }: DocumentedEndpoint): string {
  return `${method} ${path}`
}
