import { withPrefix } from '../html/with-prefix.ts'
import { codePath } from '../codes/unusual-code.ts'
import { errorBody } from '../errors/error-body.ts'
import type { RefusalCode } from '../errors/refusal-codes.ts'
import { isoMicroseconds } from '../runtime/clock.ts'
import {
  blockedPage,
  disabledPage,
  exhaustedPage,
  expiredPage,
  foreignFormPage,
  loopPage,
  passwordPage,
  scheduledPage,
  tooManyTriesPage,
  unavailablePage,
  unknownLinkPage,
  visitorsOnlyPage,
} from './notice-pages.ts'
import { NEVER_STORED, NO_CONTENT_HEADERS, type VisitResponse } from './visit-response.ts'
import type { Visit } from './visit.ts'

/** No scripts and no frames; only our own stylesheet. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Chromium holds every redirect behind a form against `form-action`, and the right password leads anywhere, also to an app. */
const FORM_POLICY = PAGE_POLICY.replace("form-action 'none'; ", '')

export const unknownLink = (visit: Visit): VisitResponse =>
  notice(visit, { status: 404, code: 'link_not_found', message: 'Link not found.', page: unknownLinkPage })

export const disabledLink = (visit: Visit): VisitResponse =>
  notice(visit, { status: 404, code: 'link_disabled', message: 'This link is disabled.', page: disabledPage })

export const loopLink = (visit: Visit): VisitResponse =>
  notice(visit, {
    status: 404,
    code: 'link_loops',
    message: 'The destination of this link is a short URL of this server.',
    page: loopPage,
  })

export const scheduledLink = (visit: Visit, startsAtUs: number): VisitResponse =>
  notice(visit, {
    status: 404,
    code: 'link_scheduled',
    message: `This link starts working at ${isoMicroseconds(startsAtUs)}.`,
    page: (code) => scheduledPage(code, startsAtUs),
  })

/** Not 404: it existed, and is gone for good unless its owner extends it. */
export const expiredLink = (visit: Visit, expiresAtUs: number): VisitResponse =>
  notice(visit, {
    status: 410,
    code: 'link_expired',
    message: `This link expired at ${isoMicroseconds(expiresAtUs)}.`,
    page: (code) => expiredPage(code, expiresAtUs),
  })

export const exhaustedLink = (visit: Visit): VisitResponse =>
  notice(visit, {
    status: 410,
    code: 'link_used_up',
    message: 'This link has reached its limit.',
    page: exhaustedPage,
  })

/**
 * For programs that only look at a link with a limit: they learn no destination. Previews and crawlers get a page. A
 * browser drops what it has fetched ahead if the status is an error, and asks again when the user goes there.
 */
export const visitorsOnly = (visit: Visit, isNavigation: boolean): VisitResponse =>
  notice(visit, {
    status: isNavigation ? 200 : 403,
    code: 'visitors_only',
    message: 'This link can be opened by visitors only.',
    page: visitorsOnlyPage,
  })

/** `action`: where the form is sent, if not to the URL of the page. */
export const passwordNeeded = (visit: Visit, action?: string): VisitResponse =>
  notice(visit, {
    status: 403,
    code: 'password_required',
    message: 'This link needs a password.',
    page: (code) => passwordPage(code, action === undefined ? {} : { action }),
    policy: FORM_POLICY,
  })

export const wrongPassword = (visit: Visit, attemptsLeft: number): VisitResponse => {
  const attempts = attemptsLeft === 1 ? '1 attempt is left.' : `${attemptsLeft} attempts are left.`
  const message = `Wrong password. ${attempts}`
  const page = (code: string) => passwordPage(code, { error: message })
  return notice(visit, { status: 403, code: 'password_wrong', message, page, policy: FORM_POLICY })
}

export const tooManyPasswords = (visit: Visit, retryAfterSeconds: number): VisitResponse => {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const message = `Too many attempts. Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`
  return notice(visit, {
    status: 429,
    code: 'too_many_attempts',
    message,
    page: (code) => passwordPage(code, { error: message }),
    headers: { 'Retry-After': String(retryAfterSeconds) },
    policy: FORM_POLICY,
  })
}

/** Back to the short URL, which then redirects and counts the click. It has no referrer of its own. */
export const toShortUrl = (
  { prefix = '', code, path = '', query }: Visit,
  headers: Record<string, string> = {},
): VisitResponse => ({
  status: 303,
  location: `${prefix}/${codePath(code)}${path}${query === '' ? '' : `?${query}`}`,
  headers: { ...NO_CONTENT_HEADERS, ...headers, 'Referrer-Policy': 'no-referrer' },
  body: '',
})

export const fromOtherSite = (visit: Visit): VisitResponse =>
  notice(visit, {
    status: 403,
    code: 'cross_site_request',
    message: 'This request did not come from a page of this server.',
    page: foreignFormPage,
  })

/** Not 404: the link was taken down on purpose (RFC 9110, 15.5.11). */
export const blockedLink = (visit: Visit): VisitResponse =>
  notice(visit, {
    status: 410,
    code: 'link_blocked',
    message: 'This link has been blocked.',
    page: blockedPage,
  })

export const tooManyMisses = (visit: Visit, retryAfterSeconds: number): VisitResponse =>
  notice(visit, {
    status: 429,
    code: 'too_many_requests',
    message: 'Too many unknown short URLs. Try again later.',
    page: tooManyTriesPage,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

export const methodNotAllowed = (): VisitResponse =>
  json(
    {
      status: 405,
      code: 'method_not_allowed',
      message: 'A short URL can only be opened with GET or HEAD.',
    },
    { Allow: 'GET, HEAD' },
  )

/** The click could not be made safe, so the visitor is not redirected without being counted. */
export const journalDown = (visit: Visit): VisitResponse =>
  unavailable(visit, {
    code: 'clicks_unavailable',
    message: 'Clicks cannot be recorded at the moment. Try again in a second.',
    retryAfterSeconds: 1,
  })

/** The link is not in memory and the database does not answer, so the link may well exist. */
export const storeDown = (visit: Visit): VisitResponse =>
  unavailable(visit, {
    code: 'store_unavailable',
    message: 'This link cannot be looked up at the moment. Try again in a few seconds.',
    retryAfterSeconds: 5,
  })

/** `message`: why, and when to try again. */
export const unavailable = (
  visit: Visit,
  { code, message, retryAfterSeconds }: { code: RefusalCode; message: string; retryAfterSeconds: number },
): VisitResponse =>
  notice(visit, {
    status: 503,
    code,
    message,
    page: (shortCode) => unavailablePage(shortCode, message),
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

/** For an unexpected error. The log has it under the request ID. */
export const internalError = (message: string, requestId: string): VisitResponse =>
  json({ status: 500, code: 'internal_error', message }, { 'X-Request-Id': requestId })

type RefusalParts = { status: VisitResponse['status']; code: RefusalCode; message: string }

type NoticeParts = RefusalParts & {
  page(code: string): string
  headers?: Record<string, string>
  policy?: string
}

/** A page for browsers, JSON for programs. */
function notice({ header, code, prefix }: Visit, parts: NoticeParts): VisitResponse {
  const { status, page, headers = {}, policy = PAGE_POLICY } = parts
  if (!header('accept')?.includes('text/html')) return json(parts, headers)
  return {
    status,
    headers: {
      ...NEVER_STORED,
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    },
    body: withPrefix(page(code), prefix),
  }
}

const json = ({ status, code, message }: RefusalParts, headers: Record<string, string>): VisitResponse => ({
  status,
  headers: {
    ...NO_CONTENT_HEADERS,
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
  },
  body: errorBody(code, message),
})
