import { MOVED_TABLES } from './moved-tables.ts'
import type { PostgresLine } from './postgres-line.ts'

/** To make an index with; more would be too much for a small server. */
const INDEX_MEMORY = '256MB'

type Part = { remove: string; make: string }

const TABLES = `ARRAY[${MOVED_TABLES.map((table) => `'${table}'`).join(', ')}]::regclass[]`

/** Foreign keys come before the unique columns that they refer to. */
const CONSTRAINTS = `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
  FROM pg_constraint WHERE contype IN ('f', 'u') AND conrelid = ANY(${TABLES}) ORDER BY contype, conname`

/** Those of partitions are made with each partition. */
const INDEXES = `SELECT format('DROP INDEX %s', indexrelid::regclass) AS remove, pg_get_indexdef(indexrelid) AS make
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  WHERE indrelid = ANY(${TABLES}) AND relkind = 'r' AND NOT indisprimary
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype = 'u')
  ORDER BY indexrelid::regclass::text`

/**
 * Removes what is kept up row by row (foreign keys, and all indexes but those of the primary keys), which takes several
 * times as long as to make it of all rows at once. In a transaction; what it gives makes everything anew.
 */
export async function takeDown(line: PostgresLine): Promise<() => Promise<void>> {
  const parts = [...(await line.run<Part>(CONSTRAINTS)), ...(await line.run<Part>(INDEXES))]
  for (const { remove } of parts) await line.run(remove)
  return async () => {
    await line.run(`SET LOCAL maintenance_work_mem = '${INDEX_MEMORY}'`)
    for (const { make } of parts.toReversed()) await line.run(make)
  }
}
