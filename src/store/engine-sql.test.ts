import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { isStoreUnavailable, isUniqueViolation, linkTextIndexed, linkTextScanned } from './engine-sql.ts'
import { openStore, type Store, storePath } from './open-store.ts'
import { openSqliteFile } from './sqlite-file.ts'

const folders = temporaryFolders()
let store: Store

beforeEach(async () => {
  store = await openStore(folders.make(), 'same-thread')
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
    const other = await openStore(folder, 'same-thread')
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
    await sql`INSERT INTO accounts (id, name, email, password_hash, plan, subscription_status, created_at)
      VALUES (1, 'a', 'a@example.org', '', 'free', 'active', 0)`.execute(store.db)
    for (const [i, title] of titles.entries()) {
      await store.db
        .insertInto('codes')
        .values({ code: `c${i}`, account_id: 1 })
        .execute()
      await store.db.insertInto('links').values(aLink(i, title)).execute()
    }
  })

  const found = async (test: ReturnType<typeof linkTextIndexed>) =>
    (await store.db.selectFrom('links').select('title').where(test).orderBy('id').execute()).map(
      (row) => row.title,
    )

  test.each([
    ['sale', ['Summer Sale']],
    ['SUMMER s', ['Summer Sale']],
    ['über', ['ÄRGER über alles']],
    ['0% o', ['100% off_now']],
    ['f_n', ['100% off_now']],
    ['"hi"', ['say "hi" \\o/']],
    ['\\o/', ['say "hi" \\o/']],
    ['example.org/3', ['say "hi" \\o/']],
    ['p%n', []],
    ["' OR 1=1 --", []],
    ['NEAR(', []],
  ])('finds the same with the index and without: %s', async (text, expected) => {
    expect(await found(linkTextIndexed(text))).toEqual(expected)
    expect(await found(linkTextScanned(text))).toEqual(expected)
  })

  test('finds what a link says now, not what it said', async () => {
    await store.db.updateTable('links').set({ title: 'Winter' }).where('title', '=', 'Summer Sale').execute()
    await store.db.deleteFrom('links').where('title', '=', 'plain').execute()
    expect(await found(linkTextIndexed('Summer'))).toEqual([])
    expect(await found(linkTextIndexed('winter'))).toEqual(['Winter'])
    expect(await found(linkTextIndexed('plain'))).toEqual([])
  })
})

const aLink = (i: number, title: string) => ({
  account_id: 1,
  code: `c${i}`,
  svc_id: `svc_${i}`,
  original_url: `https://example.org/${i}`,
  target_url: null,
  title,
  is_active: 1,
  created_at: i,
  updated_at: i,
})

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}
