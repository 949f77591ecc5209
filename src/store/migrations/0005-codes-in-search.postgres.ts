import { type Kysely, sql } from 'kysely'

/** A search looks in codes too. To rebuild the index takes less time and room than to change every row of it. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`DROP INDEX link_texts_by_trigrams`.execute(db)
  await sql`UPDATE link_texts SET text = text || chr(10) || lower(links.code)
    FROM links WHERE links.id = link_texts.link_id`.execute(db)
  await sql`CREATE INDEX link_texts_by_trigrams ON link_texts USING gin (text gin_trgm_ops)`.execute(db)
}
