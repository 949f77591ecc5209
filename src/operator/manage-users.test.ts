import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/add-account.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openTestStore } from '../../test/rigs/test-store.ts'
import { COMMAND_LINE } from '../access/caller.ts'
import { systemClock } from '../runtime/clock.ts'
import type { Store } from '../store/open-store.ts'
import { changeUser } from './manage-users.ts'
import { suspendWorkspace } from './suspend-workspace.ts'

const folders = temporaryFolders()
let store: Store
beforeAll(async () => {
  store = await openTestStore(folders.make())
})
afterAll(async () => {
  await store.close()
  folders.remove()
})

test('the only operator keeps the role and the workspace, also where there is no other user', async () => {
  const { userId, workspaceId } = await addAccount(store.db, { email: 'ann@example.com', role: 'admin' })
  const deps = { db: store.db, clock: systemClock, blocks: { changed: async () => {} } }
  const refused = { code: 'last_operator' }
  await expect(changeUser(deps, userId, { role: 'user' })).rejects.toMatchObject(refused)
  await expect(suspendWorkspace(deps, COMMAND_LINE, workspaceId)).rejects.toMatchObject(refused)
  const user = await store.db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  const workspace = await store.db
    .selectFrom('workspaces')
    .select('suspended_at')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  expect([user, workspace]).toEqual([{ role: 'admin' }, { suspended_at: null }])
})
