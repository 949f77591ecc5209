import { afterEach, describe, expect, test } from 'bun:test'
import type { Kysely } from 'kysely'
import { makeStoreBefore } from '../../../test/rigs/store-before.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { enginesToTest } from '../../../test/rigs/test-store.ts'
import { openStore } from '../open-store.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

const user = (id: number) => ({ id, name: `User ${id}`, email: `${id}@example.com` })
const KEYS = [
  { id: 1, user_id: 1, revoked_at: null },
  { id: 2, user_id: null, revoked_at: null },
  { id: 3, user_id: null, revoked_at: null },
  { id: 4, user_id: null, revoked_at: 5 },
  { id: 5, user_id: null, revoked_at: null },
]
/** Of key 3 the entry is gone, and the user who made key 5 has deleted their account. */
const MADE = [
  { target_id: 1, user_id: 1 },
  { target_id: 2, user_id: 2 },
  { target_id: 4, user_id: 2 },
  { target_id: 5, user_id: 3 },
]

async function fill(db: Kysely<any>): Promise<void> {
  const workspace = { id: 7, name: '', plan: 'free', subscription_status: 'active', created_at: 0 }
  await db.insertInto('workspaces').values(workspace).execute()
  const users = [user(1), user(2), { ...user(3), closed_at: 9 }]
  for (const row of users)
    await db
      .insertInto('users')
      .values({ ...row, password_hash: '', created_at: 0 })
      .execute()
  for (const key of KEYS)
    await db
      .insertInto('api_keys')
      .values({ ...key, workspace_id: 7, name: '', key_hash: `${key.id}`, scopes: '[]', created_at: 0 })
      .execute()
  for (const entry of MADE)
    await db
      .insertInto('audit_log')
      .values({ ...entry, account_id: 7, happened_at: 0, ...ACTOR, action: 'key.created', target: '' })
      .execute()
  const other = { target_id: 3, user_id: 2, account_id: 7, happened_at: 0, target: '' }
  await db
    .insertInto('audit_log')
    .values({ ...other, ...ACTOR, action: 'link.created' })
    .execute()
}

const ACTOR = { actor: '', client: '' }

describe.each(enginesToTest('kept keys'))('a store of before, on %s', (engine) => {
  test('keys of users who were removed are marked, and get back who made them', async () => {
    const place = await makeStoreBefore({ dataDir: folders.make(), engine, migration: '-kept-keys' }, fill)
    const store = await openStore(place, 'same-thread')
    const keys = store.db.selectFrom('api_keys').select(['id', 'user_id', 'is_kept']).orderBy('id')
    const found = await keys.execute()
    await store.close()
    expect(found).toEqual([
      { id: 1, user_id: 1, is_kept: 0 },
      { id: 2, user_id: 2, is_kept: 1 },
      { id: 3, user_id: null, is_kept: 1 },
      { id: 4, user_id: 2, is_kept: 0 },
      { id: 5, user_id: null, is_kept: 1 },
    ])
  })
})
