import { Refusal } from '../../errors/refusal.ts'
import type { Column, RowStream, MoveReader, MoveSource } from './move-endpoint.ts'
import { type MovedTable, MOVED_TABLES, NUMBERED_TABLES } from './moved-tables.ts'
import { lineFeeds, type ReportProgress } from './progress.ts'

/** What both sides have of a table: the number of rows, and the SHA-256 of all of them, in order, with every column. */
export type ComparedTable = { table: MovedTable; rows: number; sha256: string }

type Digest = Omit<ComparedTable, 'table'>

/** Reads both sides again, completely. Refuses if anything differs. */
export async function compareTables(
  report: ReportProgress,
  source: MoveSource,
  destination: MoveReader,
): Promise<ComparedTable[]> {
  const results: ComparedTable[] = []
  const different: string[] = []
  for (const table of MOVED_TABLES) {
    const columns = await source.columnsOf(table)
    const count = await source.count(table)
    const [left, right] = await Promise.all([
      digestOf(source.lines({ table, columns }), () => {}),
      digestOf(destination.lines({ table, columns }), (rows) =>
        report({ step: 'compare', table, rows, of: count }),
      ),
    ])
    // Counted by the database, and again as they are read.
    const counts = new Set([count, await destination.count(table), left.rows, right.rows])
    const isSame =
      left.sha256 === right.sha256 &&
      counts.size === 1 &&
      isSameSet(columns, await destination.columnsOf(table))
    if (!isSame) different.push(`${table} (${left.rows} rows in the source, ${right.rows} in the target)`)
    results.push({ table, ...left })
  }
  different.push(...(await differentIds(source, destination)))
  if (different.length > 0) throw notTheSame(source, different)
  return results
}

/** In any order. */
function isSameSet(some: readonly Column[], others: readonly Column[]): boolean {
  const list = (columns: readonly Column[]) => columns.map(({ name, holds }) => `${name} ${holds}`).sort()
  return Bun.deepEquals(list(some), list(others))
}

const notTheSame = ({ location, identity }: MoveSource, different: readonly string[]) =>
  new Refusal(
    'command_failed',
    `What was moved differs from ${location}: ${different.join(', ')}. The move is not finished. ${
      identity.moved_to === null
        ? 'Run it again.'
        : 'Take the source into use again (tern store reopen), then run it again.'
    }`,
  )

async function digestOf(lines: RowStream, onRows: (rows: number) => unknown): Promise<Digest> {
  const hash = new Bun.CryptoHasher('sha256')
  let rows = 0
  for await (const some of lines) {
    hash.update(some)
    rows += lineFeeds(some)
    await onRows(rows)
  }
  return { rows, sha256: hash.digest('hex') }
}

async function differentIds(source: MoveReader, destination: MoveReader): Promise<string[]> {
  const left = await source.lastIds()
  const right = await destination.lastIds()
  return NUMBERED_TABLES.filter((table) => left[table] !== right[table]).map(
    (table) => `the last id of ${table} (${left[table]} in the source, ${right[table]} in the target)`,
  )
}
