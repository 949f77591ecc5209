import { sql } from 'kysely'
import { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Tx } from '../../store/handles.ts'

/** What an edit says of the version that its sender has read. */
export const seenVersion = z
  .int('The :attribute must be a whole number.')
  .min(1, 'The :attribute must be at least 1.')
  .nullish()
  .meta({
    description:
      'The version that was read before: the edit is refused with 409 if somebody else has changed the link after it.',
  })

type SeenVersion = { linkId: number; seenVersion: number }

/**
 * Refuses an edit of a link that somebody else has changed after the version that the editor has seen. In the
 * transaction of the edit, once it has locked the link's row.
 */
export async function refuseUnseenChanges(
  tx: Tx,
  { userId }: Caller,
  { linkId, seenVersion }: SeenVersion,
): Promise<void> {
  const unseen = await tx
    .selectFrom('link_versions')
    .select('version')
    .where('link_id', '=', linkId)
    .where('version', '>', seenVersion)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '!=', userId)]))
    .limit(1)
    .executeTakeFirst()
  if (unseen !== undefined)
    throw new Refusal('version_conflict', 'Somebody else has changed this link since you opened it.')
}

/** Read with the fields of the link in one statement, so that what is shown as a version is that version. */
export const versionColumn = (linkId: 'links.id' | 'deleted_links.id') =>
  sql<number>`coalesce((select max(version) from link_versions where link_id = ${sql.ref(linkId)}), 1)`
