import { describe, expect, test } from 'bun:test'
import type { RawAnswer } from '../rigs/http/raw-http.ts'
import { type SentRequest, problemOf } from './check-response.ts'

const KEY = 'tern_this_is_the_key'
const ID = '0196a1b2-7c3d-7e4f-8a9b-0c1d2e3f4a5b'
const SAFE = `X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'\r\nX-Request-Id: ${ID}\r\n`
const JSON_TYPE = 'Content-Type: application/json; charset=utf-8\r\n'
const ENVELOPE = { success: true, message: 'Links retrieved.', data: [] }
const REFUSAL = { success: false, code: 'bad_body', message: 'The body is empty.', errors: {} }

const asked: SentRequest = { method: 'GET', path: '/api/links', isBroken: false, answersMax: 1, key: KEY }

describe('the response check accepts', () => {
  test('the envelope, a refusal, a redirect, a page, and HEAD with a length but no content', () => {
    expect(check(json(200, ENVELOPE))).toBeUndefined()
    expect(check(json(400, REFUSAL))).toBeUndefined()
    expect(check(json(422, { ...REFUSAL, errors: { title: ['The title is too long.'] } }))).toBeUndefined()
    const redirect = `HTTP/1.1 302 Found\r\nLocation: https://a.example/\r\n${SAFE}\r\n`
    expect(check(redirect, { path: '/hello' })).toBeUndefined()
    const page = http(404, '<!doctype html>', `${SAFE}Content-Type: text/html\r\n`)
    for (const path of ['/no/thing', '/api/../no/thing']) expect(check(page, { path })).toBeUndefined()
    expect(
      check(`HTTP/1.1 200 OK\r\n${SAFE}${JSON_TYPE}Content-Length: 99\r\n\r\n`, { method: 'HEAD' }),
    ).toBeUndefined()
  })

  test('an interim response before the final one', () => {
    expect(check(`HTTP/1.1 100 Continue\r\n\r\n${json(200, ENVELOPE)}`)).toBeUndefined()
  })

  test('for invalid HTTP a closed connection, or the parser’s response', () => {
    const broken = { isBroken: true, isClosed: true }
    expect(check('', broken)).toBeUndefined()
    for (const status of [400, 413, 431, 501, 505])
      expect(check(`HTTP/1.1 ${status} X\r\nConnection: close\r\n\r\n`, broken)).toBeUndefined()
    // The answer was out before the body was read to where it is broken.
    expect(check(`${json(405, REFUSAL)}HTTP/1.1 400 X\r\n\r\n`, broken)).toBeUndefined()
  })
})

describe('the response check notices', () => {
  const refusalWith = (errors: unknown) => json(422, { ...REFUSAL, errors })
  const cases: [what: string, fault: string, text: string, others?: Partial<SentRequest & RawAnswer>][] = [
    ['a hang', 'no answer', '', { hasHung: true }],
    ['a 500', 'status 500', json(500, REFUSAL)],
    ['a 503', 'status 503', json(503, REFUSAL)],
    ['a 500 for what is no HTTP', 'status 500', 'HTTP/1.1 500 X\r\n\r\n', { isBroken: true }],
    [
      'a 500 behind a good answer',
      'status 500',
      json(400, REFUSAL) + json(500, REFUSAL),
      { isBroken: true, answersMax: 2 },
    ],
    ['an answer of the parser to good HTTP', 'headers are missing', 'HTTP/1.1 400 X\r\n\r\n'],
    ['a connection closed unanswered', 'closed without an answer', '', { isClosed: true }],
    [
      'an answer to something smuggled',
      '2 answers',
      json(400, REFUSAL) + json(200, ENVELOPE),
      { isBroken: true },
    ],
    ['an answer too many', '2 answers', json(200, ENVELOPE).repeat(2)],
    ['half an answer', 'something that is no HTTP', json(200, ENVELOPE).slice(0, -1), { isClosed: true }],
    ['something behind an answer', 'something that is no HTTP', `${json(200, ENVELOPE)}x`],
    ['the key', 'the key came back', json(400, { ...REFUSAL, message: KEY })],
    ['an answer without safe headers', 'headers are missing', http(200, '{}', JSON_TYPE)],
    ['an answer without request id', 'no request id', json(200, ENVELOPE).replace(/X-Request-Id.*\r\n/, '')],
    [
      'a page from the API',
      'an answer of the API of the type text/html',
      http(404, 'x', `${SAFE}Content-Type: text/html\r\n`),
    ],
    ['broken JSON', 'JSON that is none', http(200, '{"success":')],
    ['JSON that is no UTF-8', 'JSON that is none', http(200, '"\xff"')],
    ['a bare list', 'JSON that is none', http(200, 'null')],
    ['a body outside the envelope', 'not the envelope: links', json(200, { links: [] })],
    ['a refusal outside the envelope', 'not the envelope: error', json(400, { error: 'no' })],
    [
      'a refusal that says it is a success',
      'not the envelope: success,code,message,errors',
      json(400, { ...REFUSAL, success: true }),
    ],
    ['422 without a field', '0 fields at fault', refusalWith({})],
    ['400 with a field', '1 fields at fault', json(400, { ...REFUSAL, errors: { a: ['b'] } })],
    ['errors that are a text', 'errors that are no lists of texts', refusalWith({ title: 'Too long.' })],
    ['a stack', 'something of the inside', json(400, { ...REFUSAL, message: 'at createLink (/x/a' })],
    ['a statement', 'something of the inside', json(400, { ...REFUSAL, message: 'SQLITE_CONSTRAINT' })],
    ['a redirect to nowhere', 'a bad redirect', `HTTP/1.1 302 Found\r\n${SAFE}\r\n`, { path: '/hello' }],
  ]

  test.each(cases)('%s', (...[, fault, text, others]) => {
    expect(check(text, others)).toBe(fault)
  })
})

test('a body in chunks has an end', () => {
  const head = `HTTP/1.1 200 OK\r\n${SAFE}Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunked = (body: string) => check(head + body, { path: '/api/export/links' })
  expect(chunked('5\r\nid,a\n\r\n0\r\n\r\n')).toBeUndefined()
  for (const body of ['5\r\nid,a\n\r\n', '5\r\nid,a\n\r\n0\r\n\r\nmore', '9\r\nid,a\n\r\n0\r\n\r\n'])
    expect(chunked(body)).toBe('something that is no HTTP')
})

const http = (status: number, body: string, headers = SAFE + JSON_TYPE) =>
  `HTTP/1.1 ${status} X\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
const json = (status: number, body: unknown) => http(status, JSON.stringify(body))

function check(text: string, others: Partial<SentRequest & RawAnswer> = {}): string | undefined {
  const answer: RawAnswer = {
    status: 0,
    headers: {},
    body: '',
    text,
    answers: 1,
    isClosed: false,
    hasHung: false,
  }
  return problemOf({ ...asked, ...others }, { ...answer, ...others })
}
