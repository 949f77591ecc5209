import { sql } from 'kysely'
import { HOUR_US } from '../../runtime/clock.ts'
import type { Tx } from '../../store/handles.ts'
import { forgetLink, listClickFiles } from '../parquet/click-files.ts'
import type { ClickRow } from '../queries/click-query.ts'

/** Where clicks are that are not in the table: nowhere, in these files, or in ClickHouse up to this batch. */
export type MovedPlace =
  { kind: 'none' } | { kind: 'files'; names: readonly string[] } | { kind: 'batches'; batch: number }

/** The answer to a query about clicks that are not in the table, and where they were read. */
export type MovedClicks = { groups: ClickRow[][]; place: MovedPlace }

/** Whether all moved clicks are still where they were read, until the transaction ends. */
export async function isStillThere(tx: Tx, place: MovedPlace): Promise<boolean> {
  if (place.kind === 'none') return true
  if (place.kind === 'files') {
    const files = await listClickFiles(tx)
    return Bun.deepEquals(
      files.map(({ name }) => name),
      place.names,
    )
  }
  const { rows } = await sql<{ batch: number }>`SELECT batch FROM clickhouse_progress FOR UPDATE`.execute(tx)
  return rows[0]!.batch === place.batch
}

/** From then on the link's clicks there do not count. The job that moves clicks removes them. */
export async function forgetMoved(tx: Tx, linkId: number, { groups, place }: MovedClicks): Promise<void> {
  const hours = (groups[0] ?? []).map(({ keys: [hour] }) => Number(hour))
  if (hours.length === 0 || place.kind === 'none') return
  if (place.kind === 'batches') {
    await sql`INSERT INTO clickhouse_deletions (link_id, batch) VALUES (${linkId}, ${place.batch})
      ON CONFLICT (link_id) DO UPDATE SET batch = excluded.batch`.execute(tx)
    return
  }
  const fromUs = Math.min(...hours) * HOUR_US
  const toUs = (Math.max(...hours) + 1) * HOUR_US
  const files = (await listClickFiles(tx)).filter((file) => file.from_us < toUs && file.to_us > fromUs)
  const names = files.map(({ name }) => name)
  await forgetLink(tx, linkId, names)
}
