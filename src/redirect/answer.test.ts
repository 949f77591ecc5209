import { expect, test } from 'bun:test'
import { asResponse, asText } from './answer.ts'
import { methodNotAllowed, redirectTo, unknownLink } from './notices.ts'

const DATE = 'Sat, 21 Nov 2026 09:30:00 GMT'
const FORM = { date: DATE, closes: false, isHead: false }
const REDIRECT = [
  'HTTP/1.1 302 Found',
  'Location: https://example.com/a?b#c',
  'Cache-Control: private, no-store',
  'X-Robots-Tag: noindex',
  'X-Content-Type-Options: nosniff',
  "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
  `Date: ${DATE}`,
  'Content-Length: 0',
]

const page = () => unknownLink({ method: 'GET', header: () => 'text/html', code: 'hello', ip: '' })

test('a redirect goes out as these bytes', () => {
  expect(asText(redirectTo('https://example.com/a?b#c'), FORM)).toBe([...REDIRECT, '', ''].join('\r\n'))
})

test('the last answer on a connection says so', () => {
  const text = asText(redirectTo('https://example.com/a?b#c'), { ...FORM, closes: true })
  expect(text).toBe([...REDIRECT, 'Connection: close', '', ''].join('\r\n'))
})

test('a redirect knows nothing of the one before it', () => {
  const texts = ['https://one.example/', 'https://two.example/'].map((href) => asText(redirectTo(href), FORM))
  expect(texts.map((text) => /Location: (.*)\r/.exec(text)![1])).toEqual([
    'https://one.example/',
    'https://two.example/',
  ])
})

test('the length is counted in bytes, and HEAD has it without the content', () => {
  const answer = { ...page(), body: 'Ärger' }
  expect(asText(answer, FORM)).toEndWith('Content-Length: 6\r\n\r\nÄrger')
  expect(asText(answer, { ...FORM, isHead: true })).toEndWith('Content-Length: 6\r\n\r\n')
})

test.each([
  ['a redirect', redirectTo('https://example.com/')],
  ['a page', page()],
  ['the envelope', methodNotAllowed()],
])('%s says the same in both forms', async (_, answer) => {
  const response = asResponse(answer)
  const [head, body] = asText(answer, FORM).split('\r\n\r\n')
  const fields = head!
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(/: (.*)/, 2))
  const said = new Headers(fields as [string, string][])
  said.delete('date')
  said.delete('content-length')
  expect(head).toStartWith(`HTTP/1.1 ${response.status} `)
  expect(Object.fromEntries(said)).toEqual(Object.fromEntries(response.headers))
  expect(body).toBe(await response.text())
})
