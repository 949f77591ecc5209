import { type Kysely, sql } from 'kysely'
import { hashDestinations } from './hash-destinations.ts'

export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE links ADD COLUMN destination_hash INTEGER`.execute(db)
  await sql`ALTER TABLE deleted_links ADD COLUMN destination_hash INTEGER`.execute(db)
  await hashDestinations(db)
}
