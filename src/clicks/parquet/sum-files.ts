import { HOUR_US } from '../../runtime/clock.ts'
import { COMMON_VALUES } from '../../store/click-dimensions.ts'
import { NO_OPEN_CLICKS, scanOf } from './compile-query.ts'
import type { ForgottenLinks } from './click-files.ts'
import type { DuckDbConnection, Value } from './duckdb.ts'

/** Sums over files, to be compared with kept counters: each row begins with its key. */
export type FileSums = {
  /** link, clicks, visitors, bots */
  links: number[][]
  /** workspace, hour, clicks, visitors of the workspace, bots, and clicks with another value than most of each of `COMMON_VALUES` */
  hours: number[][]
}

export async function sumFiles(
  connection: DuckDbConnection,
  { names, forgotten }: { names: readonly string[]; forgotten: ForgottenLinks },
): Promise<FileSums> {
  if (names.length === 0) return { links: [], hours: [] }
  const values: Value[] = []
  const parameter = (value: Value) => `$${values.push(value)}`
  const scan = scanOf(names, parameter, { from: NO_OPEN_CLICKS, forgotten })
  const rowsOf = async (columns: readonly string[], groupBy: string) => {
    const text = `SELECT ${columns.join(', ')} FROM (${scan}) GROUP BY ${groupBy}`
    return (await connection.rows(text, values)) as number[][]
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
