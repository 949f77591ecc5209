import { connect, type Socket } from 'node:net'

// A crowd of clients that hold on to the port given, each in one of these ways, for as long as they are let.

const [port, size] = process.argv.slice(2).map(Number) as [number, number]
const EVERY_MS = 2_000

const HEAD = 'GET /crowd HTTP/1.1\r\nHost: localhost\r\n'
const POST = 'POST /api/links HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
/** What is sent first, and what again and again. */
const WAYS: [first: string, again: string][] = [
  ['', ''],
  ['GET /cro', 'w'],
  [HEAD, 'X-A: b\r\n'],
  [`${POST}Content-Length: 1000\r\n\r\n{`, ' '],
  [`${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ['GET /docs HTTP/1.1\r\nHost: localhost\r\n\r\n', ''],
]

let connected = 0

function hold([first, again]: [string, string]): void {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  // Does not read, so it does not notice a close.
  socket.pause().on('error', () => {})
  const drip = setInterval(() => void (again !== '' && socket.write(again)), EVERY_MS)
  socket.on('close', () => clearInterval(drip))
  socket.on('connect', () => {
    socket.write(first)
    if (++connected === size) console.log('connected')
  })
}

for (let i = 0; i < size; i++) hold(WAYS[i % WAYS.length]!)
