import { expect, test } from 'bun:test'
import { defaultKey } from '../links/link-key.ts'
import { isVisitor } from './is-visitor.ts'

test.each([
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/22A Instagram 350.0',
  'Mozilla/5.0 (Linux; Android 7.0; M bot 60) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Mobile Safari/537.36',
  'curl/8.5.0',
  'MyApp/1.0',
  '',
  null,
])('%j is a visitor', (userAgent) => {
  expect(isOne(userAgent)).toBe(true)
  expect(isOne(userAgent, 'HEAD')).toBe(false)
})

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'WhatsApp/2.23.20.0',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  'Microsoft Office Word 2014',
  'Uptime-Kuma/2.0.2',
  'kube-probe/1.27',
  'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.example/)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
])('%j is none', (userAgent) => {
  expect(isOne(userAgent)).toBe(false)
})

const isOne = (userAgent: string | null, method = 'GET') =>
  isVisitor({
    method,
    host: 's.example.com',
    ...defaultKey('hello'),
    query: '',
    ip: '203.0.113.7',
    header: (name) => (name === 'user-agent' ? userAgent : null),
  })
