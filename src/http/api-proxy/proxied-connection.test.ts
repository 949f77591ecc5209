import { afterEach, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import {
  atTheEnd,
  endAll,
  openProxy,
  openEcho,
  openInner,
  settled,
  visit,
} from '../../../test/rigs/http/api-proxy-rig.ts'
import { eventually, until } from '../../../test/rigs/eventually.ts'
import { freePort } from '../../../test/rigs/free-port.ts'

afterEach(endAll)

/** Far more than the system buffers for two connections. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'a large upload, or a large answer; ')
const REQUEST = 'GET /hello HTTP/1.1\r\nHost: a\r\n\r\n'

test('bytes pass both ways, complete and unchanged, in pieces of any size', async () => {
  const proxy = openProxy((await openEcho()).port)
  const { socket, received, text } = visit(proxy.port)
  const pieces = [1, 10, 100_000, 3, 1_000_000, 1, 5_000_000].map((length) =>
    Array.from({ length: Math.ceil(length / 8) }, (_, i) => `${i}`.padStart(8)).join(''),
  )
  const content = pieces.join('')
  const sent = upload(content.length) + content
  for (const piece of [upload(content.length), ...pieces]) {
    socket.write(piece)
    await Bun.sleep(0)
  }
  await until(() => received.bytes >= sent.length)
  expect(text() === sent).toBe(true)
})

test('a client is not read while the server takes nothing, and everything arrives later', async () => {
  let inner: Socket | undefined
  let received = 0
  const { port } = await openInner((socket) => {
    inner = socket.pause()
    socket.on('data', (bytes) => (received += bytes.length)).pause()
  })
  const { socket } = visit(openProxy(port).port)
  const head = upload(LARGE.length)
  socket.write(head)
  socket.write(LARGE)
  const taken = await settled(() => socket.bytesWritten - socket.writableLength)
  expect(socket.writableLength).toBeGreaterThan(0)
  expect(taken).toBeLessThan(LARGE.length)
  inner!.resume()
  await until(() => received === head.length + LARGE.length)
})

test('a server is not read while the client takes nothing, and everything arrives later', async () => {
  let inner: Socket | undefined
  const { port } = await openInner((socket) => {
    inner = socket
    socket.write(LARGE)
    socket.end()
  })
  const { socket, received } = visit(openProxy(port).port)
  socket.pause()
  socket.write(REQUEST)
  await until(() => inner !== undefined)
  await settled(() => inner!.writableLength)
  expect(inner!.writableLength).toBeGreaterThan(0)
  socket.resume()
  await until(() => received.hasEnded)
  expect(received.bytes).toBe(LARGE.length)
})

test('a server that disconnects is noticed while the client takes nothing, and the client is disconnected', async () => {
  let inner: Socket | undefined
  const { port } = await openInner((socket) => (inner = socket).write(LARGE))
  const { events, port: proxy } = openProxy(port)
  const { socket, received } = visit(proxy)
  socket.pause()
  socket.write(REQUEST)
  await until(() => inner !== undefined)
  await settled(() => inner!.writableLength)
  inner!.resetAndDestroy()
  await until(() => events.closed.length === 1)
  socket.resume()
  await until(() => received.hasEnded)
  expect(received.bytes).toBeGreaterThan(0)
})

test('a client that does not read its response is disconnected', async () => {
  const { port, open } = await openInner((socket) => socket.write(LARGE))
  const { events, port: proxy } = openProxy(port, 1)
  const { socket } = visit(proxy)
  socket.pause()
  socket.write(REQUEST)
  await until(() => open.size === 1)
  await until(() => open.size === 0)
  expect(events.closed).toEqual(events.opened)
})

test('clients that send or read slowly are not disconnected, however long it takes', async () => {
  const IDLE_SECONDS = 5 // the runtime looks every four seconds
  let collected = 0
  const collector = await openInner((socket) => socket.on('data', ({ length }) => (collected += length)))
  const giving = visit(openProxy(collector.port, IDLE_SECONDS).port)
  let given = 0
  const drip = setInterval(() => (given += giving.socket.write('x') ? 1 : 0), 250)
  atTheEnd(() => clearInterval(drip))

  const { port } = await openInner((socket) => socket.end(LARGE))
  const { socket, received } = visit(openProxy(port, IDLE_SECONDS).port)
  const startedAt = performance.now()
  socket.on('data', () => {
    if (performance.now() - startedAt > 2 * IDLE_SECONDS * 1000) return
    socket.pause()
    setTimeout(() => socket.resume(), 250)
  })
  socket.write(REQUEST)
  await eventually(async () => received.hasEnded, Boolean)
  await until(() => received.hasEnded)
  expect(received.bytes).toBe(LARGE.length)

  clearInterval(drip)
  await until(() => collected === given)
  expect(giving.received.hasEnded).toBe(false)
})

test('a client that disconnects before the server is reached leaves nothing behind', async () => {
  const { port, open } = await openEcho()
  const proxy = openProxy(port)
  for (let i = 0; i < 20; i++) {
    const { socket } = visit(proxy.port)
    socket.write(REQUEST, () => void socket.resetAndDestroy())
  }
  await anotherVisit(proxy.port)
  await until(() => open.size === 0)
  await until(() => proxy.events.closed.length === 21)
  expect(proxy.events.closed.filter((localPort) => localPort > 0).sort()).toEqual(proxy.events.opened.sort())
})

test('a client that disconnects ends the connection to the server, and the other way round', async () => {
  const { port, open } = await openEcho()
  const proxy = openProxy(port)
  const leaving = visit(proxy.port)
  leaving.socket.write(REQUEST)
  await until(() => leaving.received.bytes > 0)
  leaving.socket.destroy()
  await until(() => open.size === 0)
  const left = visit(proxy.port)
  left.socket.write(REQUEST)
  await until(() => left.received.bytes > 0)
  for (const socket of open) socket.destroy()
  await until(() => left.received.isClosed || left.received.hasEnded)
  expect(proxy.events.closed).toEqual(proxy.events.opened)
})

test('a server that cannot be reached is reported, and the client is disconnected', async () => {
  const proxy = openProxy(freePort())
  const { socket, received } = visit(proxy.port)
  socket.write(REQUEST)
  await until(() => received.isClosed)
  expect(proxy.events).toMatchObject({ opened: [], closed: [0], failed: [expect.any(Error)] })
})

test('a client that closes its side after a request gets its response, and is closed then', async () => {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  let asked = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method === 'GET') return new Response('at once')
      expect(await request.text()).toBe('content')
      asked++
      await mayAnswer
      return new Response(inPieces(LARGE))
    },
  })
  atTheEnd(() => server.stop(true))
  const proxy = openProxy(server.port!)
  const { socket, received, text } = visit(proxy.port)
  socket.write(REQUEST)
  await until(() => text().endsWith('at once'))
  socket.end('POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\ncontent')
  await until(() => asked === 1)
  await anotherVisit(proxy.port)
  expect(received.hasEnded).toBe(false)
  answer()
  await until(() => received.hasEnded)
  expect(text().split('HTTP/1.1 200 OK\r\n')).toHaveLength(3)
  expect(text()).toEndWith('\r\n0\r\n\r\n')
  expect(received.bytes).toBeGreaterThan(LARGE.length)
})

test('a client that closes its side after its response is closed soon', async () => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello') })
  atTheEnd(() => server.stop(true))
  const proxy = openProxy(server.port!)
  const { socket, received, text } = visit(proxy.port)
  socket.write(REQUEST)
  await until(() => text().endsWith('hello'))
  socket.end()
  await until(() => received.hasEnded)
  expect(proxy.events.closed).toEqual(proxy.events.opened)
})

const upload = (length: number) => `POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

/** The server streams it, without a length. */
const inPieces = (bytes: Buffer) =>
  new ReadableStream({
    async start(controller) {
      for (let at = 0; at < bytes.length; at += 1_000_000) {
        controller.enqueue(bytes.subarray(at, at + 1_000_000))
        await Bun.sleep(1)
      }
      controller.close()
    },
  })

/** A complete exchange of another client: by then, what was sent before it has arrived. */
async function anotherVisit(port: number): Promise<void> {
  const { socket, received } = visit(port)
  socket.write(REQUEST)
  await until(() => received.bytes > 0)
  socket.destroy()
}
