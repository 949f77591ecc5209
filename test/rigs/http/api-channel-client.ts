import { once } from 'node:events'
import { connect } from 'node:net'
import type { ApiChannel } from '../../../src/http/api-server/api-channel.ts'

export type ApiCall = {
  method?: string
  target: string
  peer?: string
  headers?: Record<string, string>
  onSent?(): void
}

/** Requests something from the API server behind a channel, as the redirect server would for the client `peer`. */
export async function callApi(
  channel: ApiChannel,
  { method = 'GET', target, peer = '127.0.0.1', headers = {}, onSent }: ApiCall,
): Promise<Response> {
  const socket = connect({ port: await channel.port, host: '127.0.0.1' })
  await once(socket, 'connect')
  const localPort = socket.localPort!
  channel.peers.set(localPort, peer)
  const fields = Object.entries({ Host: 'localhost', ...headers, Connection: 'close' })
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')))
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  onSent?.()
  await once(socket, 'close')
  channel.peers.delete(localPort)
  return parseResponse(text)
}

function parseResponse(text: string): Response {
  const headEnd = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colonAt = line.indexOf(':')
    return [line.slice(0, colonAt), line.slice(colonAt + 1).trim()]
  })
  const withoutTime = headers.filter(([name]) => name.toLowerCase() !== 'date')
  return new Response(Buffer.from(text.slice(headEnd + 4), 'latin1'), {
    status: Number(statusLine.split(' ')[1]),
    headers: withoutTime,
  })
}
