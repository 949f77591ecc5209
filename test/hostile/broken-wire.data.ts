/** Something to send that no client sends; `path` is any of ours, and nothing of it carries a key. */
export type WireCase = {
  what: string
  text(path: string): string
  /** One more would be the answer to what was smuggled in. */
  answersMax: number
}

const HOST = 'Host: localhost\r\n'
const cases = (family: string, texts: WireCase['text'][], answersMax = 2): WireCase[] =>
  texts.map((text, i) => ({ what: `${family}, ${i + 1}`, text, answersMax }))
const post = (headers: string, body: string) => (path: string) =>
  `POST ${path} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`
const get = (headers: string) => (path: string) => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`
const target = (method: string, of: (path: string) => string) => (path: string) =>
  `${method} ${of(path)} HTTP/1.1\r\n${HOST}\r\n`
/** Taken for a request, it would be answered: one answer too many. */
const SMUGGLED = `GET /nobody HTTP/1.1\r\n${HOST}\r\n`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const chunks = (body: string) => post(CHUNKED, body)

/** In families: bytes that HTTP forbids, or that two servers could read in two ways. */
export const WIRE_CASES: WireCase[] = [
  ...cases('a wrong length', [
    post('Content-Length: 5\r\n', '{}'),
    post('Content-Length: 1\r\n', '{}'),
    post('Content-Length: 0\r\n', SMUGGLED),
    post('Content-Length: \r\n', '{}'),
    post('Content-Length: -1\r\n', '{}'),
    post('Content-Length: +2\r\n', '{}'),
    post('Content-Length: 0x2\r\n', '{}'),
    post('Content-Length: 2.0\r\n', '{}'),
    post('Content-Length: 2e0\r\n', '{}'),
    post('Content-Length: 18446744073709551618\r\n', '{}'),
    post('Content-Length: 99999999999\r\n', '{}'),
    post(`Content-Length: ${'0'.repeat(100)}2\r\n`, '{}'),
    post('', '{}'),
  ]),
  ...cases(
    'two lengths',
    [
      post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'),
      post('Content-Length: 2\r\nContent-Length: 40\r\n', `{}${SMUGGLED}`),
      post('Content-Length: 2, 2\r\n', '{}'),
      post('Content-Length: 2, 40\r\n', `{}${SMUGGLED}`),
    ],
    1,
  ),
  ...cases(
    'a length and chunks',
    [
      post(`Content-Length: 5\r\n${CHUNKED}`, `0\r\n\r\n${SMUGGLED}`),
      post(`${CHUNKED}Content-Length: 60\r\n`, `0\r\n\r\n${SMUGGLED}`),
      post('Content-Length: 4\r\nTransfer-Encoding: identity\r\n', `{}  ${SMUGGLED}`),
    ],
    1,
  ),
  ...cases(
    'a transfer coding',
    [
      post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'),
      post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'),
      post('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'),
      post('Transfer-Encoding : chunked\r\n', '0\r\n\r\n'),
      post('Transfer-Encoding:\x0bchunked\r\n', '0\r\n\r\n'),
      post('Transfer-Encoding:\r\n chunked\r\n', '0\r\n\r\n'),
      post(`${CHUNKED}${CHUNKED}`, '0\r\n\r\n'),
      (path) => `POST ${path} HTTP/1.0\r\n${HOST}${CHUNKED}\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    1,
  ),
  ...cases(
    'a chunk',
    [
      chunks('zz\r\n{}\r\n0\r\n\r\n'),
      chunks('-2\r\n{}\r\n0\r\n\r\n'),
      chunks('0x2\r\n{}\r\n0\r\n\r\n'),
      chunks('2 \r\n{}\r\n0\r\n\r\n'),
      chunks('ffffffffffffffff2\r\n{}\r\n0\r\n\r\n'),
      chunks('100000000\r\n{}'),
      chunks('2\r\n{}0\r\n\r\n'),
      chunks('2\n{}\n0\n\n'),
      chunks('2\r\n{}\r\n'),
      chunks('\r\n0\r\n\r\n'),
      chunks(`2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
      chunks(`0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
      chunks('0\r\n: no name\r\n\r\n'),
      chunks(`1\r\n0\r\n\r\n${SMUGGLED}`),
    ],
    1,
  ),
  // Allowed, but Bun takes a trailer for the next request, which it refuses.
  ...cases('a trailer', [
    chunks('2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n'),
    chunks(`0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    chunks('0\r\n: no name\r\n\r\n'),
  ]),
  ...cases('a header line', [
    get('X-A: a\r\n folded\r\n'),
    get('X-A : b\r\n'),
    get('X A: b\r\n'),
    get(': b\r\n'),
    get('no colon\r\n'),
    get('X-\xe9: a\r\n'),
    get('X-A: a\0b\r\n'),
    get('X-A: a\x01b\r\n'),
    get('X-A: a\rb\r\n'),
    get('X-A: a\nX-B: b\r\n'),
    get('\x00: a\r\n'),
    get(`${'X'.repeat(20_000)}: a\r\n`),
    get(`X-A: ${'a'.repeat(20_000)}\r\n`),
    get(Array.from({ length: 300 }, (_, i) => `X-${i}: a\r\n`).join('')),
    get(Array.from({ length: 5_000 }, () => 'A:\r\n').join('')),
  ]),
  ...cases('a Host', [
    (path) => `GET ${path} HTTP/1.1\r\n\r\n`,
    (path) => `GET ${path} HTTP/1.1\r\nHost:\r\n\r\n`,
    (path) => `GET ${path} HTTP/1.1\r\nHost: a b\r\n\r\n`,
    (path) => `GET ${path} HTTP/1.1\r\nHost: a/b\r\n\r\n`,
    (path) => `GET ${path} HTTP/1.1\r\nHost: a@b\r\n\r\n`,
    (path) => `GET ${path} HTTP/1.1\r\nHost: \xe4\r\n\r\n`,
    get('Host: evil.test\r\n'),
  ]),
  ...cases('a line end', [
    (path) => `GET ${path} HTTP/1.1\nHost: localhost\n\n`,
    (path) => `GET ${path} HTTP/1.1\rHost: localhost\r\r`,
    (path) => `\r\n\r\nGET ${path} HTTP/1.1\r\n${HOST}\r\n`,
    (path) => ` GET ${path} HTTP/1.1\r\n${HOST}\r\n`,
    (path) => `GET ${path} HTTP/1.1\r\n${HOST}`,
    (path) => `GET ${path} HTTP/1.1\r\n${HOST}\r`,
  ]),
  ...cases('a target', [
    target('GET', (path) => `http://evil.test${path}`),
    target('GET', (path) => `https://user:pw@evil.test:99999${path}`),
    target('GET', () => 'localhost:80'),
    target('GET', () => '*'),
    target('OPTIONS', () => '*'),
    target('CONNECT', () => 'localhost:443'),
    target('CONNECT', (path) => path),
    target('TRACE', (path) => path),
    target('GET', (path) => path.slice(1)),
    target('GET', (path) => `${path} x`),
    target('GET', (path) => `${path}\x01`),
    target('GET', (path) => `${path}\0`),
    target('GET', (path) => `${path}\xff`),
    target('GET', (path) => `${path}#fragment`),
    target('GET', (path) => `${path}?${'a'.repeat(20_000)}`),
    target('GET', () => ''),
  ]),
  ...cases('a version', [
    (path) => `GET ${path}\r\n\r\n`,
    (path) => `GET ${path}`,
    (path) => `GET ${path} HTTP/0.9\r\n${HOST}\r\n`,
    (path) => `GET ${path} HTTP/1.2\r\n${HOST}\r\n`,
    (path) => `GET ${path} HTTP/2\r\n${HOST}\r\n`,
    (path) => `GET ${path} http/1.1\r\n${HOST}\r\n`,
    (path) => `GET ${path} HTTP/1.1x\r\n${HOST}\r\n`,
    (path) => `GET ${path} HTP/1.1\r\n${HOST}\r\n`,
  ]),
  ...cases('another protocol', [
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'.padEnd(517, '\x5a'),
    () => '\x80\x2e\x01\x00\x02',
    () => 'SSH-2.0-OpenSSH_9.7\r\n',
    () => 'PROXY TCP4 203.0.113.7 127.0.0.1 1 2\r\nGET / HTTP/1.1\r\n\r\n',
    () => '*1\r\n$4\r\nPING\r\n',
    () => '\0'.repeat(1_000),
    () => '\xff'.repeat(9_000),
    () => 'A'.repeat(40_000),
  ]),
  ...cases('a method', [
    target('FOO', (path) => path),
    target('get', (path) => path),
    target('G@T', (path) => path),
    target('GET\x01', (path) => path),
    target('A'.repeat(5_000), (path) => path),
    target('', (path) => path),
  ]),
  ...cases('an expectation', [
    post('Expect: 100-continue\r\nContent-Length: 2\r\n', '{}'),
    post('Expect: 200-ok\r\nContent-Length: 2\r\n', '{}'),
    post('Expect: 100-continue\r\n', ''),
    get('Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
    get(
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    ),
  ]),
]
