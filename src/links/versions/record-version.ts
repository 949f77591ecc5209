import type { Selectable } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import type { AnyDb, Tx } from '../../store/handles.ts'
import type { Database } from '../../store/schema.ts'
import { optionViews, type ShownOptions, shownOptions } from '../link-options.ts'

/** By JSON name, with JSON values: fields as the API shows them. */
export type FieldChanges = Record<string, { from: unknown; to: unknown }>

/** How many of each link are kept, the latest ones. */
export const VERSIONS_MAX = 1_000

type VersionedRow = Pick<Selectable<Database['links']>, 'original_url' | 'title' | 'is_active'> &
  ShownOptions & { aliases: readonly string[] }

/** What visitors meet. What is for the owner only has no versions. */
function versionedFields(row: VersionedRow): Record<string, unknown> {
  const { archived: _, notes: __, external_id: ___, ...options } = optionViews(shownOptions(row))
  return {
    original_url: row.original_url,
    title: row.title,
    is_active: row.is_active === 1,
    aliases: row.aliases.toSorted(),
    ...options,
  }
}

export function changesBetween(before: VersionedRow, after: VersionedRow): FieldChanges {
  const [old, now] = [versionedFields(before), versionedFields(after)]
  const isChanged = (name: string) =>
    name === 'has_password'
      ? before.password_hash !== after.password_hash
      : JSON.stringify(old[name]) !== JSON.stringify(now[name])
  const changed = Object.keys(now).filter(isChanged)
  return Object.fromEntries(changed.map((name) => [name, { from: old[name], to: now[name] }]))
}

/** In the transaction that changes the link, once it has locked the link's row. Nothing is written for no changes. */
export async function recordVersion(
  tx: Tx,
  { userId }: Caller,
  { linkId, nowUs, changes }: { linkId: number; nowUs: number; changes: FieldChanges },
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const version = (await latestVersion(tx, linkId)) + 1
  await tx
    .insertInto('link_versions')
    .values({
      link_id: linkId,
      version,
      changed_at: nowUs,
      user_id: userId,
      changes: JSON.stringify(changes),
    })
    .execute()
  if (version <= VERSIONS_MAX) return
  const ofLink = tx.deleteFrom('link_versions').where('link_id', '=', linkId)
  await ofLink.where('version', '<=', version - VERSIONS_MAX).execute()
}

/** The link as it was created is version 1 and has no row. */
export async function latestVersion(db: AnyDb, linkId: number): Promise<number> {
  const { latest } = await db
    .selectFrom('link_versions')
    .select((eb) => eb.fn.max<number | null>('version').as('latest'))
    .where('link_id', '=', linkId)
    .executeTakeFirstOrThrow()
  return latest ?? 1
}
