import { z } from 'zod'
import type { SignedInCaller } from '../access/caller.ts'
import type { AnyDb } from '../store/handles.ts'
import { accountOf } from '../users/find-account.ts'
import { hourlyAllowance, UNLIMITED } from '../workspaces/plans.ts'
import type { MailingDeps } from '../users/tokens/mailed-link.ts'
import { notifyKeyCreated } from '../users/security-notices.ts'
import { type IssueKeyDeps, issueValidKey, newKey } from './issue-key.ts'
import { hintOf } from './key-format.ts'

const NO_SCOPES = 'The :attribute field is required: choose at least one.'

/** Not z.array(), which has an error for each element of a long list. */
const areTexts = (sent: unknown): boolean =>
  Array.isArray(sent) && sent.length > 0 && sent.every((each) => typeof each === 'string')

/** What users send for a key. `limitMax`: that of the workspace. */
export function ownKey(limitMax: number) {
  const noLimit = `The :attribute must be a number of at most ${limitMax}.`
  return newKey.safeExtend({
    scopes: z.custom<string[]>(areTexts, NO_SCOPES).pipe(newKey.shape.scopes),
    rate_limit: z
      .number(noLimit)
      .max(limitMax, noLimit)
      .nullish()
      .refine((limit) => limit !== null || limitMax >= UNLIMITED, noLimit)
      .pipe(newKey.shape.rate_limit)
      .meta({
        description: 'Per hour. Without it, as many as the workspace allows; null, for operators: no limit.',
      }),
  })
}

/** The schema for a user, with their highest limit. */
export async function ownKeyOf(db: AnyDb, caller: SignedInCaller) {
  const account = await accountOf(db, caller)
  return ownKey(account.role === 'admin' ? UNLIMITED : hourlyAllowance(account))
}

/** A key that users create in the dashboard. The user is notified; the number of keys a day limits how often. */
export async function issueOwnKey(
  deps: MailingDeps & IssueKeyDeps,
  caller: SignedInCaller,
  { device, ...key }: z.output<ReturnType<typeof ownKey>> & { device: string },
): Promise<{ id: number; key: string }> {
  const issued = await issueValidKey(deps, caller, key)
  notifyKeyCreated(deps, await accountOf(deps.db, caller), { device, hint: hintOf(issued.key) })
  return issued
}
