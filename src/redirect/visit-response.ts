import type { RedirectStatus } from '../links/redirect-status.ts'

/** What a visitor gets, before it is known on which kind of connection. */
export type VisitResponse = {
  status: 200 | RedirectStatus | 303 | 403 | 404 | 405 | 410 | 429 | 500 | 503
  /** Where a redirect leads: pure ASCII without spaces. */
  location?: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** On every response under a short URL, found or not: caches may keep even a 404 or 405 unless a header forbids it. */
export const NEVER_STORED = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
}

export const NO_CONTENT_HEADERS = {
  ...NEVER_STORED,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** Permanent redirects, which a browser would otherwise keep for good. */
export const KEPT_SHORTLY = { ...NO_CONTENT_HEADERS, 'Cache-Control': 'private, max-age=90' }

export function asResponse({ status, location, headers, body }: VisitResponse): Response {
  const response = new Response(body === '' ? null : body, { status, headers })
  if (location !== undefined) response.headers.set('Location', location)
  return response
}
