import { COMMAND_LINE } from '../access/caller.ts'
import type { Clock } from '../runtime/clock.ts'
import type { DurableDb } from '../store/handles.ts'
import type { Account } from '../users/account.ts'
import { accountByEmail } from '../users/find-account.ts'
import { validated } from '../errors/field-errors.ts'
import { changeWorkspace, workspaceChange } from './manage-workspaces.ts'

/** Changes the plan of the workspace that a user owns. The limits of its keys follow with their next request. */
export async function assignPlan(
  deps: { db: DurableDb; clock: Clock },
  email: string,
  plan: string,
): Promise<Account> {
  const account = await accountByEmail(deps.db, email)
  await changeWorkspace(deps, COMMAND_LINE, {
    workspaceId: account.workspaceId,
    ...validated(workspaceChange, { plan }),
  })
  return { ...account, plan }
}
