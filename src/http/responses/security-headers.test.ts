import { expect, test } from 'bun:test'
import { securityHeaders } from './security-headers.ts'

test('nothing is sniffed, framed, or kept unless it says so itself', () => {
  for (const path of [...DATA, ...PAGES]) {
    expect(headersOf(path)).toMatchObject({
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    expect(headersOf(path)['Content-Security-Policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(headersOf(path)['Content-Security-Policy']).not.toMatch(/script-src|unsafe|\*/)
  }
})

test('answers of the API and pictures load nothing and give no referrer', () => {
  for (const path of DATA) {
    // A QR code has its logo inside.
    const own = path.startsWith('/qr/') ? ' img-src data:;' : ''
    expect(headersOf(path)['Content-Security-Policy']).toBe(
      `default-src 'none';${own} frame-ancestors 'none'`,
    )
    expect(headersOf(path)['Referrer-Policy']).toBe('no-referrer')
  }
})

test('pages load what is ours, and have no form and no base', () => {
  for (const path of PAGES) {
    expect(headersOf(path)['Content-Security-Policy']).toContain(
      "style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'",
    )
    expect(headersOf(path)).toMatchObject({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'same-origin',
    })
  }
})

test('the dashboard runs its own script, and nothing inline, foreign, or made of text', () => {
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/links/launch', '/dashboard/apis']) {
    const { 'Content-Security-Policy': policy = '', ...headers } = headersOf(path)
    expect(policy.split('; ').sort()).toEqual(
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ].sort(),
    )
    expect(headers).toMatchObject({
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    })
  }
})

test('a shared page keeps its URL to itself, is not listed, and may send its form to itself', () => {
  for (const path of ['/share/secret', '/share/secret/badge.svg']) {
    expect(headersOf(path)).toMatchObject({
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    })
  }
})

test('only a service that is reached by https says to stay with it', () => {
  for (const path of ['/', '/api/links']) {
    expect(headersOf(path, 'https://go.example.org')['Strict-Transport-Security']).toBe(
      'max-age=31536000; includeSubDomains',
    )
    expect(headersOf(path)['Strict-Transport-Security']).toBeUndefined()
  }
})

const headersOf = (path: string, baseUrl = 'http://localhost:3000') =>
  Object.fromEntries(securityHeaders(path, baseUrl)) as Record<string, string>

const DATA = [
  '/api',
  '/api/',
  '/api/links',
  '/api/nothing',
  '/qr/hello',
  '/dashboard/api',
  '/dashboard/api/x',
]
const PAGES = [
  '/',
  '/docs',
  '/dashboards',
  '/apis',
  '/api.html',
  '/qr',
  '/no/api/',
  '/.well-known/security.txt',
]
