import { type CountedBatches, isCounted } from './click-table.ts'
import type { ClickHouse } from './clickhouse.ts'

/** A page also has the other clicks of its last quarter of an hour and link. */
const PAGE_ROWS = 10_000

type Facts = { workspaceId: number; counted: CountedBatches; columns: readonly string[] }

/** The clicks of a workspace that count, by link and time. Values are in the order of the columns. */
export async function* pageFacts(
  clickHouse: ClickHouse,
  { columns, counted, workspaceId }: Facts,
): AsyncGenerator<(number | string)[][]> {
  let last = { linkId: -1, quarter: -1 }
  for (;;) {
    const rows = await clickHouse.rows<(number | string)[]>(
      `SELECT link_id, quarter_at, ${columns.map((name) => `\`${name}\``)} FROM clicks
       WHERE workspace_id = {workspaceId:Int64} AND ${isCounted(counted)}
       AND link_id >= {linkId:Int64} AND (link_id, quarter_at) > ({linkId:Int64}, {quarter:Int64})
       ORDER BY link_id, quarter_at LIMIT ${PAGE_ROWS} WITH TIES`,
      { values: { workspaceId, ...last } },
    )
    if (rows.length === 0) return
    const [linkId, quarter] = rows.at(-1) as [number, number]
    last = { linkId, quarter }
    yield rows.map(([, , ...values]) => values)
  }
}
