import { afterEach, beforeEach, expect, test } from 'bun:test'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { openStore, type Store } from './open-store.ts'
import { type RowTarget, writeRows } from './write-rows.ts'

const folders = temporaryFolders()
let store: Store

beforeEach(async () => {
  store = await openStore(folders.make(), 'same-thread')
})

afterEach(async () => {
  await store.close()
  folders.remove()
})

const SALTS: RowTarget = {
  table: 'visitor_salts',
  columns: ['day', 'salt'],
  then: 'ON CONFLICT (day) DO NOTHING RETURNING day',
}

const salt = (day: number) => [day, new Uint8Array([day % 256])]
const storedDays = async () =>
  (await store.db.selectFrom('visitor_salts').select('day').orderBy('day').execute()).map(({ day }) => day)

test.each([0, 1, 7, 8, 9, 63, 64, 65, 200])('%i rows are written, each once, in order', async (count) => {
  const rows = Array.from({ length: count }, (_, day) => salt(day))
  const returned = await writeRows<{ day: number }>(store.db, SALTS, rows)
  expect(returned.map(({ day }) => day)).toEqual(rows.map(([day]) => day as number))
  expect(await storedDays()).toEqual(rows.map(([day]) => day as number))
})

test('what follows the values decides about rows that are there already', async () => {
  await writeRows(store.db, SALTS, [salt(1)])
  expect(await writeRows<{ day: number }>(store.db, SALTS, [salt(1), salt(2)])).toEqual([{ day: 2 }])
})

test('a transaction that fails takes its rows along', async () => {
  const failing = store.db.transaction().execute(async (tx) => {
    await writeRows(tx, SALTS, [salt(1), salt(2)])
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await storedDays()).toEqual([])
})
