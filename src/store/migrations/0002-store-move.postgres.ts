import { type Kysely, sql } from 'kysely'

/** What this store is called among stores, so that a move between two can tell where it stands. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE store_identity (
    id TEXT COLLATE "C" NOT NULL,
    filled_from TEXT COLLATE "C",
    moved_to TEXT COLLATE "C",
    moved_place TEXT COLLATE "C",
    moved_at BIGINT
  )`.execute(db)
  await sql`INSERT INTO store_identity (id) VALUES (replace(gen_random_uuid()::text, '-', ''))`.execute(db)
}
