import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import type { Socket } from 'node:net'
import {
  atTheEnd,
  endAll,
  openDoor,
  openEcho,
  openInner,
  settled,
  until,
  visit,
} from '../../test/rigs/hand-over-rig.ts'
import { eventually } from '../../test/rigs/service-rig.ts'
import { freePort } from '../../test/rigs/free-port.ts'

setDefaultTimeout(60_000)
afterEach(endAll)

/** Far more than the system keeps for two connections in a row. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'a large upload, or a large answer; ')
const REQUEST = 'GET /hello HTTP/1.1\r\nHost: a\r\n\r\n'
const upload = (length: number) => `POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`

/** The server sends it as it is made, and does not know how long it will be. */
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

/** One whole exchange of somebody else: what was sent before it has arrived by then. */
async function anotherVisit(port: number): Promise<void> {
  const { socket, heard } = visit(port)
  socket.write(REQUEST)
  await until(() => heard.bytes > 0)
  socket.destroy()
}

test('bytes pass both ways, whole and unchanged, in whatever pieces they come', async () => {
  const door = openDoor((await openEcho()).port)
  const { socket, heard, text } = visit(door.port)
  const pieces = [1, 10, 100_000, 3, 1_000_000, 1, 5_000_000].map((length) =>
    Array.from({ length: Math.ceil(length / 8) }, (_, i) => `${i}`.padStart(8)).join(''),
  )
  const content = pieces.join('')
  const sent = upload(content.length) + content
  for (const piece of [upload(content.length), ...pieces]) {
    socket.write(piece)
    await Bun.sleep(0)
  }
  await until(() => heard.bytes >= sent.length)
  expect(text() === sent).toBe(true)
})

test('a client is not read while the server takes nothing, and all arrives when it does', async () => {
  let inner: Socket | undefined
  let received = 0
  const { port } = await openInner((socket) => {
    inner = socket.pause()
    socket.on('data', (bytes) => (received += bytes.length)).pause()
  })
  const { socket } = visit(openDoor(port).port)
  const head = upload(LARGE.length)
  socket.write(head)
  socket.write(LARGE)
  const taken = await settled(() => socket.bytesWritten - socket.writableLength)
  expect(socket.writableLength).toBeGreaterThan(0)
  expect(taken).toBeLessThan(LARGE.length)
  inner!.resume()
  await until(() => received === head.length + LARGE.length)
})

test('a server is not read while the client takes nothing, and all arrives when it does', async () => {
  let inner: Socket | undefined
  const { port } = await openInner((socket) => {
    inner = socket
    socket.write(LARGE)
    socket.end()
  })
  const { socket, heard } = visit(openDoor(port).port)
  socket.pause()
  socket.write(REQUEST)
  await until(() => inner !== undefined)
  await settled(() => inner!.writableLength)
  expect(inner!.writableLength).toBeGreaterThan(0)
  socket.resume()
  await until(() => heard.hasEnded)
  expect(heard.bytes).toBe(LARGE.length)
})

test('a server that breaks off is noticed while its client takes nothing, and the client is let go', async () => {
  let inner: Socket | undefined
  const { port } = await openInner((socket) => (inner = socket).write(LARGE))
  const { told, port: door } = openDoor(port)
  const { socket, heard } = visit(door)
  socket.pause()
  socket.write(REQUEST)
  await until(() => inner !== undefined)
  await settled(() => inner!.writableLength)
  inner!.resetAndDestroy()
  await until(() => told.closed.length === 1)
  socket.resume()
  await until(() => heard.hasEnded)
  expect(heard.bytes).toBeGreaterThan(0)
})

test('a client that takes nothing of what it asked for is cut off', async () => {
  const { port, open } = await openInner((socket) => socket.write(LARGE))
  const { told, port: door } = openDoor(port, 1)
  const { socket } = visit(door)
  socket.pause()
  socket.write(REQUEST)
  await until(() => open.size === 1)
  await until(() => open.size === 0)
  expect(told.closed).toEqual(told.opened)
})

