import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { eventually } from '../../test/rigs/service-rig.ts'
import { systemClock } from '../clock.ts'
import type { LinkTarget } from '../links/link-cache.ts'
import { newSharedMetrics, openMetrics } from '../metrics.ts'
import { openFastLane } from './fast-lane.ts'
import { openFrontDoor } from './front-door.ts'

setDefaultTimeout(60_000)

const HOST = '127.0.0.1'
const endings: (() => unknown)[] = []
/** Whose each handed-over connection is. */
const peers = new Map<number, string>()
const logged: string[] = []
/** Codes that were looked up. */
const opened: string[] = []
/** Clicks that wait for the journal; while undefined, it takes them at once. */
let journaling: PromiseWithResolvers<void>[] | undefined
let api: PromiseWithResolvers<string>
let port: number
let stopLane: () => Promise<void>
let stopInner: () => Promise<void>

beforeEach(() => {
  logged.length = opened.length = 0
  journaling = undefined
  api = Promise.withResolvers()
  const write = (message: string, fields?: object) => void logged.push(message + JSON.stringify(fields))
  const deps = {
    openLink: {
      links: { get: linkOf },
      journal: { append },
      visitors: { of: () => 1 },
      countries: { countryOf: () => '' },
      misses: { count: () => ({ isAllowed: true, retryAfterSeconds: 1 }) },
    },
    api: { ask: () => api.promise.then((text) => new Response(text)) },
    log: { debug: write, info: write, warn: write, error: write },
    peers,
    metrics: openMetrics(newSharedMetrics()),
    clock: systemClock,
  }
  const inner = openFrontDoor(deps, { host: HOST, port: 0, trustedProxies: undefined })
  const settings = { host: HOST, port: 0, trustedProxies: undefined, sharesPort: false, filesMax: 10_000 }
  const lane = openFastLane(deps, { ...settings, innerPort: inner.port! })
  port = lane.port
  stopLane = () => lane.stop()
  stopInner = () => inner.stop(true)
  endings.push(stopInner, stopLane)
})

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

function linkOf(code: string): LinkTarget | undefined | Promise<LinkTarget | undefined> {
  opened.push(code)
  if (code === 'unreadable') throw new Error('The disk cannot be read.')
  if (code === 'faraway') return Promise.reject(new Error('The database says something odd.'))
  if (code === 'nobody') return undefined
  const target = {
    code,
    linkId: 1,
    accountId: 1,
    href: `https://example.com/${code}`,
    isOpen: true,
    isBlocked: false,
  }
  const broken = () => {
    throw new Error('The link is broken.')
  }
  return code === 'broken' ? Object.defineProperty(target, 'href', { get: broken }) : target
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
  const heard = { text: '', hasEnded: false }
  socket.on('data', (bytes) => (heard.text += bytes.toString('latin1')))
  socket.on('error', () => {})
  socket.on('end', () => (heard.hasEnded = true))
  socket.on('close', () => (heard.hasEnded = true))
  endings.push(() => socket.destroy())
  if (request !== '') socket.write(request)
  return { socket, heard }
}

const until = async (isSo: () => boolean) => expect(await eventually(async () => isSo(), Boolean)).toBe(true)

async function expectRedirects(): Promise<void> {
  const { heard } = visit(get('/hello', 'Connection: close\r\n'))
  await until(() => heard.hasEnded)
  expect(heard.text).toStartWith('HTTP/1.1 302 Found\r\n')
}

test('a client that asks and then says no more is answered, however long the journal takes', async () => {
  journaling = []
  const { socket, heard } = visit()
  socket.end(get('/hello'))
  await until(() => journaling?.length === 1)
  const other = visit(get('/nobody'))
  await until(() => other.heard.text !== '')
  expect(heard).toEqual({ text: '', hasEnded: false })
  journaling[0]!.resolve()
  await until(() => heard.hasEnded)
  expect(heard.text).toStartWith('HTTP/1.1 302 Found\r\n')
})

test('what is asked ahead by a client that then says no more is answered too, if it is whole', async () => {
  const answers = { '/nobody': 2, '/hello': 2, '/api/links': 2, torn: 1 }
  for (const [target, count] of Object.entries(answers)) {
    journaling = []
    const { socket, heard } = visit(get('/hello'))
    await until(() => journaling?.length === 1)
    socket.end(target === 'torn' ? 'GET /nobody' : get(target))
    const other = visit(get('/nobody'))
    await until(() => other.heard.text !== '')
    const [click] = journaling
    journaling = undefined
    api.resolve('from the API')
    click!.resolve()
    await until(() => heard.hasEnded)
    expect([target, heard.text.split('HTTP/1.1 ').length - 1]).toEqual([target, count])
  }
})

test('a client that says no more without having asked, or in the middle of it, is let go', async () => {
  for (const request of ['', 'GET /hello', get('/hello').slice(0, -1)]) {
    const { socket, heard } = visit(request)
    socket.end()
    await until(() => heard.hasEnded)
    expect([heard.text, opened]).toEqual(['', []])
  }
})

