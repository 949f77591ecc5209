import { expect } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { HandOver } from '../../src/http/hand-over.ts'
import { eventually } from './service-rig.ts'

const endings: (() => unknown)[] = []

/** Something to be closed with all the rest. */
export const atTheEnd = (end: () => unknown): void => void endings.push(end)

/** For `afterEach`: closes what was opened last first. */
export async function endAll(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end()
}

/** Hands every connection over with its first bytes, and keeps what it is told of them. */
export function openDoor(innerPort: number, idleSeconds = 60) {
  const told = { opened: [] as number[], closed: [] as number[], answers: 0, failed: [] as unknown[] }
  const target = {
    port: innerPort,
    idleSeconds,
    opened: (port: number) => void told.opened.push(port),
    closed: (port: number) => void told.closed.push(port),
    answered: () => void told.answers++,
    failed: (error: unknown) => void told.failed.push(error),
  }
  const listener = Bun.listen<{ handOver?: HandOver }>({
    hostname: '127.0.0.1',
    port: 0,
    allowHalfOpen: true,
    socket: {
      open: (client) => void (client.data = {}),
      data(client, bytes) {
        const { handOver } = client.data
        if (handOver === undefined) client.data.handOver = new HandOver(client, target, Buffer.from(bytes))
        else handOver.fromClient(bytes)
      },
      drain: (client) => client.data.handOver?.clientDrained(),
      end: (client) => client.data.handOver?.clientEnded(),
      close: (client) => client.data.handOver?.clientClosed(),
      timeout: (client) => client.terminate(),
    },
  })
  atTheEnd(() => listener.stop(true))
  return { port: listener.port, told }
}

/** A server of bare sockets behind the door. */
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

/** A visitor that keeps what it hears. */
export function visit(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
  const heard = { pieces: [] as Buffer[], bytes: 0, hasEnded: false, isClosed: false }
  socket.on('data', (bytes: Buffer) => {
    heard.pieces.push(bytes)
    heard.bytes += bytes.length
  })
  socket.on('error', () => {})
  socket.on('end', () => (heard.hasEnded = true))
  socket.on('close', () => (heard.hasEnded = heard.isClosed = true))
  atTheEnd(() => socket.destroy())
  return { socket, heard, text: () => Buffer.concat(heard.pieces).toString('latin1') }
}

export const until = async (isSo: () => boolean) =>
  expect(await eventually(async () => isSo(), Boolean)).toBe(true)

/** Waits until a number has stopped growing. */
export async function settled(count: () => number): Promise<number> {
  const CALM_TURNS = 20
  let [last, calm] = [-1, 0]
  await until(() => {
    calm = count() === last ? calm + 1 : 0
    last = count()
    return calm === CALM_TURNS
  })
  return last
}
