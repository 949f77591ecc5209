import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { clientOf, readText } from '../../test/rigs/outside/guarded-client-rig.ts'
import {
  type PageServer,
  PRIVATE_IP,
  redirectTo,
  startPageServer,
} from '../../test/rigs/outside/page-server.ts'
import { isSameServer } from './guarded-client.ts'

let server: PageServer
let other: PageServer

beforeAll(startServers)
beforeEach(forgetRequests)
afterAll(stopServers)

const KEY = 'secret-key-of-the-source'

test('a key is sent with every request to the server of the URL, also after a redirect', async () => {
  server.serve('/old', redirectTo('/new'))
  server.serve('/new', 'Here')
  expect(await getWithKey(server.url('/old'))).toMatchObject({ url: server.url('/new'), text: 'Here' })
  expect(keysAt(server)).toEqual([KEY, KEY])
})

test.each<[what: string, location: () => string]>([
  ['another host', () => `http://other.example:${server.port}/`],
  ['another port', () => other.url('/')],
  ['another host without a scheme', () => `//other.example:${server.port}/`],
  ['no URL', () => 'http://['],
])('a redirect to %s is the answer, and nothing is sent there', async (_, location) => {
  server.serve('/away', redirectTo(location()))
  expect(await getWithKey(server.url('/away'))).toEqual({ url: server.url('/away'), status: 302, text: '' })
  expect([server.requests.length, other.requests.length]).toEqual([1, 0])
})

test.each<[from: string, to: string, isSame: boolean]>([
  ['https://a.example/x', 'https://a.example/y?z', true],
  ['http://a.example/', 'https://a.example/', true],
  ['https://a.example/', 'http://a.example/', false],
  ['http://a.example:8080/', 'https://a.example/', false],
  ['http://a.example/', 'https://a.example:8443/', false],
  ['https://a.example/', 'https://www.a.example/', false],
  ['https://a.example/', 'https://a.example.evil.example/', false],
])('from %s to %s a key goes along: %p', (from, to, isSame) => {
  expect(isSameServer(from, to)).toBe(isSame)
})

test('names of private networks are resolved where that is allowed', async () => {
  server.serve('/', 'Inside')
  const url = `http://kutt.internal:${server.port}/`
  expect(await getWithKey(url)).toEqual({ url, failure: 'no-public-address' })
  expect(await getWithKey(url, clientOf({ isAllowedName: () => true }))).toMatchObject({ text: 'Inside' })
})

const getWithKey = (url: string, client = clientOf()) =>
  client.get(
    url,
    { accept: 'text/html', signal: new AbortController().signal, credentials: { 'X-Api-Key': KEY } },
    readText,
  )

const keysAt = ({ requests }: PageServer) => requests.map(({ headers }) => headers['x-api-key'])

async function startServers(): Promise<void> {
  server = await startPageServer()
  other = await startPageServer(PRIVATE_IP)
}

function forgetRequests(): void {
  server.requests.length = 0
  other.requests.length = 0
}

async function stopServers(): Promise<void> {
  await server.stop()
  await other.stop()
}
