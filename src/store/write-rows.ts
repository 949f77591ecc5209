import { CompiledQuery } from 'kysely'
import type { Db } from './open-store.ts'
import type { Database } from './schema.ts'

/** Where rows go and what becomes of those that are there already. */
export type RowTarget = {
  table: keyof Database
  columns: readonly string[]
  /** What follows `VALUES …`, in the SQL that both engines understand: ON CONFLICT, RETURNING. */
  then?: string
}

/**
 * Rows per statement, the most first. Few sizes, so that few statements have to be prepared; beyond 64 SQLite gains
 * nothing (1.2 µs a row, against 2.4 alone), and building such statements anew took longer than running them.
 */
const STATEMENT_ROWS = [64, 8, 1] as const

const statements = new WeakMap<RowTarget, Map<number, CompiledQuery>>()

/** Writes many rows, each with its values in the order of the columns. Gives what `RETURNING` returned. */
export async function writeRows<Returned = never>(
  tx: Db,
  target: RowTarget,
  rows: readonly (readonly unknown[])[],
): Promise<Returned[]> {
  const returned: Returned[] = []
  for (let from = 0; from < rows.length;) {
    const count = STATEMENT_ROWS.find((size) => size <= rows.length - from)!
    const parameters: unknown[] = []
    for (let at = from; at < from + count; at++) parameters.push(...rows[at]!)
    // The same statement with other parameters; CompiledQuery.raw would freeze them, which takes longer than the insert.
    const { rows: some } = await tx.executeQuery<Returned>({ ...statementOf(target, count), parameters })
    for (const row of some) returned.push(row)
    from += count
  }
  return returned
}

function statementOf(target: RowTarget, count: number): CompiledQuery<any> {
  const known = statements.get(target) ?? new Map<number, CompiledQuery>()
  statements.set(target, known)
  const statement = known.get(count) ?? CompiledQuery.raw(insertText(target, count))
  known.set(count, statement)
  return statement
}

function insertText({ table, columns, then = '' }: RowTarget, count: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(count).fill(row).join(', ')} ${then}`
}
