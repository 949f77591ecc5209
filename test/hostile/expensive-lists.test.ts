import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { labelMadeLinks } from '../../bench/rigs/label-links.ts'
import { makeLinks } from '../../bench/rigs/make-links.ts'
import openApi from '../../docs/openapi.json'
import { accountByEmail } from '../../src/users/find-account.ts'
import { type DashboardRig, startDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { waitsDuring } from './health-probe.ts'
import { type Operation, operationsOf } from './operations.ts'
import { documentedFetch } from '../rigs/http/documented-fetch.ts'

// A workspace with 100,000 long links: whatever filters its lists, exports and searches are asked for, the API serves others.

let rig: DashboardRig
let key: string

beforeAll(startWithLinks, 240_000)

afterAll(() => rig.stop())

const isRepeated = ({ schema }: Operation['query'][number]) =>
  schema.type === 'array' && schema.items?.enum === undefined

const LISTS = operationsOf(openApi).filter(
  ({ method, path, query }) => method === 'GET' && !path.includes('{') && query.some(isRepeated),
)

test('every list with filters is asked for', () => {
  const paths = LISTS.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['/api/links', '/api/export/links']))
})

/** An export goes on for as long as it is read, so it is read for a while only. */
const READ_MS_MAX = 1_000

async function request(path: string): Promise<void> {
  const signal = AbortSignal.timeout(READ_MS_MAX)
  try {
    const answer = await documentedFetch(rig.url + path, { headers: { 'X-API-Key': key }, signal })
    expect([path.slice(0, 200), [200, 422, 429].includes(answer.status)]).toEqual([path.slice(0, 200), true])
    await answer.text()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

test.each(LISTS.map((list) => [list.path, list] as const))(
  'the API serves others while %s is asked for with all that it takes',
  async (path, list) => {
    const heldUp: string[] = []
    const together = (query: string) => async () =>
      void (await Promise.all(Array(AT_ONCE).fill(`${path}?${query}`).map(request)))
    for (const query of expensiveQueries(list)) {
      const waits = await waitsDuring(rig.url, together(query), together('per_page=1'))
      if (waits !== undefined) heldUp.push(`${query.slice(0, 80)}: ${waits}`)
    }
    expect(heldUp).toEqual([])
  },
  120_000,
)

test('the API serves others while links to reuse are looked for among many long ones', async () => {
  const bulk = (end: string, reuse: boolean) => async () => {
    const links = Array.from({ length: 100 }, (_, n) => ({
      original_url: `https://example.com/${n}${end}`,
      reuse_existing: reuse,
    }))
    const { status } = await rig.call('POST', '/api/bulk-shorten', { key, body: { links, dry_run: true } })
    expect(status).toBe(200)
  }
  const long = `/${'x'.repeat(8_000)}`
  expect(await waitsDuring(rig.url, bulk(long, true), bulk(long, false))).toBeUndefined()
  expect(await waitsDuring(rig.url, bulk(URL_END, true), bulk(URL_END, false))).toBeUndefined()
})

async function startWithLinks(): Promise<void> {
  rig = await startDashboardRig({ SIGNUP: 'open' })
  const caller = await rig.makeCaller()
  key = caller.key
  const { workspaceId } = await accountByEmail(rig.store.db, caller.email)
  await makeLinks(rig.store, { count: LINKS, ownerOf: () => workspaceId, urlEnd: URL_END })
  const run = (statement: string) => sql.raw(statement).execute(rig.store.relaxedDb)
  await labelMadeLinks(run, { count: LINKS, workspaceId })
}

const LINKS = 100_000

const URL_END = `&campaign=${'spring-summer-'.repeat(10)}`
const AT_ONCE = 3

/** As many values as a filter takes. */
const VALUES_MAX = 50

const SEARCHES = [
  'exam exampl example ample mple .com',
  'https www example com launch spring campaign summer winter sale',
]

/** Of filters by name, values that are there. */
const VALUES: Record<string, (n: number) => string> = {
  tag: (n) => `tag ${n}`,
  folder: (n) => `folder ${n}`,
  domain: (n) => `go${n}.example.com`,
}

/** Every filter with as many values as it takes, every search, and all filters together. */
function expensiveQueries({ query }: Operation): string[] {
  const filters = query.filter(isRepeated).map(({ name }) => {
    const valueOf = VALUES[name] ?? String
    const values = Array.from({ length: VALUES_MAX }, (_, n) => valueOf(n + 1))
    return values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&')
  })
  const searches = query.some(({ name }) => name === 'search')
    ? SEARCHES.map((words) => `search=${encodeURIComponent(words)}`)
    : []
  return [...filters, ...searches, [...filters, ...searches.slice(0, 1)].join('&')]
}
