import { DAY_US } from '../../runtime/clock.ts'
import type { DuckDbConnection } from './duckdb.ts'
import { appendClicks, BEFORE_ALL_IDS, FACT_TABLE, type SqliteReader } from './open-clicks.ts'
import { type ClickFile, writeFile } from './parquet-file.ts'

const DAY = `clicked_at // ${DAY_US}`

/** Writes the clicks up to this id of the table `clicks` into files, one for each UTC day. */
export async function closeClicks(
  connection: DuckDbConnection,
  database: SqliteReader,
  upToId: number,
): Promise<ClickFile[]> {
  await connection.all(`CREATE TEMP TABLE closing ${FACT_TABLE}`)
  await appendClicks(connection, 'closing', { database, afterId: BEFORE_ALL_IDS, upToId })
  return writeDays(connection)
}

async function writeDays(connection: DuckDbConnection): Promise<ClickFile[]> {
  const days = await connection.all<{ day: number }>(
    `SELECT DISTINCT ${DAY} AS day FROM closing ORDER BY day`,
  )
  const files: ClickFile[] = []
  for (const { day } of days) {
    const from = `(SELECT * FROM closing WHERE ${DAY} = $1)`
    const file = await writeFile(connection, { from, values: [BigInt(day)] })
    files.push(file!)
  }
  return files
}
