import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import type { LinkKey } from '../link-key.ts'
import {
  decodeOptions,
  encodeOptions,
  ROUTED_COLUMNS,
  type SomeOptionColumns,
  type RouteOptions,
  routeOptions,
} from './route-options.ts'

/** All that a redirect needs to know about a link. */
export type LinkRoute = LinkKey & {
  linkId: number
  workspaceId: number
  /** Pure ASCII. */
  destination: string
  /** False while the owner has disabled the link. */
  isActive: boolean
  /** Why this server does not redirect there. Checked when the link is read, not on every visit. */
  blockedBy: 'operator' | 'loop' | undefined
  /** Undefined for a plain link. */
  options: RouteOptions | undefined
  /** Absent for the link's own code, so that a route of it takes no more memory. */
  isAlias?: true
}

/** One row of `ROUTE_SELECT`. */
export type RouteRow = {
  code: string
  domain_id: number
  id: number
  workspace_id: number
  destination: string
  is_active: number
  /** Absent for the link's own code. */
  is_alias?: number
} & SomeOptionColumns

/**
 * The only query that reads routes, without its WHERE. On PostgreSQL, triggers announce a change of any column in it to
 * the other nodes: `route-triggers.test.ts` changes each.
 */
export const ROUTE_SELECT = `SELECT codes.code, codes.domain_id, links.id, links.workspace_id,
    coalesce(target_url, original_url) AS destination, is_active,
    CASE WHEN codes.code = links.code THEN 0 ELSE 1 END AS is_alias,
    ${ROUTED_COLUMNS.join(', ')}
  FROM codes JOIN links ON links.id = codes.link_id`

export function routeFromRow(row: RouteRow): LinkRoute {
  const route = plainRouteFromRow(row)
  return row.is_alias === 1 ? { ...route, isAlias: true } : route
}

// By itself: beside the copy, each of these objects took 32 bytes more.
const plainRouteFromRow = (row: RouteRow): LinkRoute => ({
  domainId: row.domain_id,
  code: row.code,
  linkId: row.id,
  workspaceId: row.workspace_id,
  destination: row.destination,
  isActive: row.is_active === 1,
  blockedBy: undefined,
  options: routeOptions(row),
})

/**
 * Raised when a reader that ignores what is new would redirect wrongly: a version that does not know the number skips
 * the route. An addition that such a reader may ignore needs only a default for when it is absent.
 */
const FORMAT = { plain: 1, withOptions: 2 }

/** A route as JSON, wherever one leaves the process. What a plain link has by default is left out. */
export function encodeRoute(route: LinkRoute): string {
  return JSON.stringify({
    v: route.options === undefined ? FORMAT.plain : FORMAT.withOptions,
    domain_id: route.domainId === DEFAULT_DOMAIN ? undefined : route.domainId,
    code: route.code,
    is_alias: route.isAlias,
    link_id: route.linkId,
    workspace_id: route.workspaceId,
    destination: route.destination,
    is_active: route.isActive ? undefined : false,
    blocked_by: route.blockedBy,
    options: route.options && encodeOptions(route.options),
  })
}

/** Undefined unless the text is a whole route of a version that this one can read. */
export function decodeRoute(text: string): LinkRoute | undefined {
  const json = parseObject(text)
  if (json?.v !== FORMAT.plain && json?.v !== FORMAT.withOptions) return undefined
  const options = json.v === FORMAT.plain ? undefined : decodeOptions(json.options)
  if (json.v === FORMAT.withOptions && options === undefined) return undefined
  const { domain_id: domainId = DEFAULT_DOMAIN, code, link_id: linkId, workspace_id: workspaceId } = json
  const { is_alias: isAlias = false } = json
  const { destination, is_active: isActive = true, blocked_by: blockedBy } = json
  const isRoute =
    Number.isSafeInteger(domainId) &&
    typeof code === 'string' &&
    typeof isAlias === 'boolean' &&
    Number.isSafeInteger(linkId) &&
    Number.isSafeInteger(workspaceId) &&
    typeof destination === 'string' &&
    URL.canParse(destination) &&
    typeof isActive === 'boolean' &&
    (blockedBy === undefined || blockedBy === 'operator' || blockedBy === 'loop')
  if (!isRoute) return undefined
  return {
    domainId: domainId as number,
    code,
    linkId: linkId as number,
    workspaceId: workspaceId as number,
    destination,
    isActive,
    blockedBy,
    options,
    ...(isAlias && { isAlias }),
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
