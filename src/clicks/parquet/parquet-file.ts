import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isoDay, dayOf } from '../../runtime/clock.ts'
import { COUNT_COLUMNS, FACT_COLUMNS } from '../facts/fact-columns.ts'
import { type Files, realFiles } from '../journal/files.ts'
import type { DuckDbConnection, Value } from './duckdb.ts'
import { EngineError } from './engine-error.ts'

/** A row of the table `click_files`: a file that is complete and on the disk, and never changes. */
export type ClickFile = {
  name: string
  /** Of its first click. */
  from_us: number
  /** After its last click. */
  to_us: number
  rows: number
  sha256: string
}

/**
 * DuckDB's default. Smaller groups skip more rows, but each costs time: in a file of 3.4 million clicks, groups of 30,000 take twice the CPU,
 * for one link as for all.
 */
const ROW_GROUP_ROWS = 122_880
/** A link's clicks are then in few row groups. */
const SORTED_BY = 'workspace_id, link_id, clicked_at'

/** Of a file that is still being written. */
export const UNFINISHED = '.next'
/** Ends the names of files whose times are whole quarters of an hour. */
const COARSE = '.15m'

/** `2026-04-20-0193b1c0-….parquet`: the day of the first click, and an id that makes the name the only one ever. */
const newFileName = (fromUs: number, isCoarse: boolean) =>
  `${isoDay(dayOf(fromUs))}-${Bun.randomUUIDv7()}${isCoarse ? COARSE : ''}.parquet`

export const isFileName = (name: string): boolean =>
  /^\d{4}-\d{2}-\d{2}-[0-9a-f-]{36}(\.15m)?\.parquet$/.test(name)

export const isCoarseFile = (name: string): boolean => name.endsWith(`${COARSE}.parquet`)

/** Rows of a table or of files: what follows FROM, and its values. */
export type Source = { from: string; values: Value[]; isCoarse?: boolean }

type Summary = { rows: number; fromUs: number; lastUs: number; checksum: string } & Record<string, unknown>

/** Writes the rows into a new file of the current folder. Undefined if there are none. The caller enters it in `click_files`. */
export async function writeFile(
  connection: DuckDbConnection,
  source: Source,
): Promise<ClickFile | undefined> {
  const expected = await summaryOf(connection, source)
  if (expected.rows === 0) return undefined
  const name = newFileName(expected.fromUs, source.isCoarse === true)
  const unfinished = name + UNFINISHED
  try {
    await writeRows(connection, source, unfinished)
    const written = await summaryOf(connection, { from: 'read_parquet($1)', values: [unfinished] })
    if (!Bun.deepEquals(written, expected))
      throw new EngineError('failed', `${unfinished} has other rows than were written to it.`)
    await finishFile(realFiles, { folder: '.', name })
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
  const { fromUs, lastUs, rows } = expected
  return { name, from_us: fromUs, to_us: lastUs + 1, rows, sha256: await sha256Of(name) }
}

/** From then on the file is there under its name, also after a power failure. */
export async function finishFile(
  files: Pick<Files, 'syncFile' | 'rename' | 'syncFolder'>,
  { folder, name }: { folder: string; name: string },
): Promise<void> {
  const path = join(folder, name)
  await files.syncFile(path + UNFINISHED)
  await files.rename(path + UNFINISHED, path)
  await files.syncFolder(folder)
}

export async function writeRows(
  connection: DuckDbConnection,
  { from, values }: Source,
  path: string,
): Promise<void> {
  await connection.all(
    `COPY (SELECT ${columns} FROM ${from} ORDER BY ${SORTED_BY}) TO $${values.length + 1}
     (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS})`,
    [...values, path],
  )
}

/** What has become of a file that should be as it was written. With its SHA-256 it also has its rows, which were read back then. */
export async function findDamage({
  path,
  sha256,
}: {
  path: string
  sha256: string
}): Promise<'missing' | 'damaged' | undefined> {
  if (!existsSync(path)) return 'missing'
  // A disk that cannot read it has lost it.
  const sum = await sha256Of(path).catch(() => undefined)
  return sum === sha256 ? undefined : 'damaged'
}

async function sha256Of(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const bytes of Bun.file(path).stream()) hash.update(bytes)
  return hash.digest('hex')
}

const columns = FACT_COLUMNS.map((name) => `"${name}"`).join(', ')

/** What tells whether two sources have the same rows, in whatever order. */
async function summaryOf(connection: DuckDbConnection, { from, values }: Source): Promise<Summary> {
  const [summary] = await connection.all<Summary>(
    `SELECT count(*) AS rows, min(clicked_at) AS "fromUs", max(clicked_at) AS "lastUs",
       ${COUNT_COLUMNS.map((name) => `sum(${name})::BIGINT AS ${name}`)}, sum(hash(${columns}))::VARCHAR AS checksum
     FROM ${from}`,
    values,
  )
  return summary!
}
