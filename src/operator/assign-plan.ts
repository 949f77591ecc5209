import type { DurableDb } from '../store/handles.ts'
import { invalid } from '../errors/refusal.ts'
import type { Account } from '../users/account.ts'
import { accountByEmail } from '../users/find-account.ts'
import { isPlan, PLAN_NAMES } from '../workspaces/plans.ts'

/** Changes the plan of the workspace that a user owns. The limits of its keys follow with their next request. */
export async function assignPlan(deps: { db: DurableDb }, email: string, plan: string): Promise<Account> {
  if (!isPlan(plan)) throw invalid({ plan: [`The plan must be one of ${PLAN_NAMES.join(', ')}.`] })
  const account = await accountByEmail(deps.db, email)
  await deps.db.updateTable('workspaces').set({ plan }).where('id', '=', account.workspaceId).execute()
  return { ...account, plan }
}
