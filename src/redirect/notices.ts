import { errorBody } from '../error-body.ts'
import { blockedPage, switchedOffPage, tooManyTriesPage, unknownLinkPage } from './notice-pages.ts'
import type { Answer } from './answer.ts'
import type { Visit } from './open-link.ts'

/** Every response under a short address, found or not, says this: 404 and 405 are cacheable unless told otherwise. */
const NEVER_STORED = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
}

/** No script, no picture, no frame; our own stylesheet. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'"

const REDIRECT_HEADERS = { ...NEVER_STORED, 'Content-Security-Policy': NO_CONTENT_POLICY }

/** 302, not 301: browsers keep a 301 for good, and an edited link would go on opening its old destination. */
export const redirectTo = (location: string): Answer => ({
  status: 302,
  location,
  headers: REDIRECT_HEADERS,
  body: '',
})

export const unknownLink = (visit: Visit): Answer =>
  notice(visit, { status: 404, message: 'Link not found.', page: unknownLinkPage })

export const switchedOff = (visit: Visit): Answer =>
  notice(visit, { status: 404, message: 'This link is disabled.', page: switchedOffPage })

/** Not 404: what the address led to was taken down, and says so (RFC 9110, 15.5.11). */
export const blockedLink = (visit: Visit): Answer =>
  notice(visit, { status: 410, message: 'This link has been blocked.', page: blockedPage })

export const tooManyMisses = (visit: Visit, retryAfterSeconds: number): Answer =>
  notice(visit, {
    status: 429,
    message: 'Too many unknown short URLs. Try again later.',
    page: tooManyTriesPage,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

export const methodNotAllowed = (): Answer =>
  json(405, 'A short URL can only be opened with GET or HEAD.', { Allow: 'GET, HEAD' })

/** The click could not be made safe, so the visitor is not sent on uncounted. */
export const journalDown = (): Answer =>
  json(503, 'Clicks cannot be recorded at the moment. Try again in a second.', { 'Retry-After': '1' })

/** The link is not in memory, and where it is kept cannot be asked: it may well be there. */
export const linksAway = (): Answer =>
  json(503, 'This link cannot be looked up at the moment. Try again in a few seconds.', {
    'Retry-After': '5',
  })

/** A fault of ours; the request's id finds it in the log. */
export const faultOfOurs = (message: string, requestId: string): Answer =>
  json(500, message, { 'X-Request-Id': requestId })

type NoticeParts = {
  status: Answer['status']
  message: string
  page(code: string): string
  headers?: Record<string, string>
}

/** A page for people, the envelope for programs. */
function notice({ header, code }: Visit, { status, message, page, headers = {} }: NoticeParts): Answer {
  if (!header('accept')?.includes('text/html')) return json(status, message, headers)
  return {
    status,
    headers: {
      ...NEVER_STORED,
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': PAGE_POLICY,
    },
    body: page(code),
  }
}

const json = (status: Answer['status'], message: string, headers: Record<string, string>): Answer => ({
  status,
  headers: {
    ...REDIRECT_HEADERS,
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
  },
  body: errorBody(message),
})
