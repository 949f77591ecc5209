import type { Blocks } from '../destinations/blocks.ts'
import { type OwnHosts, pointsToUs } from '../destinations/own-hosts.ts'
import type { LinkRoute } from './link-route.ts'
import { destinationsOf, type RouteOptions } from './route-options.ts'

export type CheckDeps = { blocks: Pick<Blocks, 'of'>; ownHosts: OwnHosts }

/** The route with what this server does not redirect to. Undefined if its workspace is closed. */
export function checkRoute(deps: CheckDeps, route: LinkRoute | undefined): LinkRoute | undefined {
  if (route === undefined) return undefined
  const state = stateOf(deps, route, route.destination)
  if (state === 'gone') return undefined
  if (state === 'free' && route.options === undefined) return route
  const options = route.options && checkOptions(deps, route, route.options)
  return { ...route, blockedBy: state === 'free' ? undefined : state, options }
}

function checkOptions(deps: CheckDeps, route: LinkRoute, options: RouteOptions): RouteOptions {
  const urls = destinationsOf(options).filter((each) => stateOf(deps, route, each) !== 'free')
  return { ...options, blocked: new Set(urls) }
}

/** Whether this server redirects there. */
function stateOf(
  { blocks, ownHosts }: CheckDeps,
  { workspaceId }: LinkRoute,
  destination: string,
): 'gone' | 'operator' | 'loop' | 'free' {
  const url = new URL(destination)
  const state = blocks.of(workspaceId, url.hostname)
  if (state !== 'free') return state === 'gone' ? 'gone' : 'operator'
  // Checked when the link was created too, but BASE_URL may have changed since.
  return pointsToUs(url, ownHosts) ? 'loop' : 'free'
}
