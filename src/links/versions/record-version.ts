import type { Caller } from '../../access/caller.ts'
import type { FieldChanges } from '../../audit/changes-text.ts'
import type { AnyDb, Tx } from '../../store/handles.ts'
import { fieldViews, type ShownRow, UNVERSIONED, type VersionedName } from '../link-fields.ts'

/** How many of each link are kept, the latest ones. */
export const VERSIONS_MAX = 1_000

type ComparedRow = ShownRow & { aliases: readonly string[] }

const comparedFields = (row: ComparedRow): Record<VersionedName, unknown> => ({
  ...fieldViews(row),
  aliases: row.aliases.toSorted(),
})

export function changesBetween(before: ComparedRow, after: ComparedRow): FieldChanges {
  const old: Record<string, unknown> = comparedFields(before)
  const now: Record<string, unknown> = comparedFields(after)
  const isChanged = (name: string) =>
    name === 'has_password'
      ? before.password_hash !== after.password_hash
      : JSON.stringify(old[name]) !== JSON.stringify(now[name])
  const names = Object.keys(now).filter(isChanged)
  return Object.fromEntries(names.map((name) => [name, { from: old[name], to: now[name] }]))
}

/** In the transaction that changes the link, once it has locked the link's row. Nothing is written if visitors meet no change. */
export async function recordVersion(
  tx: Tx,
  { userId, keyId }: Caller,
  { linkId, nowUs, changes: all }: { linkId: number; nowUs: number; changes: FieldChanges },
): Promise<void> {
  const versioned = Object.entries(all).filter(([name]) => !UNVERSIONED.has(name))
  if (versioned.length === 0) return
  const version = (await latestVersion(tx, linkId)) + 1
  await tx
    .insertInto('link_versions')
    .values({
      link_id: linkId,
      version,
      changed_at: nowUs,
      user_id: userId,
      api_key_id: keyId ?? null,
      is_destination: all.original_url === undefined ? 0 : 1,
      changes: JSON.stringify(Object.fromEntries(versioned)),
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
