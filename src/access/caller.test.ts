import { expect, test } from 'bun:test'
import { type Action, callerWithKey, callerWithRole, type MemberRole, SCOPES } from './caller.ts'

const ACTIONS: readonly Action[] = [...SCOPES, 'keys:manage']

test('the scope for writing links includes creating them, and no other scope includes another', () => {
  const granted = SCOPES.flatMap((scope) => {
    const caller = callerWithKey({ workspaceId: 1, userId: 2, scopes: [scope] })
    return ACTIONS.filter((action) => caller.can(action)).map((action) => [scope, action])
  })
  expect(granted).toEqual([
    ['links:create', 'links:create'],
    ['links:read', 'links:read'],
    ['analytics:read', 'analytics:read'],
    ['links:write', 'links:create'],
    ['links:write', 'links:write'],
  ])
})

test('viewers read, editors also write, and admins and owners also manage keys', () => {
  const roles: MemberRole[] = ['viewer', 'editor', 'admin', 'owner']
  const allowed = roles.map((role) => {
    const caller = callerWithRole({ workspaceId: 1, userId: 2, role })
    return ACTIONS.filter((action) => caller.can(action))
  })
  expect(allowed).toEqual([
    ['links:read', 'analytics:read'],
    ['links:create', 'links:read', 'analytics:read', 'links:write'],
    [...ACTIONS],
    [...ACTIONS],
  ])
})
