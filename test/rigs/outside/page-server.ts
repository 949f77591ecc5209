import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands for a public address in tests; the network of the server, which must not be reached, is 127.0.0.1. */
export const PUBLIC_IP = '127.0.0.2'
export const PRIVATE_IP = '127.0.0.1'

/** For a whole service that may look at its pages. */
export const REACHES_PAGES = [
  { FETCH_DESTINATIONS: '1', ALLOW_PRIVATE_DESTINATIONS: '1' },
  { reachableIps: [PUBLIC_IP], reachesAnyPort: true },
] as const

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Somebody else's web server. */
export type PageServer = {
  port: number
  /** The URL of a path on it. */
  url(path: string): string
  /** What a path answers with: HTML, or whatever the function writes. */
  serve(path: string, answer: string | Answer): string
  /** The requests that came, first to last. */
  requests: IncomingMessage[]
  stop(): Promise<void>
}

export async function startPageServer(ip = PUBLIC_IP): Promise<PageServer> {
  const answers = new Map<string, Answer>()
  const requests: IncomingMessage[] = []
  const server: Server = createServer((request, response) => {
    requests.push(request)
    const answer = answers.get(request.url ?? '')
    if (answer !== undefined) return answer(request, response)
    response.writeHead(404, { 'Content-Type': 'text/html' }).end('<title>Not here</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, ip, () => resolve()))
  const { port } = server.address() as AddressInfo
  const url = (path: string) => `http://${ip}:${port}${path}`
  return {
    port,
    url,
    serve(path, answer) {
      answers.set(path, typeof answer === 'string' ? htmlAnswer(answer) : answer)
      return url(path)
    },
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const htmlAnswer =
  (html: string): Answer =>
  (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)

export const redirectTo =
  (location: string): Answer =>
  (_, response) =>
    response.writeHead(302, { Location: location }).end()

export const bytesAnswer =
  (bytes: Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(200, headers).end(bytes)
