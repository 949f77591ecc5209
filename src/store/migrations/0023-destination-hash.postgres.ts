import { type Kysely, sql } from 'kysely'
import { hashDestinations } from './hash-destinations.ts'

export async function up(db: Kysely<any>): Promise<void> {
  await sql`DROP INDEX links_by_destination`.execute(db)
  await sql`ALTER TABLE links ADD COLUMN destination_hash BIGINT`.execute(db)
  await sql`ALTER TABLE deleted_links ADD COLUMN destination_hash BIGINT`.execute(db)
  await hashDestinations(db)
}
