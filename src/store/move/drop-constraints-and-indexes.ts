import { MOVED_TABLES } from './moved-tables.ts'
import type { MoveConnection } from './move-connection.ts'

/** For building indexes. More would be too much for a small server. */
const INDEX_MEMORY = '256MB'

type Part = { remove: string; make: string }

const TABLES = `ARRAY[${MOVED_TABLES.map((table) => `'${table}'`).join(', ')}]::regclass[]`

/** Foreign keys first: they depend on the unique columns they refer to. */
const CONSTRAINTS = `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
  FROM pg_constraint WHERE contype IN ('f', 'u') AND conrelid = ANY(${TABLES}) ORDER BY contype, conname`

/** The indexes of a partition are created with it. */
const INDEXES = `SELECT format('DROP INDEX %s', indexrelid::regclass) AS remove, pg_get_indexdef(indexrelid) AS make
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE indrelid = ANY(${TABLES}) AND relkind = 'r' AND NOT indisprimary
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype = 'u')
  ORDER BY indexrelid::regclass::text`

/**
 * Drops foreign keys and all indexes except those of primary keys: keeping them up to date row by row takes several times
 * as long as building them once. Call it in a transaction. Returns a function that creates everything again.
 */
export async function dropConstraintsAndIndexes(connection: MoveConnection): Promise<() => Promise<void>> {
  const parts = [...(await connection.run<Part>(CONSTRAINTS)), ...(await connection.run<Part>(INDEXES))]
  for (const { remove } of parts) await connection.run(remove)
  return async () => {
    await connection.run(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`)
    for (const { make } of parts.toReversed()) await connection.run(make)
  }
}
