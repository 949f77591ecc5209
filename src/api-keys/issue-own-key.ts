import { z } from 'zod'
import type { SignedInCaller } from '../access/caller.ts'
import { accountOf } from '../users/find-account.ts'
import { hourlyAllowance, UNLIMITED } from '../workspaces/plans.ts'
import type { MailingDeps } from '../users/tokens/mailed-link.ts'
import { notifyKeyCreated } from '../users/security-notices.ts'
import { validated } from '../errors/field-errors.ts'
import { issueKey, type IssueKeyDeps } from './issue-key.ts'
import { hintOf } from './key-format.ts'

const NO_SCOPES = 'The :attribute field is required: choose at least one.'

/** Not z.array(), which has an error for each element of a long list. */
const areTexts = (sent: unknown): boolean =>
  Array.isArray(sent) && sent.length > 0 && sent.every((each) => typeof each === 'string')

/** What else is asked of a key that users create in the dashboard. `limitMax`: that of the workspace. */
function ownKey(limitMax: number) {
  const noLimit = `The :attribute must be a number of at most ${limitMax}.`
  return z.object({
    name: z.string().catch(''),
    scopes: z.custom<string[]>(areTexts, NO_SCOPES),
    rate_limit: z.number(noLimit).max(limitMax, noLimit).optional(),
    restrictions: z.unknown().optional(),
  })
}

/**
 * A key that users create in the dashboard. It needs at least one scope, none beyond the user's role, and no limit above
 * that of the workspace, unless an operator makes it: null is no limit. The user is notified; the number of keys a day limits how often.
 */
export async function issueOwnKey(
  deps: MailingDeps & IssueKeyDeps,
  caller: SignedInCaller,
  { device, ...input }: Record<string, unknown> & { device: string },
): Promise<{ id: number; key: string }> {
  const account = await accountOf(deps.db, caller)
  const limitMax = account.role === 'admin' ? UNLIMITED : hourlyAllowance(account)
  const { rate_limit: rateLimit, ...fields } = validated(ownKey(limitMax), {
    ...input,
    rate_limit: input.rate_limit === null ? UNLIMITED : input.rate_limit,
  })
  const issued = await issueKey(deps, caller, { ...fields, rateLimit })
  notifyKeyCreated(deps, account, { device, hint: hintOf(issued.key) })
  return issued
}
