import { afterEach, expect, test } from 'bun:test'
import { atTheEnd, endAll, openProxy, openInner } from '../../../test/rigs/http/api-proxy-rig.ts'
import { until } from '../../../test/rigs/eventually.ts'
import { connectTo } from '../../../test/rigs/http/redirect-server-rig.ts'
import { LingeringClose } from './lingering-close.ts'

afterEach(endAll)

const MIB = 1024 * 1024
const BYTES_MAX = 16 * MIB
const LENGTH = 64 * MIB
const ANSWER = 'HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nno!'

test('a client that keeps sending after its response sees our end closed, and is not reset', async () => {
  const { socket, received } = await openRefusing()
  await until(() => received.hasEnded)
  for (let i = 0; i < 8; i++) {
    socket.write(Buffer.alloc(MIB))
    await until(() => socket.writableLength === 0)
  }
  socket.end()
  await until(() => socket.closed)
  expect([received.text, received.wasReset]).toEqual([ANSWER, false])
})

test('a client that sends more than the limit is disconnected', async () => {
  const { socket } = await openRefusing()
  let written = 0
  const sending = setInterval(() => {
    if (socket.writableLength === 0 && !socket.destroyed)
      socket.write(Buffer.alloc(MIB), () => (written += MIB))
  }, 1)
  atTheEnd(() => clearInterval(sending))
  await until(() => socket.closed)
  expect(written).toBeGreaterThanOrEqual(BYTES_MAX - MIB)
  expect(written).toBeLessThan(LENGTH)
})

test('a client that neither sends nor closes is disconnected after a while', async () => {
  const listener = Bun.listen<{ lingering?: LingeringClose }>({
    hostname: '127.0.0.1',
    port: 0,
    allowHalfOpen: true,
    socket: {
      open: (socket) => void (socket.data = {}),
      data(socket) {
        socket.write(ANSWER)
        socket.data.lingering = new LingeringClose(socket, 1)
      },
      end: (socket) => socket.data.lingering?.clientEnded(),
      timeout: (socket) => socket.terminate(),
    },
  })
  atTheEnd(() => listener.stop(true))
  const { socket, received } = connectTo(listener.port)
  socket.write('hello')
  await until(() => received.hasEnded)
  expect([received.text, socket.closed]).toEqual([ANSWER, false])
  await until(() => socket.closed)
})

/** A server that responds to the head of a request, and closes. */
async function openRefusing() {
  const { port } = await openInner((socket) => socket.once('data', () => socket.end(ANSWER)))
  const client = connectTo(openProxy(port).port)
  client.socket.write(`POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${LENGTH}\r\n\r\n`)
  await until(() => client.received.text === ANSWER)
  return client
}
