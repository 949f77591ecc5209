import { sql } from 'kysely'
import type { AnyDb } from '../../store/handles.ts'

/** Read in a statement; about 20 ms. */
const LINKS_PER_STATEMENT = 10_000

/** Whether a link was edited since its import, or clicked. Clicks count once they are in the counters. */
const IS_IN_USE = sql<number>`CASE
  WHEN links.updated_at <> links.imported_at OR link_totals.last_clicked_at > links.imported_at THEN 1 ELSE 0 END`

/** The next links of an import that are not in the trash, by id. */
export function nextImportedLinks(
  db: AnyDb,
  { importId, after, limit }: { importId: number; after: number; limit: number },
) {
  return db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .select(['links.id', IS_IN_USE.as('isInUse')])
    .where('links.import_id', '=', importId)
    .where('links.id', '>', after)
    .orderBy('links.id')
    .limit(limit)
}

/** How many links of an import there are now, and how many of them are in use. In steps, between which others are served. */
export async function countImportedLinks(
  { db }: { db: AnyDb },
  importId: number,
): Promise<{ links: number; inUse: number }> {
  const sum = { links: 0, inUse: 0 }
  for (let after = 0; ;) {
    const next = nextImportedLinks(db, { importId, after, limit: LINKS_PER_STATEMENT })
    const { count, inUse, last } = await db
      .selectFrom(next.as('next'))
      .select((eb) => [
        eb.fn.countAll<number>().as('count'),
        eb.fn.sum<number | null>('isInUse').as('inUse'),
        eb.fn.max<number | null>('id').as('last'),
      ])
      .executeTakeFirstOrThrow()
    sum.links += Number(count)
    sum.inUse += Number(inUse ?? 0)
    if (last === null || Number(count) < LINKS_PER_STATEMENT) return sum
    after = last
  }
}
