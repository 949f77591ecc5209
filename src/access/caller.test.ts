import { expect, test } from 'bun:test'
import { callerWithKey } from './caller.ts'
import { SCOPES } from './roles-and-scopes.ts'

test('a key stays within the role of its user; one that was kept after its user left has its scopes', () => {
  const can = (memberRole: 'viewer' | 'editor' | null) =>
    SCOPES.filter((scope) => callerWithKey({ ...KEY, memberRole }).can(scope))
  expect(can('viewer')).toEqual(['links:read', 'analytics:read'])
  expect(can('editor')).toEqual([
    ...([
      'links:create',
      'links:read',
      'analytics:read',
      'links:write',
      'tags:write',
      'shares:write',
    ] as const),
  ])
  expect(can(null)).toEqual([...SCOPES])
})

const KEY = {
  id: 3,
  workspaceId: 1,
  userId: 2,
  name: 'Shop',
  memberRole: 'owner',
  restrictions: undefined,
  scopes: SCOPES,
} as const
