import { expect, test } from 'bun:test'
import { actionsOf, isGranted, MEMBER_ROLES, SCOPES } from './roles-and-scopes.ts'

test('writing links includes creating and tagging them, changing settings includes templates, and no other scope includes another', () => {
  const granted = SCOPES.map((scope) => [
    scope,
    actionsOf('owner').filter((action) => isGranted([scope], action)),
  ])
  expect(Object.fromEntries(granted)).toEqual({
    'links:create': ['links:create'],
    'links:read': ['links:read'],
    'analytics:read': ['analytics:read'],
    'links:write': ['links:create', 'links:write', 'tags:write'],
    'tags:write': ['tags:write'],
    'shares:write': ['shares:write'],
    'domains:write': ['domains:write'],
    'workspace:write': ['templates:write', 'workspace:write'],
    'audit:read': ['audit:read'],
  })
})

test('each role may do more than the one before it', () => {
  const allowed = MEMBER_ROLES.map(actionsOf)
  const viewer = ['links:read', 'analytics:read']
  const editor = [...viewer, 'links:create', 'links:write', 'tags:write', 'shares:write', 'templates:write']
  const admin = [...editor, 'domains:write', 'workspace:write', 'audit:read', 'keys:manage', 'members:manage']
  expect<string[][]>(allowed).toEqual([viewer, editor, admin, [...admin, 'workspace:own']])
})
