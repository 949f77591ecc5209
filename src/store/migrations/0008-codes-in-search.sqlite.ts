import { type Kysely, sql } from 'kysely'

/** A search looks in codes too. The index begins empty and is filled in the background; a search reads what it lacks. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`INSERT INTO link_search (link_search) VALUES ('delete-all')`.execute(db)
  await sql`UPDATE link_search_progress SET indexed_to = 0`.execute(db)
  await sql`UPDATE link_texts SET text = text || char(10) || lower(links.code)
    FROM links WHERE links.id = link_texts.link_id`.execute(db)
}
