import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import {
  indexNewLinks,
  isStoreUnavailable,
  isUniqueViolation,
  searchedLinkCount,
  searchedLinkIds,
} from './engine-sql.ts'
import { openSqliteStore, storePath } from './open-sqlite-store.ts'
import type { Store } from './open-store.ts'
import { openSqliteFile } from './sqlite-file.ts'

const folders = temporaryFolders()
let store: Store

beforeEach(async () => {
  store = await openSqliteStore(folders.make(), 'same-thread')
})

afterEach(async () => {
  await store.close()
  folders.remove()
})

describe('a unique violation', () => {
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    )
  const addCode = (accountId: number | null) =>
    store.db.insertInto('codes').values({ code: 'abc', account_id: accountId }).execute()
  const addAccount = () =>
    sql`INSERT INTO accounts (name, email, password_hash, plan, subscription_status, created_at)
      VALUES ('a', 'a@example.org', '', 'free', 'active', 0)`.execute(store.db)

  test('is one of a primary key or of a unique column', async () => {
    await addCode(null)
    await addAccount()
    expect(isUniqueViolation(await failureOf(addCode(null)))).toBe(true)
    expect(isUniqueViolation(await failureOf(addAccount()))).toBe(true)
  })

  test('is no other constraint, and nothing else that may be thrown', async () => {
    const foreignKey = await failureOf(addCode(404))
    const notNull = await failureOf(sql`INSERT INTO codes (code) VALUES (NULL)`.execute(store.db))
    expect(foreignKey).toBeInstanceOf(Error)
    expect(notNull).toBeInstanceOf(Error)
    const others = [foreignKey, notNull, new Error('UNIQUE'), 'SQLITE_CONSTRAINT_UNIQUE', undefined, null]
    expect(others.map(isUniqueViolation)).toEqual(others.map(() => false))
  })
})

describe('a store that is not available', () => {
  test('is one that another program keeps locked', async () => {
    const folder = folders.make()
    const other = await openSqliteStore(folder, 'same-thread')
    const database = openSqliteFile(storePath(folder))
    database.run('PRAGMA busy_timeout = 0')
    await other.db.transaction().execute(async (tx) => {
      await tx.insertInto('codes').values({ code: 'abc', account_id: null }).execute()
      expect(
        isStoreUnavailable(thrownBy(() => database.run("INSERT INTO codes (code) VALUES ('def')"))),
      ).toBe(true)
    })
    database.close()
    await other.close()
  })

  test('is one that says so by its code, and nothing else that may be thrown', () => {
    const withCode = (code: unknown) => Object.assign(new Error('SQLITE_FULL'), { code })
    const down = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY_DBMOVED'].map(withCode)
    const others = [
      withCode('SQLITE_CONSTRAINT_UNIQUE'),
      withCode(5),
      new Error('SQLITE_FULL'),
      undefined,
      null,
    ]
    expect(down.map(isStoreUnavailable)).toEqual(down.map(() => true))
    expect(others.map(isStoreUnavailable)).toEqual(others.map(() => false))
  })
})

describe('a search for text', () => {
  const titles = ['Summer Sale', 'ÄRGER über alles', '100% off_now', 'say "hi" \\o/', 'plain']

  beforeEach(async () => {
    for (const [i, title] of titles.entries()) await addText(i + 1, 1, title)
    await addText(titles.length + 1, 2, titles.join(' '))
  })

  const addText = (link_id: number, account_id: number, title: string) =>
    store.db
      .insertInto('link_texts')
      .values({ link_id, account_id, text: `${title}\nhttps://example.org/${link_id}`.toLowerCase() })
      .execute()

  const ALL = { limit: 10_000, offset: 0 }

  const WAYS = ['trigrams', 'account', 'scan'] as const

  const indexAll = async () => {
    while (await indexNewLinks(store.db));
  }

  /** The same whichever way, with a count that agrees. */
  async function found(text: string): Promise<number[]> {
    const answers = []
    for (const by of WAYS) {
      const search = { accountId: 1, text: text.toLowerCase(), by }
      const ids = await searchedLinkIds(store.db, search, ALL)
      expect(await searchedLinkCount(store.db, search)).toBe(ids.length)
      answers.push(ids)
    }
    expect(answers).toEqual([answers[0]!, answers[0]!, answers[0]!])
    return answers[0]!
  }

  test.each([
    ['sale', [1]],
    ['SUMMER s', [1]],
    ['über', [2]],
    ['Ärger Ü', [2]],
    ['0% o', [3]],
    ['f_n', [3]],
    ['"hi"', [4]],
    ['\\o/', [4]],
    ['example.org/3', [3]],
    ['org/', [5, 4, 3, 2, 1]],
    ['a very long text that is in none of them, and longer than all of the trigrams that are asked for', []],
    ['p%n', []],
    // All its trigrams are there, but not together.
    ['sale.org', []],
    ["' OR 1=1 --", []],
    ['NEAR(', []],
  ])('finds the same by the index and without, of this account alone: %s', async (text, expected) => {
    expect(await found(text)).toEqual(expected)
    await indexAll()
    expect(await found(text)).toEqual(expected)
  })

  test('gives a page, latest first, also where the newest links are not in the index yet', async () => {
    await indexAll()
    await addText(7, 1, 'new')
    await addText(8, 1, 'newer')
    const page = (by: (typeof WAYS)[number], offset: number) =>
      searchedLinkIds(store.db, { accountId: 1, text: 'example', by }, { limit: 3, offset })
    for (const by of WAYS) {
      expect([await page(by, 0), await page(by, 3)]).toEqual([
        [8, 7, 5],
        [4, 3, 2],
      ])
    }
  })

  test('finds what a link says now, not what it said, whether it is in the index or not', async () => {
    await store.db.updateTable('link_texts').set({ text: 'autumn' }).where('link_id', '=', 1).execute()
    await store.db.deleteFrom('link_texts').where('link_id', '=', 5).execute()
    const now = async () => [await found('Summer'), await found('autumn'), await found('plain')]
    expect(await now()).toEqual([[], [1], []])
    await indexAll()
    expect(await now()).toEqual([[], [1], []])
    await store.db.updateTable('link_texts').set({ text: 'winter' }).where('link_id', '=', 1).execute()
    await store.db.deleteFrom('link_texts').where('link_id', '=', 2).execute()
    expect([...(await now()), await found('winter'), await found('über')]).toEqual([[], [], [], [1], []])
  })

  test('finds each of many new links once, before and after they are added to the index', async () => {
    for (let id = 10; id < 1_300; id++) await addText(id, 1, `many ${id}`)
    expect((await found('many')).length).toBe(1_290)
    expect([await indexNewLinks(store.db), (await found('many')).length]).toEqual([true, 1_290])
    expect([await indexNewLinks(store.db), (await found('many')).length]).toEqual([true, 1_290])
    expect([await indexNewLinks(store.db), await found('many 77')]).toEqual([
      false,
      [779, 778, 777, 776, 775, 774, 773, 772, 771, 770, 77],
    ])
    await sql`INSERT INTO link_search (link_search, rank) VALUES ('integrity-check', 1)`.execute(store.db)
  })
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}
