import { afterEach, describe, expect, test } from 'bun:test'
import { makeStoreBefore } from '../../../test/rigs/store-before.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { enginesToTest } from '../../../test/rigs/test-store.ts'
import { openStore } from '../open-store.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

const FOUND = { dns_failure: 'It leads to 10.20.30.40.', found_addresses: '10.20.30.40' }
const DOMAINS = [
  { id: 11, name: 'pending.example', host: null, failure: 'Not proven.', ...FOUND },
  { id: 12, name: 'ours.example', host: 'ours.example', failure: 'Elsewhere.', ...FOUND },
]

describe.each(enginesToTest('findings about domains'))('a store of before, on %s', (engine) => {
  test('says no more what was found about domains that nobody has proven', async () => {
    const place = await makeStoreBefore(
      { dataDir: folders.make(), engine, migration: '-private-findings' },
      async (db) => void (await db.insertInto('domains').values(DOMAINS).execute()),
    )
    const store = await openStore(place, 'same-thread')
    const found = await store.db
      .selectFrom('domains')
      .select(['id', 'failure', 'dns_failure', 'found_addresses'])
      .where('id', '>', 10)
      .orderBy('id')
      .execute()
    await store.close()
    expect(found).toEqual([
      { id: 11, failure: 'Not proven.', dns_failure: null, found_addresses: null },
      { id: 12, failure: 'Elsewhere.', ...FOUND },
    ])
  })
})
