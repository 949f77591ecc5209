import { type Click, USER_AGENT_CHARS_MAX } from '../clicks/journal/click.ts'
import type { GeoLookup } from '../clicks/visitor/geo-location.ts'
import { referrerHost } from '../clicks/visitor/referrer-host.ts'
import type { Domains } from '../links/domains/domains.ts'
import type { LinkKey } from '../links/link-key.ts'
import type { NotFoundCodes } from '../links/not-found/not-found-codes.ts'
import { REDIRECT_STATUS } from '../links/redirect-status.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { utmTextOf } from '../links/utm-text.ts'
import { StoreUnavailable } from '../errors/store-unavailable.ts'
import { primaryLanguage } from './accept-language.ts'
import { cardResponse } from './card-page.ts'
import { extrasOf } from './click-extras-of.ts'
import { decideRoute } from './decide-options.ts'
import { decidePlain, type Redirect } from './decide-route.ts'
import type { LimitedOpenings } from './limited-openings.ts'
import { isVisitor } from './is-visitor.ts'
import type { Clock } from '../runtime/clock.ts'
import { VisitFacts, VisitOrigin } from './visit-facts.ts'
import type { Visit } from './visit.ts'
import { KEPT_SHORTLY, NO_CONTENT_HEADERS, type VisitResponse } from './visit-response.ts'
import {
  blockedLink,
  exhaustedLink,
  expiredLink,
  scheduledLink,
  journalDown,
  loopLink,
  storeDown,
  methodNotAllowed,
  passwordNeeded,
  disabledLink,
  tooManyMisses,
  unknownLink,
  visitorsOnly,
} from './notices.ts'

export type OpenLinkDeps = {
  /** A promise if the link is read from another server. It rejects while it cannot be read. */
  links: { get(key: LinkKey): LinkRoute | undefined | Promise<LinkRoute | undefined> }
  journal: { append(click: Click): Promise<void> }
  visitors: { of(ip: string, userAgent: string): number }
  geo: Pick<GeoLookup, 'locate'>
  openings: Pick<LimitedOpenings, 'open' | 'isExhausted' | 'checkExhausted'>
  clock: Pick<Clock, 'nowUs'>
  domains: Pick<Domains, 'idOf' | 'codeOn' | 'prefixOf' | 'get' | 'shortUrlOf'>
  /** Of workspaces that do not count some visits. */
  ownTraffic: { byWorkspace: ReadonlyMap<number, { excludes(visit: Visit): boolean }> }
  /** Of workspaces that count the visitor's UTM parameters. */
  utmWorkspaces: { ids: ReadonlySet<number> }
  misses: { count(ip: string): { isAllowed: boolean; retryAfterSeconds: number } }
  notFound: Pick<NotFoundCodes, 'note'>
}

/**
 * Opens a short URL. The response waits until the click is safe in the journal. If it cannot be made safe, the visitor is
 * asked to try again instead of being redirected without being counted.
 */
export function openLink(deps: OpenLinkDeps, visit: Visit): VisitResponse | Promise<VisitResponse> {
  const { method } = visit
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed()
  const route = deps.links.get(visit)
  if (!(route instanceof Promise)) return openRoute(deps, route, visit)
  return route.then((found) => openRoute(deps, found, visit), storeDownOrThrow(visit))
}

/** Unexpected errors propagate to the caller. */
export const storeDownOrThrow = (visit: Visit) => (error: unknown) => {
  if (error instanceof StoreUnavailable) return storeDown(visit)
  throw error
}

/** What a link that was looked up does with a GET or HEAD. Undefined: there is none. */
export function openRoute(
  deps: OpenLinkDeps,
  route: LinkRoute | undefined,
  visit: Visit,
): VisitResponse | Promise<VisitResponse> {
  if (route === undefined) return missing(deps, visit)
  const facts =
    route.options && new VisitFacts(visit, new VisitOrigin(deps, visit, { isNavigation, visitorOf }))
  const decision = facts === undefined ? decidePlain(route) : decideRoute(route, facts)
  switch (decision.kind) {
    case 'destination':
      return redirect(deps, { route, to: ownDestination(route), facts }, visit)
    case 'redirect':
      return redirect(deps, { route, to: decision, facts }, visit)
    case 'card':
      return unlessExhausted(
        deps,
        { route, visit },
        cardResponse(decision.card, deps.domains.shortUrlOf(route)),
      )
    case 'limited':
      return openLimited(deps, { route, facts, ...decision }, visit)
    case 'scheduled':
      return scheduledLink(visit, decision.startsAtUs)
    case 'expired':
      return expiredLink(visit, decision.expiresAtUs)
    case 'limit_reached':
      return exhaustedLink(visit)
    case 'password':
      return unlessExhausted(deps, { route, visit }, passwordNeeded(visit))
    case 'blocked':
      return unlessExhausted(deps, { route, visit }, blockedLink(visit))
    case 'disabled':
      return disabledLink(visit)
    case 'loop':
      return unlessExhausted(deps, { route, visit }, loopLink(visit))
  }
}

/** `facts`: undefined for a plain link. */
type ChosenRedirect = { route: LinkRoute; to: Redirect; facts: VisitFacts | undefined }

const ownDestination = ({ destination }: LinkRoute): Redirect => ({
  destination,
  status: REDIRECT_STATUS,
  variant: '',
})

