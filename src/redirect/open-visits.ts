import { DEFAULT_DOMAIN } from '../codes/code-rules.ts'
import { isReservedOn } from '../codes/unusual-code.ts'
import type { LinkRoute } from '../links/routes/link-route.ts'
import { methodNotAllowed, tooManyMisses } from './notices.ts'
import { openLink, type OpenLinkDeps, openRoute, storeDownOrThrow } from './open-link.ts'
import type { Visit } from './visit.ts'
import type { VisitResponse } from './visit-response.ts'

// A path that can mean several links, in the order in which they are looked for; see otherVisits. A guess is a short URL only if
// there is such a link.

/**
 * Undefined if no link opens, or if it is not at hand: the API server answers then. The redirect server has nothing else to do about
 * such requests.
 */
export function openAtHand(
  deps: OpenLinkDeps,
  visits: readonly Visit[],
): VisitResponse | Promise<VisitResponse> | undefined {
  for (const visit of visits) {
    if (!visit.isGuess) return openLink(deps, visit)
    const route = deps.links.get(visit)
    if (route instanceof Promise) {
      // The API server reads it again.
      route.catch(() => {})
      return undefined
    }
    if (opens(route, visit)) return openFound(deps, route, visit)
  }
  return undefined
}

/** Undefined if no link opens, which counts as a code that nobody has. */
export async function openFirst(
  deps: OpenLinkDeps,
  visits: readonly Visit[],
): Promise<VisitResponse | undefined> {
  for (const visit of visits) {
    if (!visit.isGuess) return openLink(deps, visit)
    let route: LinkRoute | undefined
    try {
      route = await deps.links.get(visit)
    } catch (error) {
      return storeDownOrThrow(visit)(error)
    }
    if (opens(route, visit)) return openFound(deps, route, visit)
  }
  const miss = visits.find(({ code }) => !isReservedOn(DEFAULT_DOMAIN, code))
  if (miss === undefined) return undefined
  const { isAllowed, retryAfterSeconds } = deps.misses.count(miss.ip)
  return isAllowed ? undefined : tooManyMisses(miss, retryAfterSeconds)
}

const openFound = (deps: OpenLinkDeps, route: LinkRoute, visit: Visit) =>
  visit.method === 'GET' || visit.method === 'HEAD' ? openRoute(deps, route, visit) : methodNotAllowed()

/** With a path behind its code, only a link opens that says so. */
const opens = (route: LinkRoute | undefined, { path }: Visit): route is LinkRoute =>
  route !== undefined && (path === undefined || route.options?.forwardsPath === true)
