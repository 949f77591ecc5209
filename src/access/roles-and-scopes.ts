/** What an API key may do. `links:write` includes `links:create` and `tags:write`, and `workspace:write` includes `templates:write`. */
export const SCOPES = [
  'links:create',
  'links:read',
  'analytics:read',
  'links:write',
  'tags:write',
  'shares:write',
  'domains:write',
  'workspace:write',
  'audit:read',
] as const
export type Scope = (typeof SCOPES)[number]

/** Everything that needs a permission. Keys can only do what scopes name. */
export type Action =
  | Scope
  /** Change what editors save for all while they edit links: UTM templates, the style of QR codes. */
  | 'templates:write'
  /** See and revoke the API keys of other members. */
  | 'keys:manage'
  /** See, invite and remove members, and change their roles. */
  | 'members:manage'
  /** Transfer and delete the workspace. */
  | 'workspace:own'

/** From the least to the most. */
export const MEMBER_ROLES = ['viewer', 'editor', 'admin', 'owner'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The least role that may do it: the one table of permissions, from which tests and the dashboard take theirs. */
const LEAST_ROLE: Record<Action, MemberRole> = {
  'links:read': 'viewer',
  'analytics:read': 'viewer',
  'links:create': 'editor',
  'links:write': 'editor',
  'tags:write': 'editor',
  'shares:write': 'editor',
  'templates:write': 'editor',
  'domains:write': 'admin',
  'workspace:write': 'admin',
  'audit:read': 'admin',
  'keys:manage': 'admin',
  'members:manage': 'admin',
  'workspace:own': 'owner',
}

export const actionsOf = (role: MemberRole): Action[] =>
  ACTIONS.filter((action) => MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(LEAST_ROLE[action]))

export const ACTIONS = Object.keys(LEAST_ROLE) as Action[]

/** The scope that allows an action besides the one of its name. */
const INCLUDED_IN: Partial<Record<Action, Scope>> = {
  'links:create': 'links:write',
  'tags:write': 'links:write',
  'templates:write': 'workspace:write',
}

export const isGranted = (scopes: readonly Scope[], action: Action): boolean =>
  scopes.some((scope) => scope === action || scope === INCLUDED_IN[action])
