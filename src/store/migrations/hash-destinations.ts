import { type Kysely, sql } from 'kysely'
import { destinationHash } from '../destination-hash.ts'

/** At most 8 MB of destinations. */
const ROWS_AT_ONCE = 1_000

/**
 * Finds links by a hash of their destination. PostgreSQL could compute one of its own in the index, but both engines have the
 * same columns, which a move copies.
 */
export async function hashDestinations(db: Kysely<any>): Promise<void> {
  await fill(db, 'links')
  await fill(db, 'deleted_links')
  await sql`CREATE INDEX links_by_destination ON links (account_id, destination_hash, id DESC)`.execute(db)
}

async function fill(db: Kysely<any>, name: string): Promise<void> {
  const table = sql.table(name)
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; href: string }>`
      SELECT id, coalesce(target_url, original_url) AS href FROM ${table}
      WHERE id > ${after} ORDER BY id LIMIT ${ROWS_AT_ONCE}`.execute(db)
    if (rows.length === 0) return
    const hashes = rows.map(
      ({ id, href }) => sql`(CAST(${id} AS BIGINT), CAST(${destinationHash(href)} AS BIGINT))`,
    )
    await sql`UPDATE ${table} SET destination_hash = column2
      FROM (VALUES ${sql.join(hashes)}) AS hashed WHERE id = column1`.execute(db)
    after = rows.at(-1)!.id
  }
}
