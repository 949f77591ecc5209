import { sql } from 'kysely'
import { HOUR_US } from '../../runtime/clock.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { COMMON_VALUES } from '../../store/click-dimensions.ts'
import type { FileSums } from '../parquet/sum-files.ts'
import { checkClickTable, countedBatches, DELETIONS, isCounted } from './click-table.ts'
import type { ClickHouse } from './clickhouse.ts'

const SUM_MS_MAX = 600_000

/** Sums over the batches that count, to be compared with kept counters. */
export async function sumBatches(clickHouse: ClickHouse, db: CurrentDb): Promise<FileSums> {
  const batches = await countedBatches(db)
  if (batches.batch === 0) return { links: [], hours: [] }
  await checkClickTable(clickHouse, db)
  const rowsOf = (keys: string, columns: readonly string[]) =>
    clickHouse.rows<number[]>(
      `SELECT ${[keys, ...columns]} FROM clicks WHERE ${isCounted(batches)} GROUP BY ${keys}`,
      { msMax: SUM_MS_MAX },
    )
  const others = Object.entries(COMMON_VALUES).map(
    ([name, value]) => `sumIf(clicks, \`${name}\` != '${value}')`,
  )
  const ofWorkspace = ['sum(clicks)', 'sum(workspace_visitors)', 'sum(bots)', ...others]
  return {
    links: await rowsOf('link_id', ['sum(clicks)', 'sum(visitors)', 'sum(bots)']),
    hours: await rowsOf(`workspace_id, intDiv(clicked_at, ${HOUR_US})`, ofWorkspace),
  }
}

/** Clicks and bots: in ClickHouse, and how many should be there by the counters, at the same moment. */
export async function compareTotals(
  clickHouse: ClickHouse,
  db: CurrentDb,
): Promise<{ batch: number; stored: number; expected: number }> {
  const { rows } = await sql<{ batch: number; counted: number; open: number; deletions: string }>`
    SELECT batch, ${DELETIONS} AS deletions, (SELECT coalesce(sum(clicks + bots), 0) FROM workspace_totals) AS counted,
      (SELECT coalesce(sum(clicks + bots), 0) FROM clicks) AS open FROM clickhouse_progress`.execute(db)
  const { batch, counted, open, deletions } = rows[0]!
  const [sum] = await clickHouse.rows<[number]>(
    `SELECT sum(clicks + bots) FROM clicks WHERE ${isCounted({ batch, deletions: JSON.parse(deletions) })}`,
    { msMax: SUM_MS_MAX },
  )
  return { batch, stored: sum![0], expected: Number(counted) - Number(open) }
}
