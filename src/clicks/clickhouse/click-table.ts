import { sql } from 'kysely'
import { QUARTER_US } from '../../runtime/clock.ts'
import type { AnyDb } from '../../store/handles.ts'
import { DIMENSIONS } from '../../store/click-dimensions.ts'
import { COUNT_COLUMNS } from '../facts/fact-columns.ts'
import { EngineError } from '../parquet/engine-error.ts'
import type { ClickHouse, Value } from './clickhouse.ts'

/**
 * The columns that are stored. A time is in two, because only one that is no key can be changed later: the quarter of an hour, and what
 * is past of it, which is kept for RAW_CLICK_DAYS.
 */
const COLUMN_TYPES: Readonly<Record<string, string>> = {
  batch: 'UInt64',
  /** Of inserting the batch. */
  attempt: 'UUID',
  workspace_id: 'Int64',
  link_id: 'Int64',
  quarter_at: 'Int64',
  past_quarter: 'UInt32',
  ...Object.fromEntries(DIMENSIONS.map((name) => [name, 'LowCardinality(String)'])),
  ...Object.fromEntries(COUNT_COLUMNS.map((name) => [name, 'UInt32'])),
}

export const INSERTED_COLUMNS = Object.keys(COLUMN_TYPES)

/** The table remembers the tokens of this many inserts; by default it would remember none. */
const TOKENS = 10_000

const createTable = (comment: string) => `
  CREATE TABLE IF NOT EXISTS clicks (
    ${Object.entries(COLUMN_TYPES).map(([name, type]) => `\`${name}\` ${type} CODEC(ZSTD)`)},
    clicked_at Int64 ALIAS quarter_at + past_quarter,
    INDEX batches batch TYPE minmax GRANULARITY 1
  )
  ENGINE = MergeTree
  PARTITION BY toYYYYMM(fromUnixTimestamp64Micro(quarter_at, 'UTC'))
  ORDER BY (workspace_id, link_id, quarter_at)
  SETTINGS non_replicated_deduplication_window = ${TOKENS}, fsync_after_insert = 1, fsync_part_directory = 1
  COMMENT '${comment}'`

/** Versions before a dimension did not make its column. */
const ADD_DIMENSIONS = `ALTER TABLE clicks ${DIMENSIONS.map(
  (name) => `ADD COLUMN IF NOT EXISTS \`${name}\` ${COLUMN_TYPES[name]} CODEC(ZSTD)`,
)}`

/** Makes the table before the first batch. Afterwards it must be there. */
export async function prepareClickTable(clickHouse: ClickHouse, db: AnyDb): Promise<void> {
  if ((await lastBatch(db)) === 0) await clickHouse.run(createTable(await commentOf(db)))
  await checkClickTable(clickHouse, db)
  await clickHouse.run(ADD_DIMENSIONS)
}

/** Throws if the clicks there are not those of this store. */
export async function checkClickTable(clickHouse: ClickHouse, db: AnyDb): Promise<void> {
  const [table] = await clickHouse.rows<[comment: string]>(
    `SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = 'clicks'`,
  )
  if (table?.[0] === (await commentOf(db))) return
  const fault =
    table === undefined ? 'has no table clicks' : 'has the clicks of another store, or another table clicks'
  throw new EngineError('failed', `The database that CLICKHOUSE_URL names ${fault}.`)
}

/** A copy of the database has the same. */
async function commentOf(db: AnyDb): Promise<string> {
  const { id } = await db.selectFrom('store_identity').select('id').executeTakeFirstOrThrow()
  return `Clicks of the Tern store ${id}`
}

/** The number of the last batch that was moved to ClickHouse; 0: none. Later ones there do not count. */
export async function lastBatch(db: AnyDb): Promise<number> {
  const { rows } = await sql<{ batch: number }>`SELECT batch FROM clickhouse_progress`.execute(db)
  return rows[0]!.batch
}

/** Clicks of a link up to a batch: they do not count, and are removed before long. */
export type ClickDeletion = readonly [linkId: number, batch: number]

/** Which batches count, and what of them does not. */
export type CountedBatches = { batch: number; deletions: readonly ClickDeletion[] }

/** A value of a statement of PostgreSQL: the deletions, as JSON. */
export const DELETIONS = sql<string>`(SELECT coalesce(json_agg(json_build_array(link_id, batch) ORDER BY link_id), '[]')::TEXT
  FROM clickhouse_deletions)`

export async function countedBatches(db: AnyDb): Promise<CountedBatches> {
  const { rows } = await sql<{ batch: number; deletions: string }>`
    SELECT batch, ${DELETIONS} AS deletions FROM clickhouse_progress`.execute(db)
  return { batch: rows[0]!.batch, deletions: JSON.parse(rows[0]!.deletions) }
}

/** What is true of the clicks that count. */
export const isCounted = ({ batch, deletions }: CountedBatches): string =>
  [`batch <= ${BigInt(batch)}`, ...deletions.map((deletion) => `NOT ${isDeleted(deletion)}`)].join(' AND ')

export const isDeleted = ([linkId, batch]: ClickDeletion): string =>
  `(link_id = ${BigInt(linkId)} AND batch <= ${BigInt(batch)})`

/** The values of `INSERTED_COLUMNS`. */
export function valuesOf(
  fact: Readonly<Record<string, number | string>>,
  { batch, attempt }: { batch: number; attempt: string },
): Value[] {
  const pastQuarter = Number(fact.clicked_at) % QUARTER_US
  const quarter = Number(fact.clicked_at) - pastQuarter
  const row = { ...fact, batch, attempt, quarter_at: quarter, past_quarter: pastQuarter }
  return INSERTED_COLUMNS.map((name) => row[name as keyof typeof row]!)
}
