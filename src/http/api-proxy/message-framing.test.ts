import { describe, expect, test } from 'bun:test'
import { newExchange } from './message-framing.ts'

const BEHIND = 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n'

describe('a request', () => {
  test('with an endless head is read up to a limit', () => {
    const { read, isComplete } = readRequest('GET /'.padEnd(1_000_000, 'x'))
    expect([read <= 40_000, isComplete]).toEqual([true, false])
  })

  const whole: [what: string, request: string, passed?: string][] = [
    ['without a body', 'GET /x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['with a length', post('Content-Length: 5\r\n', 'hello')],
    ['with a length of nothing', post('content-length:0\r\n', '')],
    ['with a length that is said twice', post('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello')],
    ['with another request for a body', post(`Content-Length: ${BEHIND.length}\r\n`, BEHIND)],
    ['in chunks', post('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n00A \r\n0123456789\r\n0\r\n\r\n')],
    ['in chunks with extensions', post('transfer-encoding: Chunked\r\n', '1;a=b\r\nx\r\n0;c\r\n\r\n')],
    ['with another in a chunk', post('Transfer-Encoding: chunked\r\n', `1f\r\n${BEHIND}\r\n0\r\n\r\n`)],
    [
      'with a trailer, which is not passed on',
      post('Transfer-Encoding: chunked\r\n', '1\r\nx\r\n0\r\nA: b\r\nGET /y HTTP/1.1\r\n\r\n'),
      post('Transfer-Encoding: chunked\r\n', '1\r\nx\r\n0\r\n\r\n'),
    ],
  ]

  test.each(whole)('%s ends where it ends, wherever it is cut', (_, request, passed = request) => {
    expect(BEHIND).toHaveLength(0x1f)
    for (let cutAt = 0; cutAt <= request.length; cutAt++) {
      const expected = { isComplete: true, read: request.length, passed }
      expect([cutAt, readRequest(request + BEHIND, cutAt)]).toEqual([cutAt, expected])
    }
  })

  test.each(whole)('%s is not over before its end', (_, request) => {
    for (let end = 0; end < request.length; end++)
      expect([end, readRequest(request.slice(0, end)).isComplete]).toEqual([end, false])
  })

  test.each<[what: string, fields: string]>([
    ['with a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'],
    ['with two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n'],
    ['with a list of lengths', 'Content-Length: 5, 5\r\n'],
    ['with a negative length', 'Content-Length: -5\r\n'],
    ['with a length with a sign', 'Content-Length: +5\r\n'],
    ['with a length in hex', 'Content-Length: 0x5\r\n'],
    ['with an empty length', 'Content-Length:\r\n'],
    ['with an endless length', `Content-Length: ${'9'.repeat(16)}\r\n`],
    ['with a blank behind the name', 'Content-Length : 5\r\n'],
    ['with an unknown coding', 'Transfer-Encoding: gzip\r\n'],
    ['with two codings', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['with chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'],
  ])('%s has nothing passed on behind its head', (_, fields) => {
    const head = post(fields, '')
    for (const behind of [BEHIND, `0\r\n\r\n${BEHIND}`, `hello${BEHIND}`]) {
      const expected = { isComplete: false, read: head.length, passed: head }
      expect(readRequest(head + behind)).toEqual(expected)
    }
  })

  test.each(['zz\r\n', '\r\n', '-1\r\n', '123456789\r\n', '1'.repeat(2_000), '0\r\n\rx'])(
    'with the chunk line %j has nothing passed on behind it',
    (line) => {
      const request = post('Transfer-Encoding: chunked\r\n', line)
      const { isComplete, passed } = readRequest(request + BEHIND)
      expect([isComplete, passed.includes('/next')]).toEqual([false, false])
    },
  )

  test('with a head that arrives byte by byte, or has many spaces, is read fast', () => {
    for (const text of [post('', ''), post(`Content-Length:${' '.repeat(30_000)}5 x\r\n`, '')]) {
      const { request } = newExchange()
      const isRead = [...bytesOf(text)].every((byte) => request.read(Buffer.of(byte)) === 1)
      expect(isRead).toBe(true)
    }
  })
})

/** Whether each of the pieces ends the response. */
function readAnswer(method: string, ...pieces: string[]): boolean[] {
  const { request, response } = newExchange()
  request.read(bytesOf(`${method} /x HTTP/1.1\r\n\r\n`))
  return pieces.map((piece) => {
    response.read(bytesOf(piece))
    return response.isComplete
  })
}

describe('a response', () => {
  test('ends by its length, or by its last chunk', () => {
    expect(readAnswer('GET', ok('Content-Length: 5\r\n', 'he'), 'll', 'o')).toEqual([false, false, true])
    const chunked = ok('Transfer-Encoding: chunked\r\n', '2\r\nhe\r\n')
    expect(readAnswer('GET', chunked, '3\r\nllo\r\n', '0\r\n\r\n')).toEqual([false, false, true])
  })

  test('without a body ends with its head', () => {
    const head = ok('Content-Length: 5\r\n', '')
    expect([readAnswer('HEAD', head), readAnswer('GET', head)]).toEqual([[true], [false]])
    for (const status of [204, 304])
      expect(readAnswer('GET', head.replace('200', `${status}`))).toEqual([true])
  })

  test('that is interim is followed by another', () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
    expect(readAnswer('POST', interim, ok('Content-Length: 0\r\n', ''))).toEqual([false, true])
  })

  test('without a length goes on until the connection ends', () => {
    expect(readAnswer('GET', ok('', ''), 'x', '\r\n\r\n')).toEqual([false, false, false])
  })
})

const post = (fields: string, content: string) => `POST /x HTTP/1.1\r\nHost: a\r\n${fields}\r\n${content}`
const ok = (fields: string, content: string) => `HTTP/1.1 200 OK\r\n${fields}\r\n${content}`
const bytesOf = (text: string) => Buffer.from(text, 'latin1')

/** How much of the text belongs to the request, and what is passed on, if it arrives in two pieces. */
function readRequest(text: string, cutAt = 0) {
  const { request } = newExchange()
  let [read, passed] = [0, '']
  for (const piece of [text.slice(0, cutAt), text.slice(cutAt)])
    read += request.read(bytesOf(piece), (part) => (passed += part.toString('latin1')))
  return { isComplete: request.isComplete, read, passed }
}
