import { sql } from 'kysely'
import { Refusal } from '../../errors/refusal.ts'
import { dayOf, DAY_US } from '../../runtime/clock.ts'
import type { Tx } from '../../store/handles.ts'

/** Into one workspace, from all its members, on all nodes. */
const INVITATIONS_PER_DAY = 200

/** Counts invitations against the day of the workspace, in the transaction that stores them. Throws if they are too many. */
export async function spendDailyInvitations(
  tx: Tx,
  workspaceId: number,
  { count, nowUs }: { count: number; nowUs: number },
): Promise<void> {
  if (count === 0) return
  const day = dayOf(nowUs)
  const before = sql<number>`CASE WHEN invitations_day = ${day} THEN invitations_of_day ELSE 0 END`
  const { numUpdatedRows } = await tx
    .updateTable('workspaces')
    .set({ invitations_of_day: sql`${before} + ${count}`, invitations_day: day })
    .where('id', '=', workspaceId)
    .where(sql<boolean>`${before} + ${count} <= ${INVITATIONS_PER_DAY}`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  throw new Refusal(
    'daily_limit_reached',
    `A workspace may send ${INVITATIONS_PER_DAY} invitations a day (UTC). Try again tomorrow.`,
    { retryAfterSeconds: Math.ceil((DAY_US - (nowUs % DAY_US)) / 1_000_000) },
  )
}
