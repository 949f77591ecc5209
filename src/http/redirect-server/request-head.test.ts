import { describe, expect, test } from 'bun:test'
import { completesLine, isBeginningOfHead, readRequestHead } from './request-head.ts'

const PLAIN =
  'GET /hello?a=b HTTP/1.1\r\nHost: s.example.com\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n\r\n'

const read = (text: string) => readRequestHead(Buffer.from(text, 'latin1'))
/** The plain head with another line. */
const withLine = (line: string) => read(PLAIN.replace('Accept:', `${line}\r\nAccept:`))

describe('a plain head', () => {
  test('is read', () => {
    const head = read(PLAIN)!
    expect(head).toMatchObject({ method: 'GET', path: '/hello?a=b', host: 's.example.com', closes: false })
    expect((['user-agent', 'accept', 'referer'] as const).map(head.header)).toEqual([
      'curl/8.5.0',
      '*/*',
      null,
    ])
  })

  test('has names in any case, trimmed values, and repeated fields joined', () => {
    const head = read(
      'HEAD /x HTTP/1.1\r\nhOST:a\r\nDNT: 0 \r\nSEC-gpc:1\r\nX-Forwarded-For: 1.1.1.1\r\nx-forwarded-for: 2.2.2.2\r\n\r\n',
    )!
    expect([head.method, head.host]).toEqual(['HEAD', 'a'])
    expect((['dnt', 'sec-gpc', 'x-forwarded-for'] as const).map(head.header)).toEqual([
      '0',
      '1',
      '1.1.1.1, 2.2.2.2',
    ])
  })

  test('of a browser, with names that resemble those of parsed fields, is read', () => {
    const head = withLine(
      'Accept-Language: de\r\nAccept-Encoding: br\r\nUpgrade-Insecure-Requests: 1\r\nSec-Fetch-Site: none\r\nReferer: https://a.example/',
    )!
    expect([head.header('referer'), head.header('accept')]).toEqual(['https://a.example/', '*/*'])
  })

  test('says when the connection ends with it', () => {
    expect(withLine('Connection: close')?.closes).toBe(true)
    expect(withLine('Connection: Keep-Alive')?.closes).toBe(false)
    expect(read(PLAIN.replace('1.1', '1.0'))?.closes).toBe(true)
  })

  test('ends at its empty line, whatever follows', () => {
    for (const behind of ['', PLAIN, 'x', '\r\n', '\0', PLAIN.repeat(1_000)])
      expect(read(PLAIN + behind)).toMatchObject({ path: '/hello?a=b', length: PLAIN.length })
    expect(withLine('')?.length).toBe(PLAIN.indexOf('Accept:') + 2)
  })

  test('may have 8,192 bytes, whatever follows', () => {
    const longest = PLAIN.replace('Accept', `X: ${'x'.repeat(8_192 - PLAIN.length - 5)}\r\nAccept`)
    expect([read(longest)?.length, read(longest + PLAIN)?.length]).toEqual([8_192, 8_192])
    expect(read(longest.replace('xx', 'xxx') + PLAIN)).toBeUndefined()
  })

  test('with a repeated Host has one that is not valid', () => {
    expect(withLine('Host: evil.example')?.host).toBe('s.example.com, evil.example')
  })
})

