/** Answers of the API are data: nothing in them may be run, framed, kept or sniffed. */
const API_HEADERS: [string, string][] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
]

/** Pages: our stylesheet and pictures, no script at all. */
const PAGE_HEADERS: [string, string][] = [
  ['Cache-Control', 'no-cache'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'same-origin'],
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
]

/** The headers that every answer under a path has, unless it sets them itself. */
export const securityHeaders = (target: string): readonly [string, string][] =>
  target.startsWith('/api/') || target.startsWith('/qr/') ? API_HEADERS : PAGE_HEADERS
