import { type Kysely, sql } from 'kysely'

/** What this store is called among stores, so that a move between two can tell where it stands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE store_identity (
    id TEXT NOT NULL,
    filled_from TEXT,
    moved_to TEXT,
    moved_place TEXT,
    moved_at INTEGER
  ) STRICT`.execute(db)
  await sql`INSERT INTO store_identity (id) VALUES (lower(hex(randomblob(16))))`.execute(db)
}
