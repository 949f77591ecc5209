import { type Kysely, sql } from 'kysely'

/** What the last look at a domain has found of its DNS records, for domains that are not verified too. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE domains ADD COLUMN dns_failure TEXT`.execute(db)
  await sql`ALTER TABLE domains ADD COLUMN found_addresses TEXT`.execute(db)
}
