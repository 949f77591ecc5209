import { type Kysely, sql } from 'kysely'
import { foldLinkTexts } from './fold-link-texts.ts'

const IS_OTHER = sql<boolean>`length(CAST(text AS BLOB)) <> length(text)`
/** With more, it is faster to rebuild the index in the background. Until then, searches also read what it lacks. */
const REINDEXED_MAX = 5_000

export async function up(db: Kysely<any>): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM link_texts WHERE ${IS_OTHER} LIMIT ${REINDEXED_MAX + 1}`.execute(
    db,
  )
  if (rows.length > REINDEXED_MAX) {
    await sql`INSERT INTO link_search (link_search) VALUES ('delete-all')`.execute(db)
    await sql`UPDATE link_search_progress SET indexed_to = 0`.execute(db)
  }
  await foldLinkTexts(db, IS_OTHER)
}
