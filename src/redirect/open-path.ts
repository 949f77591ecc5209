import type { LinkRoute } from '../links/routes/link-route.ts'
import { methodNotAllowed, tooManyMisses } from './notices.ts'
import { type OpenLinkDeps, openRoute, storeDownOrThrow } from './open-link.ts'
import type { Visit } from './visit.ts'
import type { VisitResponse } from './visit-response.ts'

// A short URL with a path behind its code. Only links that say so open with one; for all others, it is no short URL.

/**
 * Undefined if the link is not at hand, or there is none that opens with a path: the API server answers then. The redirect server
 * has nothing else to do about such requests.
 */
export function openPathAtHand(
  deps: OpenLinkDeps,
  visit: Visit,
): VisitResponse | Promise<VisitResponse> | undefined {
  const route = deps.links.get(visit)
  if (!(route instanceof Promise)) return opensWithPath(route) ? openRoute(deps, route, visit) : undefined
  // The API server reads it again.
  route.catch(() => {})
  return undefined
}

/** Undefined if there is no link that opens with a path, which counts as a code that nobody has. */
export async function openPath(deps: OpenLinkDeps, visit: Visit): Promise<VisitResponse | undefined> {
  let route: LinkRoute | undefined
  try {
    route = await deps.links.get(visit)
  } catch (error) {
    return storeDownOrThrow(visit)(error)
  }
  if (!opensWithPath(route)) {
    const { isAllowed, retryAfterSeconds } = deps.misses.count(visit.ip)
    return isAllowed ? undefined : tooManyMisses(visit, retryAfterSeconds)
  }
  if (visit.method !== 'GET' && visit.method !== 'HEAD') return methodNotAllowed()
  return openRoute(deps, route, visit)
}

const opensWithPath = (route: LinkRoute | undefined): route is LinkRoute =>
  route?.options?.forwardsPath === true