test('a head in pieces is read when it is whole, and handed over only if it has to be', async () => {
  api.resolve('from the API')
  const answers = { '/hello': 'HTTP/1.1 302 Found\r\n', '/api/links': 'from the API' }
  for (const [target, answer] of Object.entries(answers)) {
    const { socket, heard } = visit()
    for (const piece of get(target, `X-Long: ${'x'.repeat(500)}\r\n`).match(/[^]{1,50}/g)!) {
      socket.write(piece)
      await Bun.sleep(1)
    }
    await until(() => heard.text.includes(answer))
    expect(peers.size).toBe(target === '/hello' ? 0 : 1)
    socket.write(get('/nobody'))
    await until(() => heard.text.includes('HTTP/1.1 404 Not Found\r\n'))
    socket.destroy()
  }
  expect(opened).toEqual(['hello', 'nobody', 'nobody'])
})

test('who says nothing, or little by little, is let go, while an answer may wait for the journal for long', async () => {
  journaling = []
  const waiting = visit(get('/hello'))
  await until(() => journaling?.length === 1)
  const [silent, trickling, late] = [visit(), visit('GET /hello?'), visit(get('/nobody'))]
  const drip = setInterval(() => {
    trickling.socket.write('a')
    if (late.heard.text !== '') late.socket.write('G')
  }, 500)
  endings.push(() => clearInterval(drip))
  for (const { heard } of [silent, trickling, late]) {
    await eventually(async () => heard.hasEnded, Boolean)
    await until(() => heard.hasEnded)
  }
  expect([silent, trickling].map(({ heard }) => heard.text)).toEqual(['', ''])
  expect([opened, peers.size]).toEqual([['hello', 'nobody'], 0])
  expect(waiting.heard).toEqual({ text: '', hasEnded: false })
  journaling[0]!.resolve()
  await until(() => waiting.heard.text !== '')
  expect(waiting.heard.text).toStartWith('HTTP/1.1 302 Found\r\n')
})

test('clients that are gone before they are let in ask nothing and disturb nobody', async () => {
  // In a process of its own, while this thread stands still and lets nobody in.
  const script = `
    const { connect } = require('node:net')
    for (let i = 0; i < 20; i++) {
      const socket = connect(${port}, '${HOST}', () => socket.write(${JSON.stringify(get('/hello'))}, () => socket.resetAndDestroy()))
    }`
  expect(Bun.spawnSync([process.execPath, '-e', script]).exitCode).toBe(0)
  await expectRedirects()
  expect([opened, logged]).toEqual([['hello'], []])
})

test('a fault is a 500 with a request id, be it here, in the database or after the click', async () => {
  for (const target of ['/unreadable', '/faraway', '/broken']) {
    const { heard } = visit(get(target))
    await until(() => heard.text.includes('}'))
    expect(heard.text).toStartWith('HTTP/1.1 500 ')
    expect(heard.text).toContain('"Something went wrong on our side.')
    const [, id] = /\r\nX-Request-Id: (\S+)\r\n/i.exec(heard.text)!
    expect(logged.splice(0)).toEqual([expect.stringContaining(id!)])
  }
  await expectRedirects()
})

test('while the complete server cannot be reached, short addresses are answered all the same', async () => {
  await stopInner()
  const { heard } = visit(get('/api/links'))
  await until(() => heard.hasEnded)
  expect([heard.text, logged]).toEqual(['', [expect.stringContaining('Could not proxy a connection')]])
  await expectRedirects()
})

test('nothing stays of five hundred connections of any kind', async () => {
  api.resolve('from the API')
  const kinds = {
    silent: '',
    open: get('/hello'),
    unknown: get('/nobody'),
    api: get('/api/links'),
    torn: 'GET /he',
  }
  const visits = Object.values(kinds).flatMap((request) => Array.from({ length: 100 }, () => visit(request)))
  await until(() => visits.filter(({ heard }) => heard.text !== '').length === 300)
  await until(() => peers.size === 100)
  const goes = ({ socket }: (typeof visits)[number], i: number) =>
    i % 2 === 0 ? socket.resetAndDestroy() : socket.end()
  visits.forEach(goes)
  await until(() => peers.size === 0)
  await expectRedirects()
  expect(logged).toEqual([])
})

test('told to stop, the lane answers what waits for the journal and says that it closes', async () => {
  journaling = []
  const [waiting, silent, kept] = [visit(get('/hello')), visit(), visit(get('/nobody'))]
  await until(() => journaling?.length === 1 && kept.heard.text !== '')
  let hasStopped = false
  void stopLane().then(() => (hasStopped = true))
  await until(() => silent.heard.hasEnded && kept.heard.hasEnded)
  expect(hasStopped).toBe(false)
  journaling[0]!.resolve()
  await until(() => waiting.heard.hasEnded && hasStopped)
  expect(waiting.heard.text).toStartWith('HTTP/1.1 302 Found\r\n')
  expect(waiting.heard.text).toContain('\r\nConnection: close\r\n')
})
