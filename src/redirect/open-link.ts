import { type Click, USER_AGENT_CHARS_MAX } from '../clicks/journal/click.ts'
import { referrerHost } from '../clicks/visitor/referrer-host.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import { decideRoute, type RouteDecision } from './decide-route.ts'
import type { Visit } from './visit.ts'
import { NO_CONTENT_HEADERS, type VisitResponse } from './visit-response.ts'
import {
  blockedLink,
  journalDown,
  storeDown,
  methodNotAllowed,
  disabledLink,
  tooManyMisses,
  unknownLink,
} from './notices.ts'

export type OpenLinkDeps = {
  /** A promise if the link is read from another server. It rejects while it cannot be read. */
  links: { get(key: LinkKey): LinkRoute | undefined | Promise<LinkRoute | undefined> }
  journal: { append(click: Click): Promise<void> }
  visitors: { of(ip: string, userAgent: string): number }
  countries: { countryOf(ip: string): string }
  misses: { count(ip: string): { isAllowed: boolean; retryAfterSeconds: number } }
}

/**
 * Opens a short URL. The response waits until the click is safe in the journal. If it cannot be made safe, the visitor is
 * asked to try again instead of being redirected without being counted.
 */
export function openLink(deps: OpenLinkDeps, visit: Visit): VisitResponse | Promise<VisitResponse> {
  const { method } = visit
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed()
  const route = deps.links.get(visit)
  if (!(route instanceof Promise)) return respond(deps, route, visit)
  return route.then((found) => respond(deps, found, visit), storeDownOrThrow)
}

/** Unexpected errors propagate to the caller. */
function storeDownOrThrow(error: unknown): VisitResponse {
  if (error instanceof StoreUnavailable) return storeDown()
  throw error
}

function respond(
  deps: OpenLinkDeps,
  route: LinkRoute | undefined,
  visit: Visit,
): VisitResponse | Promise<VisitResponse> {
  if (route === undefined) return missing(deps, visit)
  const decision = decideRoute(route)
  switch (decision.kind) {
    case 'redirect':
      return redirect(deps, { route, decision }, visit)
    case 'blocked':
      return blockedLink(visit)
    case 'disabled':
    case 'loop':
      return disabledLink(visit)
  }
}

type RedirectDecision = Extract<RouteDecision, { kind: 'redirect' }>

function redirect(
  deps: OpenLinkDeps,
  { route, decision }: { route: LinkRoute; decision: RedirectDecision },
  visit: Visit,
): VisitResponse | Promise<VisitResponse> {
  const response = redirectTo(decision)
  if (visit.method === 'HEAD' || isPrefetch(visit)) return response
  return deps.journal.append(readClick(deps, route, visit)).then(() => response, journalDown)
}

export const redirectTo = ({ destination, status }: Omit<RedirectDecision, 'kind'>): VisitResponse => ({
  status,
  location: destination,
  headers: NO_CONTENT_HEADERS,
  body: '',
})

function missing(deps: OpenLinkDeps, visit: Visit): VisitResponse {
  const { isAllowed, retryAfterSeconds } = deps.misses.count(visit.ip)
  return isAllowed ? unknownLink(visit) : tooManyMisses(visit, retryAfterSeconds)
}

/** A page that a browser fetches in case the user goes there has not been opened. */
function isPrefetch({ header }: Visit): boolean {
  const purpose = header('sec-purpose') ?? header('purpose') ?? header('x-moz')
  return purpose !== null && purpose.toLowerCase().includes('prefetch')
}

function readClick(deps: OpenLinkDeps, route: LinkRoute, { header, ip }: Visit): Click {
  const userAgent = (header('user-agent') ?? '').slice(0, USER_AGENT_CHARS_MAX)
  const wantsNoTracking = isOne(header('sec-gpc')) || isOne(header('dnt'))
  return {
    linkId: route.linkId,
    workspaceId: route.workspaceId,
    clickedAtUs: 0, // set by the journal
    visitor: wantsNoTracking ? 0 : deps.visitors.of(ip, userAgent),
    country: deps.countries.countryOf(ip),
    userAgent,
    referrer: referrerHost(header('referer')),
  }
}

/** The header is exactly "1". If it was sent several times, one of them is enough (Global Privacy Control, 3.3). */
const isOne = (header: string | null): boolean =>
  header !== null && (header === '1' || header.split(', ').includes('1'))