function redirect(
  deps: OpenLinkDeps,
  chosen: ChosenRedirect,
  visit: Visit,
): VisitResponse | Promise<VisitResponse> {
  const response = redirectTo(chosen.to)
  if (visit.method === 'HEAD' || !isNavigation(visit)) return response
  if (isOwnTraffic(deps, chosen.route.workspaceId, visit)) return response
  return deps.journal.append(readClick(deps, chosen, visit)).then(
    () => response,
    () => journalDown(visit),
  )
}

/** Spends an opening first, so that a crash can cost one but never give one too many. */
async function openLimited(
  deps: OpenLinkDeps,
  { fallback, ...chosen }: ChosenRedirect & { fallback: Redirect | undefined },
  visit: Visit,
): Promise<VisitResponse> {
  const navigates = isNavigation(visit)
  if (!navigates || !isVisitor(visit))
    return unlessExhausted(deps, { route: chosen.route, visit }, visitorsOnly(visit, navigates))
  if (isOwnTraffic(deps, chosen.route.workspaceId, visit))
    return unlessExhausted(deps, { route: chosen.route, visit }, redirectTo(chosen.to))
  const response = await deps.openings
    .open(chosen.route, () => redirect(deps, chosen, visit))
    .catch(storeDownOrThrow(visit))
  if (response !== undefined) return response
  if (fallback !== undefined) return redirect(deps, { ...chosen, to: fallback }, visit)
  return exhaustedLink(visit)
}

/** The response to a visit that spends no opening, unless none is left: everybody meets that first. */
function unlessExhausted(
  deps: OpenLinkDeps,
  { route, visit }: { route: LinkRoute; visit: Visit },
  response: VisitResponse,
): VisitResponse | Promise<VisitResponse> {
  // What is known was decided about.
  if (route.options?.maxClicks == null || deps.openings.isExhausted(route)) return response
  return deps.openings
    .checkExhausted(route)
    .then((isExhausted) => (isExhausted ? openRoute(deps, route, visit) : response))
}

export const redirectTo = ({ destination, status }: Omit<Redirect, 'variant'>): VisitResponse => ({
  status,
  location: destination,
  headers: status === 301 || status === 308 ? KEPT_SHORTLY : NO_CONTENT_HEADERS,
  body: '',
})

function missing(deps: OpenLinkDeps, visit: Visit): VisitResponse {
  const { isAllowed, retryAfterSeconds } = deps.misses.count(visit.ip)
  if (!isAllowed) return tooManyMisses(visit, retryAfterSeconds)
  const domain = deps.domains.get(visit.domainId)
  // The codes of a domain that others use are nobody's to see.
  const workspaceId = domain?.workspaceId
  if (workspaceId && isNavigation(visit) && isVisitor(visit) && !isOwnTraffic(deps, workspaceId, visit))
    deps.notFound.note(visit)
  const url = domain?.notFoundUrl
  return url == null ? unknownLink(visit) : redirectTo({ destination: url, status: REDIRECT_STATUS })
}

const isOwnTraffic = ({ ownTraffic }: OpenLinkDeps, workspaceId: number, visit: Visit): boolean =>
  ownTraffic.byWorkspace.get(workspaceId)?.excludes(visit) === true

/**
 * Not a page that a browser fetches in case the user goes there, and not an image, script or request of another page: nobody has
 * opened those. Programs and old browsers, which send no `Sec-Fetch-Mode`, open what they request.
 */
function isNavigation({ header }: Visit): boolean {
  const purpose = header('sec-purpose') ?? header('purpose') ?? header('x-moz')
  if (purpose !== null && purpose.toLowerCase().includes('prefetch')) return false
  return (header('sec-fetch-mode') ?? 'navigate') === 'navigate'
}

function readClick(deps: OpenLinkDeps, { route, to, facts }: ChosenRedirect, visit: Visit): Click {
  const userAgent = userAgentOf(visit)
  const { country, city } = facts === undefined ? deps.geo.locate(visit.ip) : facts.location()
  const language = primaryLanguage(visit.header('accept-language'))
  return {
    linkId: route.linkId,
    workspaceId: route.workspaceId,
    clickedAtUs: 0, // set by the journal
    visitor: facts === undefined ? visitorOf(deps, visit, userAgent) : facts.trackedVisitor(),
    country,
    userAgent,
    referrer: referrerHost(visit.header('referer')),
    extras: extrasOf(route, to, { query: visit.query, utm: countedUtm(deps, route, visit), language, city }),
  }
}

const countedUtm = ({ utmWorkspaces }: OpenLinkDeps, { workspaceId }: LinkRoute, { query }: Visit): string =>
  query !== '' && utmWorkspaces.ids.has(workspaceId) ? utmTextOf(query) : ''

const userAgentOf = ({ header }: Visit): string => (header('user-agent') ?? '').slice(0, USER_AGENT_CHARS_MAX)

/** 0 for visitors who ask not to be tracked. */
function visitorOf({ visitors }: OpenLinkDeps, visit: Visit, userAgent = userAgentOf(visit)): number {
  const { header, ip } = visit
  return isOne(header('sec-gpc')) || isOne(header('dnt')) ? 0 : visitors.of(ip, userAgent)
}

/** The header is exactly "1". If it was sent several times, one of them is enough (Global Privacy Control, 3.3). */
const isOne = (header: string | null): boolean =>
  header !== null && (header === '1' || header.split(', ').includes('1'))
