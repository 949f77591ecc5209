import { type Kysely, sql } from 'kysely'

/** What was found about domains that nobody has proven may name addresses of a private network. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`UPDATE domains SET dns_failure = NULL, found_addresses = NULL WHERE host IS NULL`.execute(db)
}
