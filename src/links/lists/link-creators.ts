import type { ReadOnlyDb } from '../../store/handles.ts'

export type LinkCreator = { id: number; name: string }

/** By link: the user who created it, also one who has left the workspace. Absent if their account is gone. */
export async function linkCreators(
  db: ReadOnlyDb,
  linkIds: readonly number[],
): Promise<ReadonlyMap<number, LinkCreator>> {
  if (linkIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('links')
    .innerJoin('users', 'users.id', 'links.created_by')
    .select(['links.id as linkId', 'users.id', 'users.name'])
    .where('links.id', 'in', linkIds)
    .execute()
  return new Map(rows.map(({ linkId, id, name }) => [linkId, { id, name }]))
}
