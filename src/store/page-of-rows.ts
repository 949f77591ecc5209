import type { SelectQueryBuilder } from 'kysely'

/** `page` counts from 1. */
export type Page = { page: number; perPage: number }

/** One page of the rows of an ordered query, and how many rows it has in all. */
export async function readPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { page, perPage }: Page,
): Promise<{ rows: Row[]; total: number }> {
  const { total } = await query
    .clearSelect()
    .clearOrderBy()
    .select((eb) => eb.fn.countAll().as('total'))
    .$castTo<{ total: number | bigint }>()
    .executeTakeFirstOrThrow()
  const rows = await query
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return { rows, total: Number(total) }
}