test('clients that give or take little by little are not cut off, however long it takes in all', async () => {
  const IDLE_SECONDS = 5 // the runtime looks every four seconds
  let received = 0
  const collector = await openInner((socket) => socket.on('data', ({ length }) => (received += length)))
  const giving = visit(openDoor(collector.port, IDLE_SECONDS).port)
  let given = 0
  const drip = setInterval(() => (given += giving.socket.write('x') ? 1 : 0), 250)
  atTheEnd(() => clearInterval(drip))

  const { port } = await openInner((socket) => socket.end(LARGE))
  const { socket, heard } = visit(openDoor(port, IDLE_SECONDS).port)
  const startedAt = performance.now()
  socket.on('data', () => {
    if (performance.now() - startedAt > 2 * IDLE_SECONDS * 1000) return
    socket.pause()
    setTimeout(() => socket.resume(), 250)
  })
  socket.write(REQUEST)
  await eventually(async () => heard.hasEnded, Boolean)
  await until(() => heard.hasEnded)
  expect(heard.bytes).toBe(LARGE.length)

  clearInterval(drip)
  await until(() => received === given)
  expect(giving.heard.hasEnded).toBe(false)
})

test('of a client that is gone before the server is reached, nothing stays', async () => {
  const { port, open } = await openEcho()
  const door = openDoor(port)
  for (let i = 0; i < 20; i++) {
    const { socket } = visit(door.port)
    socket.write(REQUEST, () => void socket.resetAndDestroy())
  }
  await anotherVisit(door.port)
  await until(() => open.size === 0)
  await until(() => door.told.closed.length === 21)
  expect(door.told.closed.filter((localPort) => localPort > 0).sort()).toEqual(door.told.opened.sort())
})

test('a client that goes ends the connection behind it, and a server that goes the one before it', async () => {
  const { port, open } = await openEcho()
  const door = openDoor(port)
  const leaving = visit(door.port)
  leaving.socket.write(REQUEST)
  await until(() => leaving.heard.bytes > 0)
  leaving.socket.destroy()
  await until(() => open.size === 0)
  const left = visit(door.port)
  left.socket.write(REQUEST)
  await until(() => left.heard.bytes > 0)
  for (const socket of open) socket.destroy()
  await until(() => left.heard.isClosed || left.heard.hasEnded)
  expect(door.told.closed).toEqual(door.told.opened)
})

test('a server that cannot be reached is told of, and the client is let go', async () => {
  const door = openDoor(freePort())
  const { socket, heard } = visit(door.port)
  socket.write(REQUEST)
  await until(() => heard.isClosed)
  expect(door.told).toMatchObject({ opened: [], closed: [0], failed: [expect.any(Error)] })
})

test('a client that asks and then says no more is answered, and closed after it', async () => {
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
  const door = openDoor(server.port!)
  const { socket, heard, text } = visit(door.port)
  socket.write(REQUEST)
  await until(() => text().endsWith('at once'))
  socket.end('POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\ncontent')
  await until(() => asked === 1)
  await anotherVisit(door.port)
  expect(heard.hasEnded).toBe(false)
  answer()
  await until(() => heard.hasEnded)
  expect(text().split('HTTP/1.1 200 OK\r\n')).toHaveLength(3)
  expect(text()).toEndWith('\r\n0\r\n\r\n')
  expect(heard.bytes).toBeGreaterThan(LARGE.length)
})

test('a client that says no more once it is answered is closed soon', async () => {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello') })
  atTheEnd(() => server.stop(true))
  const door = openDoor(server.port!)
  const { socket, heard, text } = visit(door.port)
  socket.write(REQUEST)
  await until(() => text().endsWith('hello'))
  socket.end()
  await until(() => heard.hasEnded)
  expect(door.told.closed).toEqual(door.told.opened)
})
