import { kyselyOf } from '../handles.ts'
import { createUnasked, UNHEARD } from '../../../test/rigs/creation.ts'
import { afterEach, expect, test } from 'bun:test'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { GOOD } from '../../../test/rigs/account-rig.ts'
import { newLinkTo } from '../../../test/rigs/new-link-to.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { type Engine, enginesToTest, openTestStore } from '../../../test/rigs/test-store.ts'
import { createAccount } from '../../users/sign-up/create-account.ts'
import { systemClock } from '../../runtime/clock.ts'
import { indexNewLinks } from '../engine-sql.ts'
import { searchedLinkIds } from '../link-search.ts'
import type { Store } from '../open-store.ts'
import * as onPostgres from './0005-codes-in-search.postgres.ts'
import * as onSqlite from './0008-codes-in-search.sqlite.ts'
import { ownerOf } from '../../../test/rigs/owner-of.ts'

const UP: Record<Engine, (db: Kysely<any>) => Promise<void>> = {
  sqlite: onSqlite.up,
  postgres: onPostgres.up,
}
const folders = temporaryFolders()
let store: Store
afterEach(async () => {
  await store.close()
  folders.remove()
})

test.each(enginesToTest('codes in the search'))(
  'on %s, links that were there are found by their codes too',
  async (engine) => {
    store = await openTestStore(folders.make(), engine)
    const workspaceId = await makeOldLinks()
    const found = (...words: string[]) =>
      searchedLinkIds(store.db, { workspaceId, words, by: 'trigrams' }, { limit: 9, offset: 0 })
    expect([await found('old-code'), await found('title')]).toEqual([[], [2, 1]])
    await kyselyOf(store.db).transaction().execute(UP[engine])
    for (const hasIndexed of [false, true]) {
      if (hasIndexed) while (await indexNewLinks(store.relaxedDb));
      expect([await found('old-code'), await found('title'), await found('title', 'code-2')]).toEqual([
        [2, 1],
        [2, 1],
        [2],
      ])
    }
    if (engine === 'sqlite')
      await sql`INSERT INTO link_search (link_search, rank) VALUES ('integrity-check', 1)`.execute(store.db)
  },
)

/** In the index, and with texts as they were written before this migration. */
async function makeOldLinks(): Promise<number> {
  const { db } = store
  const { workspaceId } = await createAccount({ db, clock: systemClock }, GOOD)
  const url = 'https://example.org/'
  await createUnasked(
    { db, clock: systemClock, ...UNHEARD },
    ownerOf(workspaceId),
    [1, 2].map((n) => newLinkTo(url, { title: 'Title', custom_code: `Old-Code-${n}` })),
  )
  await db
    .updateTable('link_texts')
    .set({ text: `title\n${url}` })
    .execute()
  while (await indexNewLinks(store.relaxedDb));
  return workspaceId
}
