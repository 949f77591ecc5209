import { type Kysely, sql } from 'kysely'
import { foldSearch } from '../fold-search.ts'

const ROWS_AT_ONCE = 500

/** Texts of searches without accents. Those in ASCII have none, and are not read. */
export async function foldLinkTexts(
  db: Kysely<any>,
  isOther: ReturnType<typeof sql<boolean>>,
): Promise<void> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; text: string }>`SELECT link_id AS id, text FROM link_texts
      WHERE link_id > ${after} AND ${isOther} ORDER BY link_id LIMIT ${ROWS_AT_ONCE}`.execute(db)
    if (rows.length === 0) return
    const folded = rows.map(({ id, text }) => sql`(CAST(${id} AS BIGINT), CAST(${foldSearch(text)} AS TEXT))`)
    await sql`UPDATE link_texts SET text = column2
      FROM (VALUES ${sql.join(folded)}) AS folded WHERE link_id = column1`.execute(db)
    after = rows.at(-1)!.id
  }
}