describe('left to the API server is', () => {
  test.each([
    'Content-Length: 0',
    'content-length: 5',
    'Transfer-Encoding: chunked',
    'Expect: 100-continue',
    'Upgrade: websocket',
    'TE: trailers',
    'Trailer: x',
    'Connection: upgrade',
    'Connection: keep-alive, x',
    'Name : space before the colon',
    ' folded: line',
    '\tfolded: line',
    'no colon',
    ': no name',
    'X: bare\rreturn',
    'X: bare\nfeed',
    'X: nul\0',
    'X: escape\x1b',
    'X: tab\tinside',
    'X: not ASCII \xe9',
    'Näme: x',
  ])('a head with the line %j', (line) => {
    expect(withLine(line)).toBeUndefined()
  })

  test.each([
    'GET /x HTTP/1.1',
    'POST /x HTTP/1.1',
    'get /x HTTP/1.1',
    'GET  /x HTTP/1.1',
    'GET /x  HTTP/1.1',
    'GET /x y HTTP/1.1',
    'GET x HTTP/1.1',
    'GET * HTTP/1.1',
    'GET http://s.example.com/x HTTP/1.1',
    'GET /x HTTP/1.2',
    'GET /x HTTP/2.0',
    'GET /x http/1.1',
    'GET /x',
    ' GET /x HTTP/1.1',
    'GET /\xe9 HTTP/1.1',
  ])('a request that begins %j, but for the first', (line) => {
    const head = read(`${line}\r\nHost: a\r\n\r\n`)
    expect(head === undefined).toBe(line !== 'GET /x HTTP/1.1')
  })

  test('one without a Host, without an end, or with a long head', () => {
    expect(read('GET /x HTTP/1.1\r\nAccept: */*\r\n\r\n')).toBeUndefined()
    expect(read('GET /x HTTP/1.1\r\n\r\n')).toBeUndefined()
    expect(withLine(`X: ${'x'.repeat(8_192)}`)).toBeUndefined()
    expect(withLine(Array(98).fill('X: x').join('\r\n'))).toBeUndefined()
  })

  test('every incomplete head', () => {
    for (let end = 0; end < PLAIN.length; end++) expect(read(PLAIN.slice(0, end))).toBeUndefined()
  })

  test('a head in which any byte is a control byte', () => {
    for (let at = 0; at < PLAIN.length; at++) {
      for (const byte of ['\0', '\x07', '\n', '\r', '\x7f', '\xff']) {
        const changed = PLAIN.slice(0, at) + byte + PLAIN.slice(at + 1)
        if (changed !== PLAIN) expect([at, byte, read(changed)]).toEqual([at, byte, undefined])
      }
    }
  })
})

describe('the beginning of a head', () => {
  const begins = (text: string) => isBeginningOfHead(Buffer.from(text, 'latin1'))

  test('is one up to its last byte', () => {
    for (const head of [PLAIN, PLAIN.replace('GET', 'PROPFIND')]) {
      for (let end = 1; end < head.length; end++)
        expect([end, begins(head.slice(0, end))]).toEqual([end, true])
      expect(begins(head)).toBe(false)
    }
  })

  test('is none once it contains what must be refused', () => {
    const line = 'GET /x HTTP/1.1\r\n'
    for (const text of [
      '',
      ' ',
      'get /',
      '\r\n',
      '\x16\x03\x01',
      'GET /x\r\n',
      'GET /x\n',
      'GET /x HTTP/1.1\n',
      'GET /x HTTP/1.1 ',
      'GET /\xe9',
      'X'.repeat(17),
      `${line} folded`,
      `${line}X: bare\nfeed`,
      `${line}X: bare\rreturn`,
      `${line}X: nul\0`,
      `${line}\r\nGET`,
    ])
      expect([text, begins(text)]).toEqual([text, false])
  })

  test('has a length limit', () => {
    expect(begins(`GET /${'x'.repeat(8_186)}`)).toBe(true)
    expect(begins(`GET /${'x'.repeat(8_187)}`)).toBe(false)
  })

  test('is parsed again for pieces that can make a difference, and when it has become too long', () => {
    const makes = (piece: string, length = 100) => completesLine(Buffer.from(piece, 'latin1'), length)
    for (const piece of ['a', ' ', 'X-A: b', 'x'.repeat(500)])
      expect([piece, makes(piece)]).toEqual([piece, false])
    for (const piece of ['\n', '\r', 'a\r\n', '\0', 'a\x7f', '\xe9'])
      expect([piece, makes(piece)]).toEqual([piece, true])
    expect([makes('a', 8_191), makes('a', 8_192)]).toEqual([false, true])
  })
})
