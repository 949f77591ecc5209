import { type Kysely, sql } from 'kysely'

/** How the QR code of a link looks. No redirect reads it. */
export async function up(db: Kysely<any>): Promise<void> {
  // In the order in which a creation locks them, so that neither waits for the other.
  await sql`LOCK TABLE links, deleted_links IN ACCESS EXCLUSIVE MODE`.execute(db)
  await sql`ALTER TABLE links ADD COLUMN qr_style TEXT COLLATE "C"`.execute(db)
  await sql`ALTER TABLE deleted_links ADD COLUMN qr_style TEXT COLLATE "C"`.execute(db)
}
