import type { Caller } from '../access/caller.ts'
import { Refusal } from '../errors/refusal.ts'
import type { CurrentDb } from '../store/handles.ts'

/** When an entry of the workspace was written, and the ID of the one thing that was changed. */
export async function findEntry(
  { db }: { db: CurrentDb },
  { workspaceId }: Caller,
  entryId: number,
): Promise<{ action: string; targetId: number | null; happenedAtUs: number }> {
  const row = await db
    .selectFrom('audit_log')
    .select(['action', 'target_id as targetId', 'happened_at as happenedAtUs'])
    .where('id', '=', entryId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (row === undefined) throw new Refusal('audit_entry_not_found', 'Entry not found.')
  return row
}
