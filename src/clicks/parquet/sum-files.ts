import { HOUR_US } from '../../runtime/clock.ts'
import { COMMON_VALUES } from '../facts/dimensions.ts'
import type { DuckDbConnection } from './duckdb.ts'

/** Sums over files, to be compared with kept counters: each row begins with its key. */
export type FileSums = {
  /** link, clicks, visitors, bots */
  links: number[][]
  /** workspace, hour, clicks, visitors of the workspace, bots, and clicks with another value than most of each of `COMMON_VALUES` */
  hours: number[][]
}

export async function sumFiles(
  connection: DuckDbConnection,
  { names }: { names: readonly string[] },
): Promise<FileSums> {
  if (names.length === 0) return { links: [], hours: [] }
  const rowsOf = async (columns: readonly string[], groupBy: string) => {
    const text = `SELECT ${columns.join(', ')} FROM read_parquet($1, union_by_name = true) GROUP BY ${groupBy}`
    return (await connection.rows(text, [[...names]])) as number[][]
  }
  const sum = (column: string) => `sum(${column})::BIGINT`
  const hour = `clicked_at // ${HOUR_US}`
  const counts = [sum('clicks'), sum('workspace_visitors'), sum('bots')]
  const others = Object.entries(COMMON_VALUES).map(
    ([name, value]) =>
      `coalesce(sum(clicks) FILTER (coalesce("${name}", '${value}') <> '${value}'), 0)::BIGINT`,
  )
  return {
    links: await rowsOf(['link_id', sum('clicks'), sum('visitors'), sum('bots')], 'link_id'),
    hours: await rowsOf(['workspace_id', hour, ...counts, ...others], `workspace_id, ${hour}`),
  }
}
