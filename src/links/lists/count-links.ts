import { randomInt } from 'node:crypto'
import type { AnyDb, Tx } from '../../store/handles.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'

const SHARDS = 8

/** How many links a workspace has. Counted as they come and go, because counting a million takes too long. */
export type LinkCounts = { links: number; active: number }

/** Adds to the counts, in the transaction that changes the links. */
export async function countLinks(tx: Tx, workspaceId: number, change: LinkCounts): Promise<void> {
  if (change.links === 0 && change.active === 0) return
  await writeRows(tx, LINK_COUNTS, [[workspaceId, randomInt(SHARDS), change.links, change.active]])
}

const LINK_COUNTS: RowInsert = {
  table: 'account_link_counts',
  columns: ['account_id', 'shard', 'links', 'active_links'],
  then: `ON CONFLICT (account_id, shard) DO UPDATE SET
    links = account_link_counts.links + excluded.links,
    active_links = account_link_counts.active_links + excluded.active_links`,
}

export async function linkCounts(db: AnyDb, workspaceId: number): Promise<LinkCounts> {
  const { links, active } = await db
    .selectFrom('account_link_counts')
    .select((eb) => [
      eb.fn.sum<number | null>('links').as('links'),
      eb.fn.sum<number | null>('active_links').as('active'),
    ])
    .where('account_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { links: Number(links ?? 0), active: Number(active ?? 0) }
}
