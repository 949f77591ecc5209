import { roleMissing } from '../../workspaces/lock-for-caller.ts'
import { suspendedAccount } from '../../workspaces/workspace.ts'
import type { PresentedKey } from '../../api-keys/find-key.ts'
import type { Caller } from '../../access/caller.ts'
import { type Action, isGranted, type Scope } from '../../access/roles-and-scopes.ts'
import { Refusal } from '../../errors/refusal.ts'

export function refuseSuspended(key: PresentedKey): void {
  if (key.isSuspended) throw suspendedAccount()
}

export function refuseUnverified(key: Pick<PresentedKey, 'isEmailVerified'>): void {
  if (!key.isEmailVerified) {
    throw new Refusal('email_unverified', 'The email address of this account is not verified.')
  }
}

/** The required second factor holds for keys as well: nobody works around it with one. */
export function refuseWithoutSecondFactor(key: Pick<PresentedKey, 'lacksSecondFactor'>): void {
  if (key.lacksSecondFactor)
    throw new Refusal(
      'second_factor_required',
      'This workspace requires two-factor sign-in, and the user who made this key has not turned it on.',
    )
}

/** `scope` is undefined for what every key may do, except one that is restricted: everybody may know it. */
export function refuseWithoutScope(key: PresentedKey, caller: Caller, scope: Scope | undefined): void {
  if (scope === undefined) {
    if (key.restrictions !== undefined)
      throw new Refusal(
        'api_key_restricted',
        'Insufficient permissions: a key with restrictions cannot do this.',
      )
  } else if (!isGranted(key.scopes, scope)) {
    throw new Refusal('scope_missing', `Insufficient permissions: this key lacks the scope ${scope}.`)
  } else if (!caller.can(scope)) {
    throw new Refusal(
      'role_insufficient',
      `Insufficient permissions: the role of the user who made this key does not allow ${scope}.`,
    )
  }
}

export function refuseWithoutRole(caller: Caller, action: Action): void {
  if (!caller.can(action)) throw roleMissing()
}

export const secondFactorMissing = () =>
  new Refusal(
    'second_factor_required',
    'This workspace requires two-factor sign-in. Turn it on in your account.',
  )
