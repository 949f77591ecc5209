import { expect, test } from 'bun:test'
import { methodNotAllowed, unknownLink } from '../../redirect/notices.ts'
import { redirectTo } from '../../redirect/open-link.ts'
import { asResponse } from '../../redirect/visit-response.ts'
import { responseText } from './response-sender.ts'

const DATE = 'Sat, 21 Nov 2026 09:30:00 GMT'

const to = (destination: string) => redirectTo({ destination, status: 302 })

test('a redirect is sent as these bytes', () => {
  expect(responseText(to('https://example.com/a?b#c'), FORM)).toBe([...REDIRECT, '', ''].join('\r\n'))
})

test('the last response on a connection says so', () => {
  const text = responseText(to('https://example.com/a?b#c'), { ...FORM, closes: true })
  expect(text).toBe([...REDIRECT, 'Connection: close', '', ''].join('\r\n'))
})

test('a redirect has nothing of the one before it', () => {
  const texts = ['https://one.example/', 'https://two.example/'].map((href) => responseText(to(href), FORM))
  expect(texts.map((text) => /Location: (.*)\r/.exec(text)![1])).toEqual([
    'https://one.example/',
    'https://two.example/',
  ])
})

test('the length is in bytes, and HEAD has it without the body', () => {
  const answer = { ...page(), body: 'Ärger' }
  expect(responseText(answer, FORM)).toEndWith('Content-Length: 6\r\n\r\nÄrger')
  expect(responseText(answer, { ...FORM, isHead: true })).toEndWith('Content-Length: 6\r\n\r\n')
})

test.each([
  ['a redirect', to('https://example.com/')],
  ['a page', page()],
  ['JSON', methodNotAllowed()],
])('%s is the same from both servers', async (_, answer) => {
  const response = asResponse(answer)
  const [head, body] = responseText(answer, FORM).split('\r\n\r\n')
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

function page() {
  return unknownLink({
    method: 'GET',
    host: 'a',
    domainId: 0,
    code: 'hello',
    query: '',
    ip: '',
    header: () => 'text/html',
  })
}

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
