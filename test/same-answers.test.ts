import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from './rigs/eventually.ts'
import { startServiceRig, type ServiceRig, type TestCaller } from './rigs/service/service-rig.ts'
import { lacksPostgres, PostgresServer } from './rigs/store/postgres-server.ts'

/** One that has everything: letters of many kinds, what SQL quotes, what LIKE reads. */
const TITLE = `Größe "50 %" _ \\ 'x' 🐦 ΑΒΓ`

/** What a client does in a day; `CODE` is the code that was assigned to it. */
const ASKED: Ask[] = [
  { method: 'GET', path: '/api/links' },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/a?b=c#d', title: TITLE, custom_code: 'one' },
  },
  {
    method: 'POST',
    path: '/api/links',
    body: { url: 'https://example.com/two', custom_code: 'two', is_active: false },
  },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/once' },
    headers: { 'Idempotency-Key': 'k' },
  },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/once' },
    headers: { 'Idempotency-Key': 'k' },
  },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/other' },
    headers: { 'Idempotency-Key': 'k' },
  },
  { method: 'POST', path: '/api/links', body: { original_url: 'https://example.com/', custom_code: 'one' } },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'nothing', title: 'a\0b', custom_code: 'ad min' },
  },
  {
    method: 'POST',
    path: '/api/bulk-shorten',
    body: {
      links: Array.from({ length: 40 }, (_, n) => ({
        original_url: `https://example.com/${n}`,
        custom_code: `bulk-${n}`,
      })),
    },
  },
  {
    method: 'POST',
    path: '/api/bulk-shorten',
    body: { links: [{ original_url: 'https://example.com/', custom_code: 'one' }, { original_url: 'x' }] },
  },
  { method: 'GET', path: '/two' },
  { method: 'GET', path: '/nobody' },
  { method: 'PUT', path: '/api/links/one', body: { title: null, original_url: 'https://example.com/new' } },
  { method: 'PUT', path: '/api/links/two', body: { title: TITLE.toUpperCase(), is_active: true } },
  { method: 'POST', path: '/api/links/two/toggle' },
  { method: 'DELETE', path: '/api/links/bulk-7' },
  { method: 'DELETE', path: '/api/links/bulk-7' },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/again', custom_code: 'bulk-7' },
  },
  { method: 'DELETE', path: '/api/trash/bulk-7' },
  {
    method: 'POST',
    path: '/api/links',
    body: { original_url: 'https://example.com/again', custom_code: 'bulk-7' },
  },
  { method: 'GET', path: '/api/links/one' },
  { method: 'GET', path: '/api/links/ONE' },
  { method: 'GET', path: '/api/links/a%00b' },
  { method: 'GET', path: '/api/links?per_page=5&page=3' },
  { method: 'GET', path: '/api/links?per_page=100&page=9' },
  ...['GRÖSSE', 'größe', '50 %', '_', '\\', '%', 'example.com/1', '🐦', 'αβγ', 'zzz'].map((search) => ({
    method: 'GET',
    path: `/api/links?search=${encodeURIComponent(search)}`,
  })),
  { method: 'GET', path: '/api/links?page=x&per_page=0' },
  { method: 'GET', path: '/api/info/one' },
  { method: 'GET', path: '/api/info/none' },
  // Last, because the engines may count clicks at different moments.
  { method: 'GET', path: '/one' },
  { method: 'GET', path: '/one' },
]

let postgres: PostgresServer
let rigs: ServiceRig[]
let callers: TestCaller[]

describe.skipIf(lacksPostgres('that both engines give the same answers'))('SQLite and PostgreSQL', () => {
  beforeAll(async () => {
    postgres = await PostgresServer.start()
    rigs = [await startServiceRig(), await startServiceRig({ DATABASE_URL: await postgres.makeDatabase() })]
    callers = await Promise.all(rigs.map((rig) => rig.makeCaller({ rateLimit: 1_000 })))
  })

  afterAll(async () => {
    for (const rig of rigs) await rig.stop()
    await postgres.remove()
  })

  test('give the same responses, byte for byte, except for IDs, times and assigned codes', async () => {
    for (const ask of ASKED) await expectSame(ask)
    for (const [i, rig] of rigs.entries()) {
      const clicks = async () =>
        (await rig.call('GET', '/api/links/one', { key: callers[i]!.key })).body.data.click_count
      expect(await eventually(clicks, (count) => count === 2)).toBe(2)
    }
    // Waiting has taken one of them more requests than the other.
    for (const ask of ASKED_WHEN_COUNTED) await expectSame(ask)
  })
})

async function expectSame(ask: Ask): Promise<void> {
  const [one, other] = await Promise.all(rigs.map((_, i) => answerOf(i, ask)))
  expect({ ask, ...other }).toEqual({ ask, ...one })
}

async function answerOf(i: number, { method, path, body, headers = {} }: Ask) {
  const { key, email } = callers[i]!
  const visitor = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const answer = await rigs[i]!.call(method, path, { key, body, headers: { ...visitor, ...headers } })
  const kept = [...answer.headers].filter(([name]) => !VARYING.includes(name)).sort()
  return {
    status: answer.status,
    headers: normal(JSON.stringify(kept), email),
    text: normal(answer.text, email),
  }
}

/** What tells the moment, or how often was asked. */
const VARYING = [
  'date',
  'x-request-id',
  'ratelimit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'etag',
  'content-length',
]

/** Without what differs by chance. */
function normal(text: string, email: string): string {
  return (
    text
      .replaceAll(email, 'EMAIL')
      .replaceAll(/localhost:\d+/g, 'HOST')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, 'TIME')
      // Assigned as well: the last characters of the key.
      .replaceAll(/"key_hint":"tern_…\w{4}"/g, '"key_hint":"HINT"')
      .replaceAll(/svc_[0-9a-f-]{36}/g, 'SVC')
      .replaceAll(/"id":\d+/g, '"id":0')
      .replaceAll(/"name":"Caller \d+"/g, '"name":"CALLER"')
      .replaceAll(
        /("(?:short_code|short_url|qr_code_url)":"(?:https?:\/\/HOST\/(?:qr\/)?)?)[A-Za-z0-9]{7}(?=["/?])/g,
        '$1CODE',
      )
      .replaceAll(
        /"(requests|current_usage|remaining|percentage|today|used|weekly_usage|monthly_usage|requests_made|requests_remaining)":[\d.]+/g,
        '"$1":0',
      )
  )
}

type Ask = { method: string; path: string; body?: unknown; headers?: Record<string, string> }

const ASKED_WHEN_COUNTED: Ask[] = [
  { method: 'GET', path: '/api/links/one' },
  { method: 'GET', path: '/api/analytics/overview' },
  { method: 'GET', path: '/api/analytics/links/one?period=24h&granularity=day' },
  { method: 'GET', path: '/api/analytics/clicks?period=7d' },
  { method: 'GET', path: '/api/analytics/countries' },
  { method: 'GET', path: '/api/analytics/devices?short_code=one' },
  { method: 'GET', path: '/api/analytics/browsers?timezone=Asia/Kathmandu' },
  { method: 'GET', path: '/api/analytics/browsers?limit=0&timezone=Nowhere' },
  { method: 'GET', path: '/api/account' },
  { method: 'GET', path: '/api/account/usage' },
  { method: 'GET', path: '/api/account/api-keys' },
  { method: 'GET', path: '/api/stats/public' },
]
