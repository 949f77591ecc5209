import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type SourceRequest = { url: URL; headers: IncomingHttpHeaders }
/** Writes the response, or ends the connection. */
export type Respond = (request: SourceRequest, response: ServerResponse) => void

/** A service whose links are imported, on 127.0.0.1. */
export type SourceServer = {
  url: string
  /** First to last. */
  requests: SourceRequest[]
  /** What the next requests get, in this order, before those after them get what the service answers. */
  first(...answers: Respond[]): void
  stop(): Promise<void>
}

export async function startSourceServer(service: Respond): Promise<SourceServer> {
  const requests: SourceRequest[] = []
  const firstAnswers: Respond[] = []
  const server = createServer((message: IncomingMessage, response) => {
    const request = { url: new URL(message.url ?? '/', 'http://source.example'), headers: message.headers }
    requests.push(request)
    const respond = firstAnswers.shift() ?? service
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    first: (...answers) => void firstAnswers.push(...answers),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const json =
  (body: unknown): Respond =>
  (_, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

export const statusOnly =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    response.writeHead(status, headers).end('{}')

export const html: Respond = (_, response) =>
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end('<title>Sign in</title>')

/** The connection ends without an answer. */
export const broken: Respond = (_, response) => void response.destroy()

/** The connection ends in the middle of a page. */
export const cut: Respond = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
  response.write('{"data":[', () => response.destroy())
}
