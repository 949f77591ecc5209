import { afterEach, beforeEach, expect, test } from 'bun:test'
import { useJobRig } from '../rigs/import/job-rig.ts'
import { KEY, linksIn, serviceOf, SOURCE_APIS } from '../rigs/import/source-apis.ts'
import { type SourceServer, startSourceServer, statusOnly } from '../rigs/import/source-server.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { useOwnContractRig } from './contract-rig.ts'

const rig = useOwnContractRig({}, { reachableIps: ['127.0.0.1'], reachesAnyPort: true })
const caller = useCaller(rig)
const jobs = useJobRig(rig, caller)
let server: SourceServer
beforeEach(async () => (server = await startSourceServer(serviceOf(KUTT, () => linksIn(KUTT)))))
afterEach(() => server.stop())

test('links are read by an API once, with a key that is deleted then, and imported without it', async () => {
  const { id } = await begin()
  await jobs.succeed('POST', `/${id}/check`)
  const checked = await jobs.settled(id)
  expect(checked).toMatchObject({
    state: 'checked',
    url: server.url,
    description: ['links of Kutt, by its API'],
    files: [],
  })
  const { created, refused } = checked.counts!
  expect([created > 10, refused > 0]).toEqual([true, true])
  expect(await keyOf(id)).toBeNull()
  const requests = server.requests.length
  await server.stop()
  const done = await jobs.imported(id)
  expect(done).toMatchObject({ state: 'done', results: { created, refused, equal: 0 } })
  expect(server.requests).toHaveLength(requests)
})

test('a key that is refused fails the check, and another one is for another job', async () => {
  const { id } = await begin('wrong-key')
  await jobs.succeed('POST', `/${id}/check`)
  expect(await jobs.settled(id)).toMatchObject({
    state: 'failed',
    message: 'Kutt refuses this key. Create one that may read links.',
  })
  await jobs.ask('DELETE', `/${id}`)
  expect(await keyOf(id)).toBeNull()
})

test('a limit of the source is waited for, which the job says, and the wait ends when it is stopped', async () => {
  server.first(statusOnly(429, { 'Retry-After': '3600' }))
  const { id } = await begin()
  await jobs.succeed('POST', `/${id}/check`)
  const waiting = await eventually(
    () => jobs.read(id),
    ({ waiting_until: until, message }) => until !== null && message !== null,
  )
  expect(waiting.message).toMatch(
    /^The limit of Kutt is reached; going on at \d\d:\d\d:\d\d UTC\.$|^The limit/,
  )
  await jobs.succeed('POST', `/${id}/stop`)
  expect(await jobs.read(id)).toMatchObject({ state: 'stopped', waiting_until: null })
  await jobs.succeed('POST', `/${id}/start`)
  expect(await jobs.settled(id)).toMatchObject({ state: 'checked', message: null })
  await jobs.ask('DELETE', `/${id}`)
})

test('clicks are read with their countries, or as totals only', async () => {
  const statistics = () => server.requests.filter(({ url }) => url.pathname.endsWith('/stats')).length
  const body = { source: 'kutt', key: KEY, url: server.url, domain: 'localhost' }
  const totals = await jobs.begin({ ...body, clicks: 'totals' })
  expect(totals.options).toEqual({ clicks: 'totals' })
  await jobs.succeed('POST', `/${totals.id}/check`)
  expect(await jobs.settled(totals.id)).toMatchObject({ state: 'checked', message: null })
  expect(statistics()).toBe(0)
  await jobs.ask('DELETE', `/${totals.id}`)

  const { id } = await jobs.begin(body)
  await jobs.succeed('POST', `/${id}/check`)
  expect(await jobs.settled(id)).toMatchObject({ state: 'checked', message: null })
  expect(statistics()).toBeGreaterThan(50)
  expect(await jobs.imported(id)).toMatchObject({ state: 'done' })
  const { body: report } = await rig.call('GET', '/api/analytics/imported?period=all&limit=1', {
    key: caller.key,
  })
  expect(report.data.imported.countries).toMatchObject([{ country_code: null, clicks: 255 }])
})

test('only the list that was chosen is read', async () => {
  const bitly = SOURCE_APIS.find(({ source }) => source === 'bitly')!
  server.first(...Array(2).fill(serviceOf(bitly, () => linksIn(bitly))))
  const body = { source: 'bitly', key: KEY, url: server.url, list: 'Without links' }
  const { id, options } = await jobs.begin(body)
  expect(options).toEqual({ list: 'Without links' })
  await jobs.succeed('POST', `/${id}/check`)
  expect(await jobs.settled(id)).toMatchObject({ state: 'checked', counts: { created: 0, refused: 0 } })
  expect(server.requests).toHaveLength(2)
  await jobs.ask('DELETE', `/${id}`)
})

test('an address that is not public is not reached', async () => {
  const { id } = await jobs.begin({ source: 'kutt', key: KEY, url: 'http://127.0.0.2:8080' })
  await jobs.succeed('POST', `/${id}/check`)
  expect(await jobs.settled(id)).toMatchObject({
    state: 'failed',
    message: 'The host of http://127.0.0.2:8080 is not known. Check the URL.',
  })
  await jobs.ask('DELETE', `/${id}`)
})

const KUTT = SOURCE_APIS.find(({ source }) => source === 'kutt')!

const begin = (key = KEY) => jobs.begin({ source: 'kutt', key, url: server.url, domain: 'localhost' })

async function keyOf(id: number): Promise<string | null> {
  const row = rig.store.db.selectFrom('import_jobs').select('source_key').where('id', '=', id)
  return (await row.executeTakeFirst())?.source_key ?? null
}
