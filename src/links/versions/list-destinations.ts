import type { FieldChanges } from '../../audit/changes-text.ts'
import type { CurrentDb } from '../../store/handles.ts'
import type { Link } from '../link.ts'

/** Where a link led from a version on, until the next one of these. */
export type DestinationSince = { version: number; sinceUs: number; originalUrl: string }

/** When the destination of a link was changed last; null if it never was. */
export async function latestDestinationChange(db: CurrentDb, linkId: number): Promise<number | null> {
  const row = await db
    .selectFrom('link_versions')
    .select('changed_at')
    .where('link_id', '=', linkId)
    .where('is_destination', '=', 1)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.changed_at ?? null
}

/** Of each link, the latest ones. */
const DESTINATIONS_MAX = 50

/** The destinations that a link has had, newest first: the link as it was created, and each change of its destination. */
export async function listDestinations(db: CurrentDb, link: Link): Promise<DestinationSince[]> {
  const rows = await db
    .selectFrom('link_versions')
    .select(['version', 'changed_at as sinceUs', 'changes'])
    .where('link_id', '=', link.id)
    .where('is_destination', '=', 1)
    .orderBy('version', 'desc')
    .limit(DESTINATIONS_MAX)
    .execute()
  const changes = rows.map(({ changes, ...row }) => ({
    ...row,
    ...((JSON.parse(changes) as FieldChanges).original_url as { from: string; to: string }),
  }))
  const destinations = changes.map(({ version, sinceUs, to }) => ({ version, sinceUs, originalUrl: to }))
  if (changes.length === DESTINATIONS_MAX) return destinations
  const originalUrl = changes.at(-1)?.from ?? link.originalUrl
  return [...destinations, { version: 1, sinceUs: link.createdAtUs, originalUrl }]
}
