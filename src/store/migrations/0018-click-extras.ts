import { type Kysely, sql } from 'kysely'

/** Single clicks say what only some of them have. NULL for the others, which changes no row. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`ALTER TABLE clicks ADD COLUMN extras TEXT`.execute(db)
}
