import type { KeyRestrictions } from './key-restrictions.ts'
import { type Action, actionsOf, isGranted, type MemberRole, type Scope } from './roles-and-scopes.ts'

/** On whose behalf a request runs. Every query for the data of a workspace takes its id from here. */
export type Caller = {
  workspaceId: number
  /** Null when no user is behind the request. */
  userId: number | null
  /** The API key that the request came with. */
  keyId?: number
  /** Of that key. */
  restrictions?: KeyRestrictions | undefined
  /** What its user was in the workspace when the request came; undefined for the operator and for keys that were kept. */
  memberRole?: MemberRole | undefined
  /** What the audit log calls the one who does it: the name of the user or of the key. */
  actor: string
  /** Where the request came from: `Firefox on Linux`, `API`, `command line` or `schedule`. */
  client: string
  can(action: Action): boolean
}

/** A user who is signed in, in one of their workspaces. */
export type SignedInCaller = Caller & { userId: number }

export type KeyGrant = {
  id: number
  workspaceId: number
  userId: number | null
  name: string
  /** What the user who made the key is in the workspace; null when they were removed, and the key was kept. */
  memberRole: MemberRole | null
  scopes: readonly Scope[]
  restrictions: KeyRestrictions | undefined
}

/** What the key's scopes name, within the role that its user has at the moment. */
export function callerWithKey({ workspaceId, userId, memberRole, scopes, ...key }: KeyGrant): Caller {
  const can = (action: Action) =>
    isGranted(scopes, action) && (memberRole === null || actionsOf(memberRole).includes(action))
  const { id: keyId, name: actor, restrictions } = key
  return {
    workspaceId,
    userId,
    keyId,
    restrictions,
    memberRole: memberRole ?? undefined,
    actor,
    client: 'API',
    can,
  }
}

export type Membership = {
  workspaceId: number
  userId: number
  role: MemberRole
  /** The user's. */
  name: string
  /** The browser that the user is signed in with. */
  device: string
}

export const callerWithRole = ({ workspaceId, userId, role, ...by }: Membership): SignedInCaller => ({
  workspaceId,
  userId,
  memberRole: role,
  actor: by.name,
  client: by.device,
  can: (action) => actionsOf(role).includes(action),
})

/** Who does something, wherever it is. */
export type Actor = Pick<Caller, 'userId' | 'actor' | 'client'>

export const COMMAND_LINE: Actor = { userId: null, actor: 'Operator', client: 'command line' }

/** A scheduled job. */
export const SCHEDULE: Actor = { userId: null, actor: 'Tern', client: 'schedule' }

/** The operator of the server in a workspace, of which they are no member. */
export const operatorIn = (workspaceId: number, { userId, actor, client }: Actor): Caller => ({
  workspaceId,
  userId,
  actor,
  client,
  can: () => true,
})
