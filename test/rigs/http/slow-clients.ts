import { type RawAnswer, sendRaw } from './raw-http.ts'

/** Clients that take a second for every few bytes of a request, by the part that they send slowly. */
export function startSlowClients(url: string, key: string): Map<string, Promise<RawAnswer>> {
  const host = 'Host: localhost\r\n'
  const post = `POST /api/links HTTP/1.1\r\n${host}X-API-Key: ${key}\r\nContent-Type: application/json\r\n`
  const cases: [name: string, first: string, text: string][] = [
    ['headers, a line a second', `GET /hello HTTP/1.1\r\n${host}`, 'X-A: b\r\n'],
    ['one header, a letter a second', `GET /hello HTTP/1.1\r\n${host}X-A: `, 'a'],
    ['the request line, a letter a second', 'GET /hel', 'l'],
    ['a body, a byte a second', `${post}Content-Length: 1000\r\n\r\n{`, ' '],
    ['chunks, a byte a second', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, '1\r\n \r\n'],
    ['a body that is too large, a byte a second', `${post}Content-Length: 2000000\r\n\r\n{`, ' '],
    ['nothing at all', '', ''],
  ]
  return new Map(
    cases.map(([name, first, text]) => [name, sendRaw(url, first, { trickle: { text, everyMs: 1_000 } })]),
  )
}
