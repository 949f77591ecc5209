import { suspendedAccount } from '../accounts/account.ts'
import { grants } from '../api-keys/api-key.ts'
import type { PresentedKey } from '../api-keys/find-key.ts'
import type { Scope } from '../caller.ts'
import { Refusal } from '../refusal.ts'

export function refuseSuspended(key: PresentedKey): void {
  if (key.isSuspended) throw suspendedAccount()
}

export function refuseUnverified(key: Pick<PresentedKey, 'isEmailVerified'>): void {
  if (!key.isEmailVerified) {
    throw new Refusal('forbidden', 'The email address of this account is not verified.')
  }
}

export function refuseWithoutScope(key: PresentedKey, scope: Scope): void {
  if (!grants(key.scopes, scope)) {
    throw new Refusal('forbidden', `Insufficient permissions: this key lacks the scope ${scope}.`)
  }
}
