import { expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { issueKey } from '../api-keys/issue-key.ts'
import { isStillAllowed } from './is-still-allowed.ts'

const rig = useAccountRig()

test('a member may go on until their role, their account or the workspace does not allow it', async () => {
  const { workspaceId, userId } = await rig.makeAccount()
  const isAllowed = () => isStillAllowed(rig.db, { workspaceId, userId }, 'links:write')
  const member = () => rig.db.updateTable('members').where('user_id', '=', userId)
  const user = () => rig.db.updateTable('users').where('id', '=', userId)
  const workspace = () => rig.db.updateTable('workspaces').where('id', '=', workspaceId)
  expect(await isAllowed()).toBe(true)
  for (const [change, back] of [
    [member().set({ role: 'viewer' }), member().set({ role: 'editor' })],
    [user().set({ suspended_at: 1 }), user().set({ suspended_at: null })],
    [workspace().set({ suspended_at: 1 }), workspace().set({ suspended_at: null })],
    [workspace().set({ requires_second_factor: 1 }), user().set({ totp_enabled_at: 1 })],
    [workspace().set({ closed_at: 1 }), workspace().set({ closed_at: null })],
  ] as const) {
    await change.execute()
    expect(await isAllowed()).toBe(false)
    await back.execute()
    expect(await isAllowed()).toBe(true)
  }
  await rig.db.deleteFrom('members').where('user_id', '=', userId).execute()
  expect(await isAllowed()).toBe(false)
})

test('a key may until it is revoked or loses the scope, and one that was kept without its user', async () => {
  const account = await rig.makeAccount()
  const { workspaceId, userId } = account
  const { id: keyId } = await issueKey(rig.deps, account, { name: 'Key', scopes: ['links:write'] })
  const isAllowed = () => isStillAllowed(rig.db, { workspaceId, userId, keyId }, 'links:write')
  const key = () => rig.db.updateTable('api_keys').where('id', '=', keyId)
  expect(await isAllowed()).toBe(true)
  await rig.db.deleteFrom('members').where('user_id', '=', userId).execute()
  expect(await isAllowed()).toBe(false)
  await key().set({ is_kept: 1 }).execute()
  expect(await isAllowed()).toBe(true)
  await key().set({ scopes: '["links:read"]' }).execute()
  expect(await isAllowed()).toBe(false)
  await key().set({ scopes: '["links:write"]', revoked_at: 1 }).execute()
  expect(await isAllowed()).toBe(false)
})
