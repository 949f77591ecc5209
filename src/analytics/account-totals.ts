import type { AnyDb } from '../store/handles.ts'

/** All clicks of each account. Accounts without clicks are left out. */
export async function accountTotals(
  db: AnyDb,
  accountIds: readonly number[],
): Promise<Map<number, { clicks: number; bots: number }>> {
  const rows = await db
    .selectFrom('account_totals')
    .select(['account_id', 'clicks', 'bots'])
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(rows.map(({ account_id: id, ...counts }) => [id, counts]))
}
