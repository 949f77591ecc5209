import { rmSync } from 'node:fs'
import { DAY_US } from '../../runtime/clock.ts'
import { DIMENSIONS } from '../../store/click-dimensions.ts'
import { COUNT_COLUMNS } from '../facts/fact-columns.ts'
import { QUARTER_US } from '../../runtime/clock.ts'
import type { DuckDbConnection, Value } from './duckdb.ts'
import { EngineError } from './engine-error.ts'
import { FACT_TABLE } from './open-clicks.ts'
import {
  type ClickFile,
  isCoarseFile,
  type Source,
  UNFINISHED,
  writeFile,
  writeRows,
} from './parquet-file.ts'
import { scanOf } from './compile-query.ts'
import type { ForgottenLinks } from './click-files.ts'

export type ForgottenIds = { linkIds: readonly number[]; workspaceIds: readonly number[] }

export type Rewriting = {
  names: readonly string[]
  /** The clicks of these are left out. */
  withoutWorkspaces?: readonly number[]
  /** So are these, of each file. */
  forgotten?: ForgottenLinks
  /** Joins the facts of each quarter of an hour that differ in nothing else. */
  coarsens?: boolean
}

/** An empty table, which gives columns to files that lack them. */
const NO_CLICKS = 'no_clicks'

/** Writes the rows of some files into one new file, without those that are forgotten. Undefined if none are left. */
export async function rewriteFiles(
  connection: DuckDbConnection,
  rewriting: Rewriting,
): Promise<ClickFile | undefined> {
  await connection.all(`CREATE TEMP TABLE ${NO_CLICKS} ${FACT_TABLE}`)
  const source = sourceOf(rewriting)
  return rewriting.coarsens === true ? writeCoarse(connection, source) : writeFile(connection, source)
}

/** Those of the files that have clicks of these links or workspaces. */
export async function filesWith(
  connection: DuckDbConnection,
  { names, linkIds, workspaceIds }: ForgottenIds & { names: readonly string[] },
): Promise<string[]> {
  if (names.length === 0) return []
  const namesWith = (column: string, ids: readonly number[]) =>
    connection.all<{ filename: string }>(
      `SELECT DISTINCT filename FROM read_parquet($1, union_by_name = true, filename = true)
       WHERE ${column} IN (SELECT unnest($2::BIGINT[]))`,
      [[...names], ids.map(BigInt)],
    )
  const rows = [...(await namesWith('link_id', linkIds)), ...(await namesWith('workspace_id', workspaceIds))]
  return [...new Set(rows.map(({ filename }) => filename))].sort()
}

function sourceOf({ names, withoutWorkspaces = [], forgotten }: Rewriting): Source {
  const values: Value[] = []
  const parameter = (value: Value) => `$${values.push(value)}`
  const texts = DIMENSIONS.map((name) => `coalesce("${name}", '') AS "${name}"`)
  const rows = `SELECT * REPLACE (${texts.join(', ')}) FROM (${scanOf(names, parameter, { from: NO_CLICKS, forgotten })})`
  const isCoarse = names.every(isCoarseFile)
  if (withoutWorkspaces.length === 0) return { from: `(${rows})`, values, isCoarse }
  const ids = parameter(withoutWorkspaces.map(BigInt))
  return { from: `(${rows} WHERE workspace_id NOT IN (SELECT unnest(${ids}::BIGINT[])))`, values, isCoarse }
}

/** Day by day, because grouping a month would need more memory than DuckDB may use. */
async function writeCoarse(connection: DuckDbConnection, source: Source): Promise<ClickFile | undefined> {
  const day = `clicked_at // ${DAY_US}`
  const days = await connection.all<{ day: number }>(
    `SELECT DISTINCT ${day} AS day FROM ${source.from}`,
    source.values,
  )
  if (days.length === 0) return undefined
  const paths: string[] = []
  try {
    for (const { day: number } of days) {
      const path = `${Bun.randomUUIDv7()}${UNFINISHED}`
      paths.push(path)
      const condition = `${day} = $${source.values.length + 1}`
      const values = [...source.values, BigInt(number)]
      await writeRows(connection, { from: joinedQuarters(source.from, condition), values }, path)
    }
    const coarse: Source = { from: 'read_parquet($1)', values: [paths], isCoarse: true }
    if (!Bun.deepEquals(await countsOf(connection, coarse), await countsOf(connection, source)))
      throw new EngineError('failed', 'Joined facts have other counts than those they were made of.')
    return await writeFile(connection, coarse)
  } finally {
    for (const path of paths) rmSync(path, { force: true })
  }
}

async function countsOf(connection: DuckDbConnection, { from, values }: Source): Promise<unknown> {
  const sums = COUNT_COLUMNS.map((name) => `sum(${name})::BIGINT`)
  return connection.all(`SELECT ${sums.join(', ')} FROM ${from}`, values)
}

function joinedQuarters(from: string, condition: string): string {
  const keys = ['workspace_id', 'link_id', ...DIMENSIONS.map((name) => `"${name}"`)]
  const sums = COUNT_COLUMNS.map((name) => `sum(${name})::INTEGER AS ${name}`)
  return `(SELECT ${keys.join(', ')}, clicked_at // ${QUARTER_US} * ${QUARTER_US} AS clicked_at, ${sums.join(', ')}
    FROM ${from} WHERE ${condition} GROUP BY ALL)`
}
