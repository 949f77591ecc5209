import { sql } from 'kysely'
import { DAY_US } from '../../runtime/clock.ts'
import { hostOf } from '../../store/blocked-links.ts'
import type { LinkStatus } from '../link-status.ts'
import type { Condition, LinkList } from './link-list.ts'

// Literals, because the planners must see that an index of switched-off links will do.
const ON = sql<boolean>`links.is_active = 1`
const OFF = sql<boolean>`links.is_active = 0`

const openings = sql`coalesce((SELECT opened FROM link_openings WHERE link_id = links.id), 0)`

export const anyStatus = (statuses: readonly LinkStatus[], list: LinkList): Condition =>
  sql<boolean>`(${sql.join(
    statuses.map((status) => sql.join(statusConditions(status, list), sql` AND `)),
    sql` OR `,
  )})`

/** As linkStatus decides, the first that applies. */
function statusConditions(status: LinkStatus, list: LinkList): Condition[] {
  const { nowUs } = list
  const blocked = blockedConditions(list)
  if (status === 'blocked') return blocked.length === 0 ? [sql<boolean>`1 = 0`] : blocked
  const allowed = blocked.map((each) => sql<boolean>`NOT (${each})`)
  const started = sql<boolean>`(links.starts_at IS NULL OR links.starts_at <= ${nowUs})`
  const unended = sql<boolean>`(links.expires_at IS NULL OR links.expires_at > ${nowUs})`
  const own: Record<Exclude<LinkStatus, 'blocked'>, Condition[]> = {
    disabled: [OFF],
    scheduled: [ON, sql`links.starts_at > ${nowUs}`],
    expired: [ON, started, sql`links.expires_at <= ${nowUs}`],
    // The zero says nothing, but with it SQLite takes the index of links with a limit.
    limit_reached: [ON, started, unended, sql`links.max_clicks > 0 AND links.max_clicks <= ${openings}`],
    active: [ON, started, unended, sql`(links.max_clicks IS NULL OR links.max_clicks > ${openings})`],
  }
  return [...own[status], ...allowed]
}

const ENDING_US = 7 * DAY_US
const USED_PERCENT = 90

/**
 * Links that the operator has blocked, and of those that are neither disabled nor over: those that end within seven days, have
 * used nine tenths of their limit, or are on a domain that does not work. By lists of ids, each by an index of its own: with OR, the planners read all links.
 * Materialized, because PostgreSQL may otherwise find them once for each link.
 */
export function needsAttention(list: LinkList): Condition {
  const { workspaceId, nowUs } = list
  const own = sql`SELECT links.id FROM links WHERE links.workspace_id = ${workspaceId}`
  const ending = sql`links.expires_at > ${nowUs} AND links.expires_at < ${nowUs + ENDING_US}`
  const used = sql`links.max_clicks * ${USED_PERCENT} <= ${openings} * 100`
  const unended = sql`(links.expires_at IS NULL OR links.expires_at > ${nowUs})`
  // The domain of the server is none of these; that they are above it says which index has them.
  const unreachable = sql`links.domain_id > 0 AND links.domain_id IN (
    SELECT id FROM domains WHERE removed_at IS NULL AND (host IS NULL OR failing_since IS NOT NULL))`
  const blocked = blockedConditions(list)
  return sql<boolean>`links.id IN (
    WITH urgent AS MATERIALIZED (
      ${own} AND ${ON} AND ${ending}
      UNION ALL ${own} AND ${ON} AND links.max_clicks IS NOT NULL AND ${used} AND ${unended}
      UNION ALL ${own} AND ${ON} AND ${unreachable} AND ${unended}
      ${blocked.length === 0 ? sql`` : sql`UNION ALL ${own} AND ${blocked[0]}`}
    ) SELECT id FROM urgent)`
}

const blockedConditions = ({ db, blockedHosts }: LinkList): Condition[] =>
  blockedHosts.length === 0 ? [] : [sql<boolean>`${hostOf(db)} IN (${sql.join(blockedHosts)})`]
