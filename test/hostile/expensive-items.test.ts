import { afterAll, beforeAll, expect, test } from 'bun:test'
import openApi from '../../docs/openapi.json'
import { type DashboardRig, startDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { waitsDuring } from './health-probe.ts'
import { fullBody, listsIn, type Samples } from './full-lists.ts'
import { operationsOf } from './operations.ts'

// Requests about many links: the most expensive links that a request may have, as many as it takes. The API serves others.

let rig: DashboardRig
let key: string
let codes: string[]
/** Of a tag, a folder and an import, by the path of their kind. */
const ids: Record<string, number> = {}

beforeAll(startWithLinks)

afterAll(() => rig.stop())

test('the API serves others while 100 links are changed, deleted and restored', async () => {
  const post =
    (path: string, more: object = {}) =>
    async () => {
      const { status } = await rig.call('POST', path, { key, body: { short_codes: codes, ...more } })
      expect([path, status]).toEqual([path, 200])
    }
  const set = { fallback_url: `${DESTINATION}${'x'.repeat(8_000)}`, add_tags: times(10, (n) => `Tag ${n}`) }
  const plain = post('/api/links/bulk-update', { set: { archived: false } })
  expect(await waitsDuring(rig.url, post('/api/links/bulk-update', { set }), plain)).toBeUndefined()
  const away = async () => {
    await post('/api/links/bulk-delete')()
    await post('/api/links/bulk-restore')()
  }
  expect(await waitsDuring(rig.url, away, plain)).toBeUndefined()
})

test('more than a request may have together is refused at once', async () => {
  const links = times(90, () => ({
    original_url: DESTINATION,
    rules: times(20, () => ({ split: times(10, (n) => ({ to: `${DESTINATION}${n}`, weight: 1 })) })),
  }))
  const refused = async () => {
    const { status, body } = await rig.call('POST', '/api/bulk-shorten', {
      key,
      body: { links, dry_run: true },
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['links']])
  }
  expect(
    await waitsDuring(
      rig.url,
      refused,
      bulk(() => ({}), true),
    ),
  ).toBeUndefined()
})

const DESTINATION = 'https://example.com/'
const times = <Item>(count: number, item: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => item(n))

const HOURS = { from: '09:00', to: '17:00', timezone: 'America/Argentina/ComodRivadavia' }
const COUNTRIES =
  'AD AE AF AG AI AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA'.split(' ')
const rule = (when: object) => ({ when, to: DESTINATION })

let made = 0
const nextNumber = () => ++made

/** Links that cost much to check, at most as many and as large as one request may have. */
test.each(
  Object.entries<(n: number) => object>({
    'rules with hours': () => ({ rules: times(10, () => rule({ hours: HOURS })) }),
    'rules with countries': () => ({ rules: times(3, () => rule({ country: COUNTRIES })) }),
    'rules with a split': () => ({
      rules: times(2, () => ({ split: times(10, (n) => ({ to: `${DESTINATION}${n}`, weight: 1 })) })),
    }),
    'long destinations': (n) => ({ original_url: `${DESTINATION}${n}${'x'.repeat(8_000)}` }),
    'long destinations to reuse': (n) => ({
      original_url: `${DESTINATION}${n}${'x'.repeat(8_000)}`,
      reuse_existing: true,
    }),
    aliases: (n) => ({ aliases: times(10, (at) => `alias-${n}-${at}-${nextNumber()}`) }),
    tags: (n) => ({ tags: times(10, (at) => `Tag ${n} ${at}`) }),
    'parameters of campaigns': () => ({
      utm: { source: 'x'.repeat(200), medium: 'x'.repeat(200), campaign: 'x'.repeat(200) },
    }),
  }),
)(
  'the API serves others while 100 links with %s are tried out and created',
  async (_, linkOf) => {
    for (const isDryRun of [true, false])
      expect(
        await waitsDuring(
          rig.url,
          bulk(linkOf, isDryRun),
          bulk(() => ({}), isDryRun),
        ),
      ).toBeUndefined()
  },
  60_000,
)

/** Texts that are accepted, where the schema alone does not say which are. */
const SAMPLES: Samples = {
  short_codes: (n) => codes[n],
  original_url: () => DESTINATION,
  to: (n) => `${DESTINATION}${n}`,
  set: () => ({ archived: false }),
  aliases: () => `alias-${nextNumber()}`,
  country: (n) => COUNTRIES[n % COUNTRIES.length],
  language: (n) => ['de', 'en', 'fr', 'it', 'es'][n % 5],
  browser: (n) => ['Chrome', 'Firefox', 'Safari', 'Edge', 'Opera'][n % 5],
  os: (n) => ['Windows', 'Android', 'iOS', 'Linux'][n % 4],
  tags: (n) => `Tag ${n}`,
  add_tags: (n) => `Tag ${n}`,
  remove_tags: (n) => `Tag ${n}`,
  'hours.from': () => HOURS.from,
  'hours.to': () => HOURS.to,
  'hours.timezone': () => HOURS.timezone,
  day: (n) => new Date(86_400_000 * (n % 4_000)).toISOString().slice(0, 10),
  total: () => 1_000_000,
  'days.clicks': () => 1,
  'countries.name': (n) => COUNTRIES[n % COUNTRIES.length],
  'countries.clicks': () => 1,
  'referrers.name': (n) => `r${n}.example.com`,
  'referrers.clicks': () => 1,
  number: (n) => n + 1,
  choice: () => 'rename',
  new_code: (n) => `renamed-${n}`,
  uncounted_networks: (n) => `192.0.2.${n}`,
  brand_colors: (n) => `#0000${(n + 16).toString(16)}`,
}

const LISTS = operationsOf(openApi)
  .filter(({ method }) => method !== 'GET')
  .flatMap((operation) =>
    // Four words cost nothing, and each request with them begins an import, or one that was checked again.
    listsIn(operation)
      .filter((place) => place.at(-1) !== 'without')
      .map((place) => ({
        name: `${operation.method} ${operation.path} ${place.join('.')}`,
        operation,
        place,
      })),
  )

test('the lists of the document are found', () => {
  const names = LISTS.map(({ name }) => name)
  for (const name of [
    'POST /api/bulk-shorten rules.split',
    'POST /api/bulk-shorten rules.when.country',
    'POST /api/links/bulk-update short_codes',
    'POST /api/links/bulk-update set.add_tags',
    'POST /api/links/bulk-restore short_codes',
    'PUT /api/workspace/settings utm_templates',
  ])
    expect(names).toContain(name)
})

/** Together, the links of a request may have less than each of them alone: then lists are tried at half their length. */
const HALVINGS_MAX = 6

test.each(LISTS.map((list) => [list.name, list] as const))(
  'the API serves others while %s is as long as it may be',
  async (name, { operation, place }) => {
    const { method, path } = operation
    const url = path.replace('{short_code}', codes[0]!).replace('{id}', String(ids[path.split('/')[2]!]))
    const isRestoring = path === '/api/links/bulk-restore'
    let share = 1
    const send = async () => {
      if (isRestoring) await rig.call('POST', '/api/links/bulk-delete', { key, body: { short_codes: codes } })
      if (path.endsWith('/share')) await makeShare(url, method === 'PUT')
      const body = fullBody(operation, { place, samples: SAMPLES, share })
      return rig.call(method, url, { key, body })
    }
    const isOverTotal = async () => {
      const { body } = await send()
      const isOverLinks = Object.keys(body.errors ?? {}).join() === 'links'
      return body.success === false && (isOverLinks || body.code === 'body_too_large')
    }
    for (let halvings = 0; halvings < HALVINGS_MAX && (await isOverTotal()); halvings++) share /= 2
    const full = async () => {
      const { status, body } = await send()
      expect([name, status < 300 ? 'accepted' : body]).toEqual([name, 'accepted'])
    }
    expect(
      await waitsDuring(
        rig.url,
        full,
        bulk(() => ({}), true),
      ),
    ).toBeUndefined()
  },
  60_000,
)

/** What is shared is not shared again, and only what is shared can be changed. */
async function makeShare(url: string, isShared: boolean): Promise<void> {
  await (isShared ? rig.call('POST', url, { key, body: {} }) : rig.call('DELETE', url, { key }))
}

async function startWithLinks(): Promise<void> {
  rig = await startDashboardRig({ SIGNUP: 'open' })
  key = (await rig.makeCaller()).key
  const links = Array.from({ length: ITEMS_MAX }, () => ({ original_url: DESTINATION }))
  // On a busy machine, a thread that has just started may take long to answer.
  const { status, body } = await eventually(
    () => rig.call('POST', '/api/bulk-shorten', { key, body: { links } }),
    (answer) => answer.status !== 503,
  )
  expect(status).toBe(201)
  codes = body.data.map(({ short_code: code }: { short_code: string }) => code)
  for (const kind of ['tags', 'folders']) {
    const label = await rig.call('POST', `/api/${kind}`, { key, body: { name: 'Shared' } })
    ids[kind] = label.body.data.id
  }
  ids['import-jobs'] = await checkedImport()
}

const ITEMS_MAX = 100

const bulk = (linkOf: (n: number) => object, isDryRun: boolean) => async () => {
  const links = times(ITEMS_MAX, (n) => ({ original_url: DESTINATION, ...linkOf(n) }))
  const body = { links, dry_run: isDryRun }
  const answer = await rig.call('POST', '/api/bulk-shorten', { key, body })
  // 200: tried out, or all were there to reuse.
  expect([200, 201]).toContain(answer.status)
}

const CONFLICTS = 500

/** An import of which each line is a conflict. */
async function checkedImport(): Promise<number> {
  const numbers = times(CONFLICTS, (n) => n)
  for (let at = 0; at < CONFLICTS; at += ITEMS_MAX)
    await bulk((n) => ({ custom_code: `conflict-${at + n}` }), false)()
  const job = (await rig.call('POST', '/api/import-jobs', { key, body: { source: 'csv' } })).body.data
  const rows = numbers.map((n) => `conflict-${n},https://example.com/other/${n}`)
  await fetch(`${rig.url}/api/import-jobs/${job.id}/files?name=links.csv&offset=0`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/octet-stream' },
    body: ['code,url', ...rows].join('\n'),
  })
  expect((await rig.call('POST', `/api/import-jobs/${job.id}/check`, { key })).status).toBeLessThan(300)
  const read = async () => (await rig.call('GET', `/api/import-jobs/${job.id}`, { key })).body.data
  const checked = await eventually(read, ({ state }) => state === 'checked')
  expect(checked.counts).toMatchObject({ conflicts: CONFLICTS })
  return job.id
}
