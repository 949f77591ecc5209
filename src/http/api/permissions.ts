import { suspendedAccount } from '../../workspaces/workspace.ts'
import type { PresentedKey } from '../../api-keys/find-key.ts'
import type { Caller } from '../../access/caller.ts'
import type { Action, Scope } from '../../access/roles-and-scopes.ts'
import { Refusal } from '../../errors/refusal.ts'

export function refuseSuspended(key: PresentedKey): void {
  if (key.isSuspended) throw suspendedAccount()
}

export function refuseUnverified(key: Pick<PresentedKey, 'isEmailVerified'>): void {
  if (!key.isEmailVerified) {
    throw new Refusal('forbidden', 'The email address of this account is not verified.')
  }
}

export function refuseWithoutScope(caller: Caller, scope: Scope): void {
  if (!caller.can(scope)) {
    throw new Refusal('forbidden', `Insufficient permissions: this key lacks the scope ${scope}.`)
  }
}

export function refuseWithoutRole(caller: Caller, action: Action): void {
  if (!caller.can(action)) {
    throw new Refusal('forbidden', 'Insufficient permissions: your role in this workspace does not allow it.')
  }
}

export const secondFactorMissing = () =>
  new Refusal('forbidden', 'This workspace requires two-factor sign-in. Turn it on in your account.')
