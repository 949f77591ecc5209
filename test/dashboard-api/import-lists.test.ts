import { afterEach, beforeEach, expect, test } from 'bun:test'
import { KEY, linksIn, serviceOf, SOURCE_APIS } from '../rigs/import/source-apis.ts'
import { type SourceServer, startSourceServer, statusOnly } from '../rigs/import/source-server.ts'
import { useOwnDashboardRig, useUser } from '../rigs/service/dashboard-rig.ts'

const rig = useOwnDashboardRig({}, { reachableIps: ['127.0.0.1'], reachesAnyPort: true })
const user = useUser(rig)
let server: SourceServer
beforeEach(async () => (server = await startSourceServer(serviceOf(BITLY, () => linksIn(BITLY)))))
afterEach(() => server.stop())

test('the groups of a key are listed by one request', async () => {
  expect(await lists({ key: KEY })).toEqual([
    { id: 'Bn7k2Lm9QxZ', name: 'fixtureuser' },
    { id: 'Bempty00000', name: 'Without links' },
  ])
  expect(server.requests).toHaveLength(1)
})

test('a source whose links are one list has none, and is not reached', async () => {
  expect(await lists({ source: 'kutt', key: KEY })).toEqual([])
  expect(server.requests).toEqual([])
})

test('at most 200 are listed, and the answer of the source is not read to any length', async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ guid: `B${at}`, name: `Group ${at}` }))
  server.first((_, response) => response.end(JSON.stringify({ groups: many })))
  expect(await lists({ key: KEY })).toHaveLength(200)
  server.first((_, response) => response.end(JSON.stringify({ groups: [{ name: 'x'.repeat(300_000) }] })))
  expect(await refused({ key: KEY })).toEqual([
    'A page of Bitly is too large to be read. Import a file instead.',
  ])
})

test.each([
  [statusOnly(403), 'Bitly refuses this key. Create one that may read links.'],
  [statusOnly(429, { 'Retry-After': '3600' }), 'The limit of Bitly is reached. Try again later.'],
  [statusOnly(503), 'Bitly answers with status 503. Try again later.'],
])('what the source says against it is said of the key, at once', async (answer, sentence) => {
  server.first(answer)
  expect(await refused({ key: KEY })).toEqual([sentence])
  expect(server.requests).toHaveLength(1)
})

test('without a key there are none, and files have none', async () => {
  expect(await refused({})).toEqual(['Send a key of the API with its URL.'])
  expect(await refused({ url: null })).toEqual(['The key field is required.'])
  expect(await refused({ source: 'csv', url: null, key: KEY })).toEqual([
    'The source is read from files only.',
  ])
})

const BITLY = SOURCE_APIS.find(({ source }) => source === 'bitly')!

const request = (body: object) =>
  user.browser.request('POST', '/import-lists', { source: 'bitly', url: server.url, ...body })
const lists = async (body: object) => (await request(body)).body.data
const refused = async (body: object) => {
  const { status, body: answer } = await request(body)
  return status === 422 ? answer.errors.key : [status]
}
