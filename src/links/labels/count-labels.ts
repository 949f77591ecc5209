import { randomInt } from 'node:crypto'
import type { AnyDb, Tx } from '../../store/handles.ts'
import { type RowInsert, writeRows } from '../../store/engine-sql.ts'

const SHARDS = 8

/** How many links have a label. Kept as they come and go, like the counts of a workspace. */
export type LabelCount = { links: number; archived: number }

/** Adds to the counts, in the transaction that changes the links. */
export async function countLabels(tx: Tx, changes: ReadonlyMap<number, LabelCount>): Promise<void> {
  const shard = randomInt(SHARDS)
  const rows = [...changes]
    .filter(([, { links, archived }]) => links !== 0 || archived !== 0)
    .sort(([a], [b]) => a - b)
    .map(([labelId, { links, archived }]) => [labelId, shard, links, archived])
  if (rows.length > 0) await writeRows(tx, LABEL_COUNTS, rows)
}

const LABEL_COUNTS: RowInsert = {
  table: 'label_link_counts',
  columns: ['label_id', 'shard', 'links', 'archived_links'],
  then: `ON CONFLICT (label_id, shard) DO UPDATE SET
    links = label_link_counts.links + excluded.links,
    archived_links = label_link_counts.archived_links + excluded.archived_links`,
}

/** By label; one without links may be absent. */
export async function labelCounts(
  db: AnyDb,
  labelIds: readonly number[],
): Promise<ReadonlyMap<number, LabelCount>> {
  if (labelIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('label_link_counts')
    .select((eb) => [
      'label_id',
      eb.fn.sum<number>('links').as('links'),
      eb.fn.sum<number>('archived_links').as('archived'),
    ])
    .where('label_id', 'in', labelIds)
    .groupBy('label_id')
    .execute()
  return new Map(
    rows.map(({ label_id: id, links, archived }) => [
      id,
      { links: Number(links), archived: Number(archived) },
    ]),
  )
}
