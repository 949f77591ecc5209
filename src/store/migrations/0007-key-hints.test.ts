import { kyselyOf } from '../handles.ts'
import { afterEach, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type AccountRig, openAccountRig } from '../../../test/rigs/account-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { findKey, listKeys } from '../../api-keys/find-key.ts'
import { issueKey } from '../../api-keys/issue-key.ts'
import { up } from './0007-key-hints.ts'

const folders = temporaryFolders()
let rig: AccountRig
afterEach(async () => {
  await rig.store.close()
  folders.remove()
})

test('a key that was made before goes on working, without a hint', async () => {
  rig = await openAccountRig(folders.make())
  const account = await rig.makeAccount()
  const { id, key } = await issueKey(rig.deps, account, { name: 'Old', scopes: [] })
  await sql`ALTER TABLE api_keys DROP COLUMN key_hint`.execute(rig.db)
  await up(kyselyOf(rig.db))
  expect(await listKeys(rig.deps, account.workspaceId)).toMatchObject([{ id, name: 'Old', hint: null }])
  expect(await findKey(rig.deps, key)).toMatchObject({ id, hint: null })
})
