import { noOtherDomains } from '../../../test/rigs/redirect/no-other-domains.ts'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { PLAIN_ROUTE } from '../../../test/rigs/redirect/plain-route.ts'
import { connect } from 'node:net'
import { eventually, until } from '../../../test/rigs/eventually.ts'
import { openApiUpstream } from '../../../test/rigs/http/api-upstream.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { LinkRoute } from '../../links/routes/link-route.ts'
import { newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import { openRedirectServer } from './redirect-server.ts'
import type { LinkKey } from '../../links/link-key.ts'

/** Clients of the proxied connections. */
let peers: Map<number, string>
/** Clicks that wait for the journal. While undefined, it takes them at once. */
let journaling: PromiseWithResolvers<void>[] | undefined
let api: PromiseWithResolvers<string>
let port: number
let stopServer: () => Promise<void>
let stopApiServer: () => Promise<void>

beforeEach(startServers)
afterEach(stopServers)

test('a client that closes its side after a request gets a response, however long the journal takes', async () => {
  journaling = []
  const { socket, received } = visit()
  socket.end(get('/hello'))
  await until(() => journaling?.length === 1)
  const other = visit(get('/nobody'))
  await until(() => other.received.text !== '')
  expect(received).toEqual({ text: '', hasEnded: false })
  journaling[0]!.resolve()
  await until(() => received.hasEnded)
  expect(received.text).toStartWith('HTTP/1.1 302 Found\r\n')
})

test('complete pipelined requests of such a client get responses too', async () => {
  const answers = { '/nobody': 2, '/hello': 2, '/api/links': 2, torn: 1 }
  for (const [target, count] of Object.entries(answers)) {
    journaling = []
    const { socket, received } = visit(get('/hello'))
    await until(() => journaling?.length === 1)
    socket.end(target === 'torn' ? 'GET /nobody' : get(target))
    const other = visit(get('/nobody'))
    await until(() => other.received.text !== '')
    const [click] = journaling
    journaling = undefined
    api.resolve('from the API')
    click!.resolve()
    await until(() => received.hasEnded)
    expect([target, received.text.split('HTTP/1.1 ').length - 1]).toEqual([target, count])
  }
})

test('a client that closes its side without a complete request is disconnected', async () => {
  for (const request of ['', 'GET /hello', get('/hello').slice(0, -1)]) {
    const { socket, received } = visit(request)
    socket.end()
    await until(() => received.hasEnded)
    expect([received.text, opened]).toEqual(['', []])
  }
})

test('a head in pieces is parsed when it is complete, and proxied only if necessary', async () => {
  api.resolve('from the API')
  const answers = { '/hello': 'HTTP/1.1 302 Found\r\n', '/api/links': 'from the API' }
  for (const [target, answer] of Object.entries(answers)) {
    const { socket, received } = visit()
    for (const piece of get(target, `X-Long: ${'x'.repeat(500)}\r\n`).match(/[^]{1,50}/g)!) {
      socket.write(piece)
      await Bun.sleep(1)
    }
    await until(() => received.text.includes(answer))
    expect(peers.size).toBe(target === '/hello' ? 0 : 1)
    socket.write(get('/nobody'))
    await until(() => received.text.includes('HTTP/1.1 404 Not Found\r\n'))
    socket.destroy()
  }
  expect(opened).toEqual(['hello', 'nobody', 'nobody'])
})

test('a silent or slow client is disconnected, but a response may wait long for the journal', async () => {
  journaling = []
  const waiting = visit(get('/hello'))
  await until(() => journaling?.length === 1)
  const [silent, trickling, late] = [visit(), visit('GET /hello?'), visit(get('/nobody'))]
  const drip = setInterval(() => {
    trickling.socket.write('a')
    if (late.received.text !== '') late.socket.write('G')
  }, 500)
  endings.push(() => clearInterval(drip))
  for (const { received } of [silent, trickling, late]) {
    await eventually(async () => received.hasEnded, Boolean)
    await until(() => received.hasEnded)
  }
  expect([silent, trickling].map(({ received }) => received.text)).toEqual(['', ''])
  expect([opened, peers.size]).toEqual([['hello', 'nobody'], 0])
  expect(waiting.received).toEqual({ text: '', hasEnded: false })
  journaling[0]!.resolve()
  await until(() => waiting.received.text !== '')
  expect(waiting.received.text).toStartWith('HTTP/1.1 302 Found\r\n')
})

test('clients that disconnect before they are accepted do no harm', async () => {
  // In another process, while this thread is blocked and accepts nothing.
  const script = `
    const { connect } = require('node:net')
    for (let i = 0; i < 20; i++) {
      const socket = connect(${port}, '${HOST}', () => socket.write(${JSON.stringify(get('/hello'))}, () => socket.resetAndDestroy()))
    }`
  expect(Bun.spawnSync([process.execPath, '-e', script]).exitCode).toBe(0)
  await expectRedirects()
  expect([opened, logged]).toEqual([['hello'], []])
})

test('an unexpected error is a 500 with a request ID: here, in the database or after the click', async () => {
  for (const target of ['/unreadable', '/faraway', '/broken']) {
    const { received } = visit(get(target))
    await until(() => received.text.includes('}'))
    expect(received.text).toStartWith('HTTP/1.1 500 ')
    expect(received.text).toContain('"Something went wrong on our side.')
    const [, id] = /\r\nX-Request-Id: (\S+)\r\n/i.exec(received.text)!
    expect(logged.splice(0)).toEqual([expect.stringContaining(id!)])
  }
  await expectRedirects()
})

test('short URLs are served while the API server cannot be reached', async () => {
  await stopApiServer()
  const { received } = visit(get('/api/links'))
  await until(() => received.hasEnded)
  expect([received.text, logged]).toEqual(['', [expect.stringContaining('Could not proxy a connection')]])
  await expectRedirects()
})

test('five hundred connections of any kind leave nothing behind', async () => {
  api.resolve('from the API')
  const kinds = {
    silent: '',
    open: get('/hello'),
    unknown: get('/nobody'),
    api: get('/api/links'),
    torn: 'GET /he',
  }
  const visits = Object.values(kinds).flatMap((request) => Array.from({ length: 100 }, () => visit(request)))
  await until(() => visits.filter(({ received }) => received.text !== '').length === 300)
  await until(() => peers.size === 100)
  const goes = ({ socket }: (typeof visits)[number], i: number) =>
    i % 2 === 0 ? socket.resetAndDestroy() : socket.end()
  visits.forEach(goes)
  await until(() => peers.size === 0)
  await expectRedirects()
  expect(logged).toEqual([])
})

test('when it stops, the server answers what waits for the journal and announces the close', async () => {
  journaling = []
  const [waiting, silent, kept] = [visit(get('/hello')), visit(), visit(get('/nobody'))]
  await until(() => journaling?.length === 1 && kept.received.text !== '')
  let hasStopped = false
  void stopServer().then(() => (hasStopped = true))
  await until(() => silent.received.hasEnded && kept.received.hasEnded)
  expect(hasStopped).toBe(false)
  journaling[0]!.resolve()
  await until(() => waiting.received.hasEnded && hasStopped)
  expect(waiting.received.text).toStartWith('HTTP/1.1 302 Found\r\n')
  expect(waiting.received.text).toContain('\r\nConnection: close\r\n')
})

function startServers(): void {
  logged.length = opened.length = 0
  journaling = undefined
  api = Promise.withResolvers()
  const write = (message: string, fields?: object) => void logged.push(message + JSON.stringify(fields))
  const deps = {
    openLink: {
      links: { get: linkOf },
      journal: { append },
      openings: {
        open: async () => undefined,
        isExhausted: () => false,
        checkExhausted: async () => false,
      },
      visitors: { of: () => 1 },
      geo: { locate: () => ({ country: '', city: undefined }) },
      clock: systemClock,
      domains: noOtherDomains('https://s.example.com'),
      ownTraffic: { byWorkspace: new Map() },
      utmWorkspaces: { ids: new Set<number>() },
      misses: { count: () => ({ isAllowed: true, retryAfterSeconds: 1 }) },
      notFound: { note: () => {} },
    },
    log: { debug: write, info: write, warn: write, error: write },
    metrics: openMetrics(newSharedMetrics()),
    clock: systemClock,
  }
  const upstream = openApiUpstream({ ...deps, handle: () => api.promise.then((text) => new Response(text)) })
  peers = upstream.peers
  const settings = { host: HOST, port: 0, trustedProxies: undefined, sharesPort: false, filesMax: 10_000 }
  const server = openRedirectServer({ ...deps, api: upstream }, settings)
  port = server.port
  stopServer = () => server.stop()
  stopApiServer = upstream.stop
  endings.push(stopApiServer, stopServer)
}

async function stopServers(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end()
}

const HOST = '127.0.0.1'
const endings: (() => unknown)[] = []
const logged: string[] = []

/** Codes that were looked up. */
const opened: string[] = []

function linkOf({ domainId, code }: LinkKey): LinkRoute | undefined | Promise<LinkRoute | undefined> {
  opened.push(code)
  if (code === 'unreadable') throw new Error('The disk cannot be read.')
  if (code === 'faraway') return Promise.reject(new Error('The database says something odd.'))
  if (code === 'nobody') return undefined
  const target = { ...PLAIN_ROUTE, domainId, code, destination: `https://example.com/${code}` }
  const broken = () => {
    throw new Error('The link is broken.')
  }
  return code === 'broken' ? Object.defineProperty(target, 'destination', { get: broken }) : target
}

function append(): Promise<void> {
  if (journaling === undefined) return Promise.resolve()
  const click = Promise.withResolvers<void>()
  journaling.push(click)
  return click.promise
}

const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

function visit(request = '') {
  const socket = connect({ port, host: HOST, noDelay: true, allowHalfOpen: true })
  const received = { text: '', hasEnded: false }
  socket.on('data', (bytes) => (received.text += bytes.toString('latin1')))
  socket.on('error', () => {})
  socket.on('end', () => (received.hasEnded = true))
  socket.on('close', () => (received.hasEnded = true))
  endings.push(() => socket.destroy())
  if (request !== '') socket.write(request)
  return { socket, received }
}

async function expectRedirects(): Promise<void> {
  const { received } = visit(get('/hello', 'Connection: close\r\n'))
  await until(() => received.hasEnded)
  expect(received.text).toStartWith('HTTP/1.1 302 Found\r\n')
}
