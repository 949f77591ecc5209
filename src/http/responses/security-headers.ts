import { API_VERSION } from '../../runtime/version.ts'

type HeaderList = readonly (readonly [name: string, value: string])[]

/** Responses of both APIs are data: browsers must not run, frame, cache or sniff them. */
export const DATA_HEADERS: HeaderList = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
]

/** A QR code may show its logo, which is part of it, when it is opened by itself. */
const QR_HEADERS: HeaderList = [
  ...DATA_HEADERS.filter(([name]) => name !== 'Content-Security-Policy'),
  ['Content-Security-Policy', "default-src 'none'; img-src data:; frame-ancestors 'none'"],
]

const API_HEADERS: HeaderList = [...DATA_HEADERS, ['X-API-Version', API_VERSION]]

/** Pages may use Tern's stylesheet and images, and no script. Cacheable files set their own Cache-Control. */
const PAGE_HEADERS: HeaderList = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'same-origin'],
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
]

/** Shared statistics: their URL is a secret, and their form goes nowhere else. */
const SHARE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const SHARE_HEADERS: HeaderList = [
  ...PAGE_HEADERS.filter(
    ([name]) => !['Cache-Control', 'Referrer-Policy', 'Content-Security-Policy'].includes(name),
  ),
  ['Cache-Control', 'private, no-store'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', SHARE_POLICY],
  ['X-Robots-Tag', 'noindex'],
]

/**
 * The dashboard runs Tern's own script only: nothing inline, nothing from elsewhere, and no text as markup (Trusted Types).
 */
const DASHBOARD_POLICY = [
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
].join('; ')
const DASHBOARD_HEADERS: HeaderList = [
  ...PAGE_HEADERS.filter(([name]) => name !== 'Content-Security-Policy'),
  ['Content-Security-Policy', DASHBOARD_POLICY],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
]

/** Only with HTTPS: over plain HTTP browsers ignore it. */
const STAY_WITH_HTTPS = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const

/**
 * The headers of every response under a path, unless it sets them itself. Takes the decoded path, which was used for routing:
 * `/%61pi/links` is the API too.
 */
export function securityHeaders(path: string, baseUrl: string): HeaderList {
  const headers = headersOf(path)
  return baseUrl.startsWith('https:') ? [...headers, STAY_WITH_HTTPS] : headers
}

function headersOf(path: string): HeaderList {
  const isUnder = (root: string) => path === root || path.startsWith(`${root}/`)
  if (isUnder('/api')) return API_HEADERS
  if (path.startsWith('/qr/')) return QR_HEADERS
  if (path.startsWith('/share/')) return SHARE_HEADERS
  if (isUnder('/dashboard/api')) return DATA_HEADERS
  return isUnder('/dashboard') ? DASHBOARD_HEADERS : PAGE_HEADERS
}
