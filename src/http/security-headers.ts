import { API_VERSION } from './api-version.ts'

type HeaderList = readonly (readonly [name: string, value: string])[]

/** Answers of the API and the dashboard's own are data: nothing in them may be run, framed, kept or sniffed. */
export const DATA_HEADERS: HeaderList = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
]

/** What the API says besides: which version of the specification it follows. */
const API_HEADERS: HeaderList = [...DATA_HEADERS, ['X-API-Version', API_VERSION]]

/** Pages: our stylesheet and pictures, no script at all. What may be kept says so itself. */
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

/**
 * The dashboard runs our own script and nothing else: no inline one, none from elsewhere, and no text becomes markup
 * (trusted types).
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

/** Only where it is true: over plain http browsers ignore it, and on a trial it would be wrong. */
const STAY_WITH_HTTPS = ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] as const

/**
 * The headers that every answer under a path has, unless it sets them itself. The path is the one that was routed by,
 * decoded: `/%61pi/links` is an answer of the API too.
 */
export function securityHeaders(path: string, baseUrl: string): HeaderList {
  const headers = headersOf(path)
  return baseUrl.startsWith('https:') ? [...headers, STAY_WITH_HTTPS] : headers
}

function headersOf(path: string): HeaderList {
  const isUnder = (root: string) => path === root || path.startsWith(`${root}/`)
  if (isUnder('/api')) return API_HEADERS
  if (path.startsWith('/qr/') || isUnder('/dashboard/api')) return DATA_HEADERS
  return isUnder('/dashboard') ? DASHBOARD_HEADERS : PAGE_HEADERS
}
