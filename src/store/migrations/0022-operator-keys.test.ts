import { afterEach, describe, expect, test } from 'bun:test'
import type { Kysely } from 'kysely'
import { makeStoreBefore } from '../../../test/rigs/store-before.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { enginesToTest } from '../../../test/rigs/test-store.ts'
import { openStore } from '../open-store.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

const WORKSPACES = [
  { id: 1, plan: 'free', rate_limit: null },
  { id: 2, plan: 'pro', rate_limit: null },
  { id: 3, plan: 'free', rate_limit: 9 },
]
const KEYS = [
  { id: 1, user_id: 1, workspace_id: 1 },
  { id: 2, user_id: 1, workspace_id: 1, rate_limit: 7 },
  { id: 3, user_id: 1, workspace_id: 1, revoked_at: 5 },
  { id: 4, user_id: 1, workspace_id: 2 },
  { id: 5, user_id: 1, workspace_id: 3 },
  { id: 6, user_id: 2, workspace_id: 1 },
  { id: 7, user_id: null, workspace_id: 1 },
]

async function fill(db: Kysely<any>): Promise<void> {
  for (const workspace of WORKSPACES)
    await db
      .insertInto('workspaces')
      .values({ ...workspace, name: '', subscription_status: 'active', created_at: 0 })
      .execute()
  for (const [id, role] of [
    [1, 'admin'],
    [2, 'user'],
  ])
    await db
      .insertInto('users')
      .values({ id, role, name: '', email: `${id}@example.com`, password_hash: '', created_at: 0 })
      .execute()
  for (const key of KEYS)
    await db
      .insertInto('api_keys')
      .values({ ...key, name: '', key_hash: `${key.id}`, scopes: '[]', created_at: 0 })
      .execute()
}

describe.each(enginesToTest('keys of operators'))('a store of before, on %s', (engine) => {
  test('only the active keys of operators that had no limit go on having none', async () => {
    const place = await makeStoreBefore(
      { dataDir: folders.make(), engine, migration: '-operator-keys' },
      fill,
    )
    const store = await openStore(place, 'same-thread')
    const keys = await store.db.selectFrom('api_keys').select(['id', 'rate_limit']).orderBy('id').execute()
    await store.close()
    expect(keys.map((key) => [key.id, key.rate_limit])).toEqual([
      [1, 1_000_000_000],
      [2, 7],
      [3, null],
      [4, null],
      [5, null],
      [6, null],
      [7, null],
    ])
  })
})
