import { afterEach, describe, expect, test } from 'bun:test'
import type { Kysely } from 'kysely'
import { makeStoreBefore } from '../../../test/rigs/store-before.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { enginesToTest } from '../../../test/rigs/test-store.ts'
import { destinationHash } from '../destination-hash.ts'
import { openStore } from '../open-store.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

/** More than are filled at once. */
const LINKS = 1_500
const URL_SENT = 'HTTPS://example.com'
const NORMALIZED = 'https://example.com/'

const link = (id: number) => ({
  ...{ id, account_id: 7, code: `code-${id}`, svc_id: `svc_${id}`, title: '', is_active: 1, created_at: 0 },
  original_url: id % 2 === 0 ? URL_SENT : `https://example.com/${id}`,
  target_url: id % 2 === 0 ? NORMALIZED : null,
})

async function fill(db: Kysely<any>): Promise<void> {
  const workspace = { id: 7, name: '', plan: 'free', subscription_status: 'active', created_at: 0 }
  await db.insertInto('workspaces').values(workspace).execute()
  for (let id = 1; id <= LINKS; id++)
    await db
      .insertInto('links')
      .values({ ...link(id), updated_at: 0 })
      .execute()
  const deleted = { ...link(LINKS + 1), deleted_at: 0 }
  await db.insertInto('deleted_links').values(deleted).execute()
}

describe.each(enginesToTest('destination hashes'))('a store of before, on %s', (engine) => {
  test('every link gets the hash of its normalized destination, also in the trash', async () => {
    const place = await makeStoreBefore(
      { dataDir: folders.make(), engine, migration: '-destination-hash' },
      fill,
    )
    const store = await openStore(place, 'same-thread')
    const links = await store.db
      .selectFrom('links')
      .select(['id', 'destination_hash'])
      .orderBy('id')
      .execute()
    const deleted = await store.db.selectFrom('deleted_links').select('destination_hash').execute()
    await store.close()
    const hashes = Array.from({ length: LINKS }, (_, at) => {
      const { target_url: target, original_url: sent } = link(at + 1)
      return { id: at + 1, destination_hash: destinationHash(target ?? sent) }
    })
    expect(links).toEqual(hashes)
    expect(deleted).toEqual([{ destination_hash: destinationHash(`https://example.com/${LINKS + 1}`) }])
  })
})
