import { type RawBuilder, sql } from 'kysely'
import { positionOf } from './engine-sql.ts'
import type { AnyDb } from './handles.ts'

/** The host of a link's destination, as blocks name it: normalized, without port and root dot; '' if its scheme has none. */
export function hostOf(db: AnyDb): RawBuilder<string> {
  const rest = sql`SELECT CASE WHEN url LIKE '%://%' THEN substr(url, ${positionOf(db, sql`url`, '//')} + 2) ELSE '' END AS rest
    FROM (SELECT lower(coalesce(links.target_url, links.original_url)) AS url) AS own`
  // The URL of an app may have no slash after its host.
  const ends = sql`replace(replace(rest, '?', '/'), '#', '/') || '/'`
  const authority = sql`SELECT substr(rest, 1, ${positionOf(db, ends, '/')} - 1) AS authority FROM (${rest}) AS own`
  return sql<string>`(SELECT rtrim(CASE WHEN authority LIKE '[%'
    THEN substr(authority, 1, ${positionOf(db, sql`authority`, ']')})
    ELSE substr(authority, 1, ${positionOf(db, sql`authority || ':'`, ':')} - 1) END, '.') FROM (${authority}) AS own)`
}

/**
 * The hosts of the workspace's destinations that are blocked, themselves or by a parent domain. Reads the workspace's links
 * once if the operator has blocked any host, and none if not.
 */
export async function blockedHostsIn(db: AnyDb, workspaceId: number): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    WITH RECURSIVE hosts (host, name) AS (
      SELECT host, host FROM (
        SELECT DISTINCT ${hostOf(db)} AS host FROM links
        WHERE workspace_id = ${workspaceId} AND EXISTS (SELECT 1 FROM blocked_hosts)
      ) AS own
      UNION ALL SELECT host, substr(name, ${positionOf(db, sql`name`, '.')} + 1) FROM hosts WHERE name LIKE '%.%'
    )
    SELECT DISTINCT hosts.host FROM hosts JOIN blocked_hosts ON blocked_hosts.host = hosts.name`.execute(db)
  return rows.map(({ host }) => host)
}
