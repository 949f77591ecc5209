import type { Account } from '../accounts/account.ts'
import { hourlyAllowance } from '../accounts/plans.ts'
import type { MailingDeps } from '../accounts/mailed-link.ts'
import { tellOfKey } from '../accounts/security-notices.ts'
import type { Clock } from '../clock.ts'
import { type FieldErrors, invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { issueKey } from './issue-key.ts'
import { hintOf } from './key-format.ts'

/**
 * A key that somebody makes for themselves: scopes are named, and its limit is no higher than their allowance. They are
 * mailed; how many keys there may be in a day bounds how often.
 */
export async function issueOwnKey(
  deps: MailingDeps & { db: Db; clock: Clock },
  account: Account,
  { name, scopes, rate_limit: rateLimit, device }: Record<string, unknown> & { device: string },
): Promise<{ id: number; key: string }> {
  const allowance = hourlyAllowance(account)
  const fields: FieldErrors = {}
  if (!Array.isArray(scopes) || scopes.length === 0 || !scopes.every((scope) => typeof scope === 'string')) {
    fields.scopes = ['The scopes field is required: choose at least one.']
  }
  const hasOwnLimit = rateLimit !== undefined && rateLimit !== null
  if (hasOwnLimit && !(typeof rateLimit === 'number' && rateLimit <= allowance)) {
    fields.rate_limit = [
      `The rate limit must be a number of at most ${allowance}, which your account allows.`,
    ]
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
  const issued = await issueKey(deps, account, {
    name: typeof name === 'string' ? name : '',
    scopes: scopes as string[],
    rateLimit: hasOwnLimit ? (rateLimit as number) : undefined,
  })
  tellOfKey(deps, account, { device, hint: hintOf(issued.key) })
  return issued
}
