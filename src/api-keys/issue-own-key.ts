import type { SignedInCaller } from '../access/caller.ts'
import { accountOf } from '../users/find-account.ts'
import { hourlyAllowance, UNLIMITED } from '../workspaces/plans.ts'
import type { MailingDeps } from '../users/tokens/mailed-link.ts'
import { notifyKeyCreated } from '../users/security-notices.ts'
import { type FieldErrors, invalid } from '../errors/refusal.ts'
import { issueKey, type IssueKeyDeps } from './issue-key.ts'
import { hintOf } from './key-format.ts'

/**
 * A key that users create in the dashboard. It needs at least one scope, none beyond the user's role, and no limit above
 * that of the workspace, unless an operator makes it: null is no limit. The user is notified; the number of keys a day limits how often.
 */
export async function issueOwnKey(
  deps: MailingDeps & IssueKeyDeps,
  caller: SignedInCaller,
  { name, scopes, rate_limit: rateLimit, restrictions, device }: Record<string, unknown> & { device: string },
): Promise<{ id: number; key: string }> {
  const account = await accountOf(deps.db, caller)
  const limitMax = account.role === 'admin' ? UNLIMITED : hourlyAllowance(account)
  const ownLimit = rateLimit === null ? UNLIMITED : rateLimit
  const fields: FieldErrors = {}
  if (!Array.isArray(scopes) || scopes.length === 0 || !scopes.every((scope) => typeof scope === 'string')) {
    fields.scopes = ['The scopes field is required: choose at least one.']
  }
  if (ownLimit !== undefined && !(typeof ownLimit === 'number' && ownLimit <= limitMax)) {
    fields.rate_limit = [`The rate limit must be a number of at most ${limitMax}.`]
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const issued = await issueKey(deps, caller, {
    name: typeof name === 'string' ? name : '',
    scopes: scopes as string[],
    rateLimit: ownLimit as number | undefined,
    restrictions,
  })
  notifyKeyCreated(deps, account, { device, hint: hintOf(issued.key) })
  return issued
}
