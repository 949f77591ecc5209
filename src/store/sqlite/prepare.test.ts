import type { AnyDb, DurableDb } from '../handles.ts'
import { transact } from '../transact.ts'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { CompiledQuery } from 'kysely'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import type { Store } from '../open-store.ts'
import { prepare, prepareForList } from './prepare.ts'

const folders = temporaryFolders()
let store: Store
/** How often the query below was built. */
let builds = 0

beforeEach(openWithSalts)
afterEach(closeAll)

test('it is built once and answers each question with its own values, in and out of transactions', async () => {
  expect(await daysBetween(store.db, { first: 1, last: 2 })).toEqual([{ day: 1 }, { day: 2 }])
  const before = builds
  expect(await daysBetween(store.db, { last: 3, first: 3 })).toEqual([{ day: 3 }])
  const inside = await transact(store.relaxedDb, (tx) => daysBetween(tx, { first: 2, last: 9 }))
  expect([inside, builds - before]).toEqual([[{ day: 2 }, { day: 3 }], 1]) // another handle is another engine
  expect([await daysBetween(store.relaxedDb, { first: 4, last: 9 }), builds - before]).toEqual([[], 1])
})

test('a value may stand in it more than once, and be nothing', async () => {
  const twice = prepare((db: AnyDb, { day }: { day: number | null }) =>
    db
      .selectFrom('visitor_salts')
      .select('day')
      .where((eb) => eb.or([eb('day', '=', day), eb('day', '=', day)])),
  )
  expect(await twice(store.db, { day: 2 })).toEqual([{ day: 2 }])
  expect(await twice(store.db, { day: null })).toEqual([])
})

test('it writes, too, and gives back what the statement returns', async () => {
  const change = prepare((db: DurableDb, { day, salt }: { day: number; salt: Uint8Array }) =>
    db.updateTable('visitor_salts').set({ salt }).where('day', '=', day).returning('day'),
  )
  expect(await change(store.db, { day: 2, salt: new Uint8Array([9]) })).toEqual([{ day: 2 }])
  expect(await change(store.db, { day: 7, salt: new Uint8Array([9]) })).toEqual([])
  const { rows } = await store.db.executeQuery<{ salt: Uint8Array }>(
    CompiledQuery.raw('SELECT salt FROM visitor_salts ORDER BY day'),
  )
  expect(rows.map(({ salt }) => [...salt])).toEqual([[1], [9], [3]])
})

test('a list of any length is looked for, by one text for lists of about that length', async () => {
  let texts = 0
  const daysIn = prepareForList((db: AnyDb, { last }: { last: number }, days: readonly number[]) => {
    texts++
    return db.selectFrom('visitor_salts').select('day').where('day', 'in', days).where('day', '<=', last)
  })
  const days = (count: number) => Array.from({ length: count }, (_, at) => 3 - at)
  expect(await daysIn(store.db, { last: 9 }, [])).toEqual([])
  expect(await daysIn(store.db, { last: 9 }, [2])).toEqual([{ day: 2 }])
  for (const count of [2, 4, 10])
    expect(await daysIn(store.db, { last: 2 }, days(count))).toEqual(
      [1, 2].slice(count === 2 ? 1 : 0).map((day) => ({ day })),
    )
  expect(texts).toBe(2)
  expect(await daysIn(store.db, { last: 9 }, days(3_000))).toHaveLength(3)
  await expect(daysIn(store.db, { last: 9 }, days(3_001))).rejects.toThrow('too long')
})

const daysBetween = prepare((db: AnyDb, { first, last }: { first: number; last: number }) => {
  builds++
  return db
    .selectFrom('visitor_salts')
    .select('day')
    .where('day', '>=', first)
    .where('day', '<=', last)
    .where('day', '<', 1_000)
    .orderBy('day')
})

async function openWithSalts(): Promise<void> {
  store = await openSqliteStore(folders.make(), 'same-thread')
  await store.db
    .insertInto('visitor_salts')
    .values([1, 2, 3].map((day) => ({ day, salt: new Uint8Array([day]) })))
    .execute()
}

async function closeAll(): Promise<void> {
  await store.close()
  folders.remove()
}
