import { type Kysely, sql } from 'kysely'

/** How the QR code of a link looks. No redirect reads it. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE links ADD COLUMN qr_style TEXT`.execute(db)
  await sql`ALTER TABLE deleted_links ADD COLUMN qr_style TEXT`.execute(db)
}
