import type { ManagedUserView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { adminStrings } from './admin-strings.ts'
import type { OperatorAction } from './confirm-action.tsx'

const { users: texts } = adminStrings

export type UserActionName = 'verify' | RoleActionName | 'suspend' | 'reinstate'
type RoleActionName = 'promote' | 'demote'

const ROLES = { promote: 'admin', demote: 'user' } as const

/** Only after the operator has proved who they are. */
export const isRoleAction = (name: UserActionName): name is RoleActionName => name in ROLES

/** `run`: with the password of the operator, '' without one. */
export type RoleAction = Omit<OperatorAction, 'run'> & { run(password: string): Promise<unknown> }

export function roleAction(name: RoleActionName, user: ManagedUserView): RoleAction {
  const [path, role] = [{ id: user.id }, ROLES[name]]
  return {
    ...textsOf(name, user),
    run: (password) => ask('PUT /admin/users/{id}', { path, input: { role, password } }),
  }
}

export function userAction(
  name: Exclude<UserActionName, RoleActionName>,
  user: ManagedUserView,
): OperatorAction {
  const path = { id: user.id }
  const texts = textsOf(name, user)
  switch (name) {
    case 'verify':
      return { ...texts, run: () => ask('PUT /admin/users/{id}', { path, input: { is_verified: true } }) }
    case 'suspend':
      return { ...texts, run: () => ask('POST /admin/users/{id}/suspend', { path }) }
    case 'reinstate':
      return { ...texts, run: () => ask('POST /admin/users/{id}/reinstate', { path }) }
  }
}

function textsOf(name: UserActionName, { name: userName, email }: ManagedUserView) {
  return {
    title: texts.ask[name](name === 'verify' ? email : userName),
    text: texts.askText[name],
    label: texts.actions[name],
    saidAfter: texts.done[name](name === 'verify' ? email : userName),
  }
}
