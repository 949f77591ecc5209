import { connect, createServer, type Socket } from 'node:net'
import { PendingRequests } from '../../../src/http/api-proxy/pending-requests.ts'
import { ProxiedConnection } from '../../../src/http/api-proxy/proxied-connection.ts'
import { until } from '../eventually.ts'
import { newSharedMetrics, openMetrics } from '../../../src/metrics/metrics.ts'

const endings: (() => unknown)[] = []

/** Registers something to close at the end. */
export const atTheEnd = (end: () => unknown): void => void endings.push(end)

/** For `afterEach`. The last opened is closed first. */
export async function endAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end()
}

/** Proxies every connection, and collects the events. */
export function openProxy(innerPort: number, idleSeconds = 60) {
  const events = { opened: [] as number[], closed: [] as number[], answers: 0, failed: [] as unknown[] }
  const upstream = {
    port: innerPort,
    idleSeconds,
    pending: new PendingRequests(openMetrics(newSharedMetrics())),
    unavailable: (sentence: string) => `HTTP/1.1 503 ${sentence}\r\nContent-Length: 0\r\n\r\n`,
    opened: (port: number) => void events.opened.push(port),
    closed: (port: number) => void events.closed.push(port),
    answered: () => void events.answers++,
    dropped: () => {},
    failed: (error: unknown) => void events.failed.push(error),
  }
  const listener = Bun.listen<{ proxied?: ProxiedConnection }>({
    hostname: '127.0.0.1',
    port: 0,
    allowHalfOpen: true,
    socket: {
      open: (client) => void (client.data = {}),
      data(client, bytes) {
        const { proxied: handOver } = client.data
        if (handOver !== undefined) return handOver.fromClient(bytes)
        const next = (unread: Buffer | undefined) => unread && client.data.proxied!.fromClient(unread)
        client.data.proxied = new ProxiedConnection(client, { ...upstream, next }, Buffer.from(bytes))
      },
      drain: (client) => client.data.proxied?.clientDrained(),
      end: (client) => client.data.proxied?.clientEnded(),
      close: (client) => client.data.proxied?.clientClosed(),
      timeout: (client) => client.terminate(),
    },
  })
  atTheEnd(() => listener.stop(true))
  return { port: listener.port, events }
}

/** A server of bare sockets behind the proxy. */
export async function openInner(greet: (socket: Socket) => void) {
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    greet(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as { port: number }).port, open }
}

export const openEcho = () => openInner((socket) => socket.on('data', (bytes) => void socket.write(bytes)))

/** A client that collects what it receives. */
export function visit(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  const received = { pieces: [] as Buffer[], bytes: 0, hasEnded: false, isClosed: false }
  socket.on('data', (bytes: Buffer) => {
    received.pieces.push(bytes)
    received.bytes += bytes.length
  })
  socket.on('error', () => {})
  socket.on('end', () => (received.hasEnded = true))
  socket.on('close', () => (received.hasEnded = received.isClosed = true))
  atTheEnd(() => socket.destroy())
  return { socket, received, text: () => Buffer.concat(received.pieces).toString('latin1') }
}

/** Waits until a number has not changed for half a second. */
export async function settled(count: () => number): Promise<number> {
  const CALM_MS = 500
  let [last, sinceMs] = [Number.NaN, 0]
  await until(() => {
    if (count() !== last) [last, sinceMs] = [count(), performance.now()]
    return performance.now() - sinceMs >= CALM_MS
  })
  return last
}
