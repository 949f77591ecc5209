import type { Db } from '../store/open-store.ts'

/** Clicks ever of each account; one without clicks is not in it. */
export async function accountTotals(
  db: Db,
  accountIds: readonly number[],
): Promise<Map<number, { clicks: number; bots: number }>> {
  const rows = await db
    .selectFrom('account_totals')
    .select(['account_id', 'clicks', 'bots'])
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(rows.map(({ account_id: id, ...counts }) => [id, counts]))
}
