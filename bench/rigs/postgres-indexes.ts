import type { SQL } from 'bun'

/** Enough to sort the trigrams of ten million links in few pieces. */
const BUILD_MEMORY = '2GB'

type Dropped = { drop: string; make: string }

/** Drops indexes and foreign keys of the tables. The function that it gives makes them again, as they were. */
export async function dropIndexes(sql: SQL, tables: readonly string[]): Promise<() => Promise<void>> {
  const names = tables.map((name) => `'${name}'::regclass`).join(', ')
  const dropped: Dropped[] = [
    ...(await sql.unsafe(`
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
      FROM pg_constraint WHERE contype = 'f' AND conrelid IN (${names})`)),
    ...(await sql.unsafe(`
      SELECT format('DROP INDEX %s', indexrelid::regclass) AS drop, pg_get_indexdef(indexrelid) AS make
      FROM pg_index WHERE indrelid IN (${names})
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`)),
  ]
  for (const { drop } of dropped) await sql.unsafe(drop)
  return async () => {
    await sql.unsafe(`SET maintenance_work_mem = '${BUILD_MEMORY}'`)
    for (const { make } of dropped) await sql.unsafe(make)
  }
}
