import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { manualClock, MINUTE_US } from '../runtime/clock.ts'
import {
  bytesAnswer,
  type PageServer,
  PUBLIC_IP,
  redirectTo,
  startPageServer,
} from '../../test/rigs/outside/page-server.ts'
import { Blocks } from '../links/destinations/blocks.ts'
import { DestinationPages } from './destination-pages.ts'
import { readPage } from './read-page.ts'
import { GuardedClient } from './guarded-client.ts'

let server: PageServer
let clock: ReturnType<typeof manualClock>
let pages: DestinationPages

beforeAll(async () => (server = await startPageServer()))
beforeEach(openPages)
afterAll(() => server.stop())

test('a page is found behind its redirects', async () => {
  server.serve('/new', '<title>Winter</title>')
  expect(await look(server.serve('/old', redirectTo('/new')))).toEqual({
    url: server.url('/new'),
    status: 200,
    failure: undefined,
    title: 'Winter',
    description: undefined,
    iconUrl: undefined,
    imageUrl: undefined,
  })
})

test('of an error page only the status is known', async () => {
  const url = server.url('/nowhere')
  expect(await look(url)).toEqual({ url, status: 404, failure: undefined })
})

test('what is not HTML is reachable and has no title', async () => {
  for (const type of ['application/pdf', 'text/plain', 'image/svg+xml', 'text/htmlx', '']) {
    const url = server.serve('/file', bytesAnswer(Buffer.from('<title>No</title>'), { 'Content-Type': type }))
    expect(await look(url)).toEqual({ url, status: 200, failure: undefined })
  }
})

test('the title of a page of more than a megabyte is found in the first one', async () => {
  const html = (before: number) => `<p>${'x'.repeat(before)}</p><title>Far</title>${' '.repeat(2_000_000)}`
  expect(await look(server.serve('/near', html(1_048_000)))).toMatchObject({ title: 'Far' })
  expect(await look(server.serve('/far', html(1_049_000)))).toMatchObject({ status: 200, title: undefined })
})

test('a host that is not public is not looked at', async () => {
  const url = 'http://127.0.0.1/'
  const failure = 'no-public-address'
  expect(await look(url)).toEqual({ url, status: undefined, failure })
})

test('a picture is passed on with the type of its bytes', async () => {
  const url = server.serve('/a', bytesAnswer(PNG, { 'Content-Type': 'text/html' }))
  expect(await picture(url)).toEqual({ type: 'image/png', bytes: PNG })
  expect(await picture(server.serve('/b', redirectTo('/a')))).toEqual({ type: 'image/png', bytes: PNG })
})

test('what is no picture is not passed on, whatever its Content-Type', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const bytes of [svg, Buffer.from('<script>alert(1)</script>'), Buffer.alloc(0)])
    expect(
      await picture(server.serve('/c', bytesAnswer(bytes, { 'Content-Type': 'image/png' }))),
    ).toBeUndefined()
  const missing = server.serve('/d', (_, response) => response.writeHead(404).end(PNG))
  expect(await picture(missing)).toBeUndefined()
  expect(await picture('http://127.0.0.1/a.png')).toBeUndefined()
})

test('a picture has at most 512 KB', async () => {
  const sized = (bytes: number) => Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)])
  expect(await picture(server.serve('/max', bytesAnswer(sized(524_288))))).toHaveProperty(
    'bytes.length',
    524_288,
  )
  expect(await picture(server.serve('/over', bytesAnswer(sized(524_289))))).toBeUndefined()
})

test('a workspace looks at 240 pages and pictures a minute', async () => {
  const url = server.serve('/', '<title>Home</title>')
  for (let fetched = 0; fetched < 240; fetched++) await (fetched % 2 === 0 ? look(url) : picture(url))
  await expect(look(url)).rejects.toThrow('Too many pages were looked at. Try again in a minute.')
  await expect(picture(url)).rejects.toThrow('Too many pages were looked at.')
  expect(await pages.look(WORKSPACE + 1, url)).toMatchObject({ title: 'Home' })
  clock.advance(MINUTE_US)
  expect(await look(url)).toMatchObject({ title: 'Home' })
})

test('closing ends what is under way', async () => {
  const asked = Promise.withResolvers<void>()
  const looking = look(server.serve('/silent', () => asked.resolve()))
  await asked.promise
  pages.close()
  expect(await looking).toMatchObject({ status: undefined })
})

function openPages(): void {
  clock = manualClock(0)
  const client = new GuardedClient({
    resolve: async () => [],
    isAllowedPort: () => true,
    isAllowedAddress: (ip) => ip === PUBLIC_IP,
    destinationRules: { ownHosts: new Set(), allowPrivate: false, blocks: new Blocks() },
    userAgent: 'Tern',
    timeoutMs: 60_000,
  })
  pages = new DestinationPages({ client, clock, readPage: async (page) => readPage(page) })
}

const WORKSPACE = 7
const PNG = Buffer.from('\x89PNG\r\n\x1a\n0123456789', 'latin1')

const look = (url: string) => pages.look(WORKSPACE, url)
const picture = (url: string) => pages.picture(WORKSPACE, url)
