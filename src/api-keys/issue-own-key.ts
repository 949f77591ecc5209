import type { Account } from '../accounts/account.ts'
import { hourlyAllowance } from '../accounts/plans.ts'
import type { Clock } from '../clock.ts'
import { type FieldErrors, invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { issueKey } from './issue-key.ts'

/** A key that somebody makes for themselves: scopes are named, and its limit is no higher than their allowance. */
export async function issueOwnKey(
  deps: { db: Db; clock: Clock },
  account: Account,
  { name, scopes, rate_limit: rateLimit }: Record<string, unknown>,
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
  return issueKey(deps, account, {
    name: typeof name === 'string' ? name : '',
    scopes: scopes as string[],
    rateLimit: hasOwnLimit ? (rateLimit as number) : undefined,
  })
}
