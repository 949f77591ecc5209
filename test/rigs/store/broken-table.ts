import { sql } from 'kysely'
import { type AnyDb, kyselyOf } from '../../../src/store/handles.ts'

/**
 * Works beside a table without the columns that statements name, which is a bug on both engines:
 * a missing table would count as an outage of PostgreSQL.
 */
export async function withoutColumns<Value>(
  db: AnyDb,
  table: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const run = (statement: string) => sql.raw(statement).execute(kyselyOf(db))
  await run(`ALTER TABLE ${table} RENAME TO ${table}_away`)
  await run(`CREATE TABLE ${table} (unrelated INTEGER)`)
  try {
    return await work()
  } finally {
    await run(`DROP TABLE ${table}`)
    await run(`ALTER TABLE ${table}_away RENAME TO ${table}`)
  }
}
