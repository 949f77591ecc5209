import { randomInt } from 'node:crypto'
import type { AnyDb, Tx } from '../../store/handles.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'

const SHARDS = 8

/** How many links a workspace has. Counted as they come and go, because counting a million takes too long. */
export type LinkCounts = { links: number; active: number; archived: number }

/** Adds to the counts, in the transaction that changes the links. */
export async function countLinks(tx: Tx, workspaceId: number, change: LinkCounts): Promise<void> {
  const { links, active, archived } = change
  if (links === 0 && active === 0 && archived === 0) return
  await writeRows(tx, LINK_COUNTS, [linkCountRow(workspaceId, change)])
}

export const linkCountRow = (workspaceId: number, { links, active, archived }: LinkCounts): number[] => [
  workspaceId,
  randomInt(SHARDS),
  links,
  active,
  archived,
]

export const LINK_COUNTS: RowInsert = {
  table: 'workspace_link_counts',
  columns: ['workspace_id', 'shard', 'links', 'active_links', 'archived_links'],
  then: `ON CONFLICT (workspace_id, shard) DO UPDATE SET
    links = workspace_link_counts.links + excluded.links,
    active_links = workspace_link_counts.active_links + excluded.active_links,
    archived_links = workspace_link_counts.archived_links + excluded.archived_links`,
}

export async function linkCounts(db: AnyDb, workspaceId: number): Promise<LinkCounts> {
  const { links, active, archived } = await db
    .selectFrom('workspace_link_counts')
    .select((eb) => [
      eb.fn.sum<number | null>('links').as('links'),
      eb.fn.sum<number | null>('active_links').as('active'),
      eb.fn.sum<number | null>('archived_links').as('archived'),
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { links: Number(links ?? 0), active: Number(active ?? 0), archived: Number(archived ?? 0) }
}

/** How many links a list has that is not filtered otherwise. */
export const listedCount = (archived: 'exclude' | 'only' | 'include', counts: LinkCounts): number =>
  ({ include: counts.links, only: counts.archived, exclude: counts.links - counts.archived })[archived]
