import { invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import type { Account } from './account.ts'
import { accountByEmail } from './find-account.ts'
import { isPlan, PLAN_NAMES } from './plans.ts'

/** Puts an account on a plan; its keys' limits follow with their next request. */
export async function assignPlan(deps: { db: Db }, email: string, plan: string): Promise<Account> {
  if (!isPlan(plan)) throw invalid({ plan: [`The plan must be one of ${PLAN_NAMES.join(', ')}.`] })
  const account = await accountByEmail(deps.db, email)
  await deps.db.updateTable('accounts').set({ plan }).where('id', '=', account.id).execute()
  return { ...account, plan }
}
