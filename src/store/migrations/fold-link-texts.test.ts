import { afterEach, describe, expect, test } from 'bun:test'
import type { Kysely } from 'kysely'
import { makeStoreBefore } from '../../../test/rigs/store-before.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { enginesToTest } from '../../../test/rigs/test-store.ts'
import { indexNewLinks } from '../engine-sql.ts'
import { searchedLinkIds } from '../link-search.ts'
import { openStore } from '../open-store.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

/** More than are folded at once. */
const LINKS = 600
const textOf = (id: number) => (id % 2 === 0 ? `caf\u00e9 ${id}\nhttps://example.com/` : `plain ${id}`)

async function fill(db: Kysely<any>): Promise<void> {
  for (let id = 1; id <= LINKS; id++)
    await db
      .insertInto('link_texts')
      .values({ link_id: id, account_id: 7, text: textOf(id) })
      .execute()
}

describe.each(enginesToTest('searches without accents'))('a store of before, on %s', (engine) => {
  test('finds its links without accents', async () => {
    const place = { dataDir: folders.make(), engine, migration: '-searches-without-accents' }
    const store = await openStore(await makeStoreBefore(place, fill), 'same-thread')
    const found = (word: string) =>
      searchedLinkIds(store.db, { workspaceId: 7, words: [word], by: 'trigrams' }, { limit: 9, offset: 0 })
    for (const hasIndexed of [false, true]) {
      if (hasIndexed) while (await indexNewLinks(store.relaxedDb));
      expect(await found('cafe 60')).toEqual([600, 60])
      expect(await found('plain 59')).toEqual([599, 597, 595, 593, 591, 59])
      expect(await found('caf\u00e9')).toEqual([])
    }
    await store.close()
  })
})
