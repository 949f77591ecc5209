import { afterEach, beforeEach, expect, test } from 'bun:test'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { DAY_US, dayOf } from '../../runtime/clock.ts'
import { storePath } from '../../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../store/open-store.ts'
import { openTestStore, testOnSqlite } from '../../../test/rigs/store/test-store.ts'
import { rotateVisitorSalts } from './visitor-salts.ts'

const folders = temporaryFolders()
const TODAY = dayOf(NOON_US)
let dataDir: string
let store: Store

beforeEach(openStore)

afterEach(async () => {
  await store.close()
  folders.remove()
})

test('today and tomorrow have a salt each, of 32 random bytes', async () => {
  const salts = await rotateVisitorSalts(store.db, NOON_US)
  expect([...salts.keys()].sort()).toEqual([TODAY, TODAY + 1])
  expect([...salts.values()].map((salt) => salt.length)).toEqual([32, 32])
  expect(salts.get(TODAY)).not.toEqual(salts.get(TODAY + 1))
})

test('a salt stays what it is, whichever node asks, and tomorrow’s becomes today’s', async () => {
  const [first, second] = await Promise.all([
    rotateVisitorSalts(store.db, NOON_US),
    rotateVisitorSalts(store.db, NOON_US),
  ])
  expect(second).toEqual(first)
  const next = await rotateVisitorSalts(store.db, NOON_US + DAY_US)
  expect(next.get(TODAY + 1)).toEqual(first.get(TODAY + 1))
})

test('two processes get the same salts', async () => {
  const other = await openTestStore(dataDir)
  const first = await rotateVisitorSalts(store.db, NOON_US)
  const second = await rotateVisitorSalts(other.db, NOON_US)
  await other.close()
  expect(second).toEqual(first)
})

async function openStore(): Promise<void> {
  dataDir = folders.make()
  store = await openTestStore(dataDir)
}

testOnSqlite(
  'the salt of yesterday is kept, and what is older is destroyed, in the file as well',
  async () => {
    const first = await rotateVisitorSalts(store.db, NOON_US)
    const yesterday = await rotateVisitorSalts(store.db, NOON_US + DAY_US)
    expect([...yesterday.keys()].sort()).toEqual([TODAY, TODAY + 1, TODAY + 2])
    const later = await rotateVisitorSalts(store.db, NOON_US + 2 * DAY_US)
    expect([...later.keys()].sort()).toEqual([TODAY + 1, TODAY + 2, TODAY + 3])
    await store.close()
    const file = Buffer.from(await Bun.file(storePath(dataDir)).bytes())
    store = await openTestStore(dataDir)
    expect(file.includes(later.get(TODAY + 1)!)).toBe(true)
    expect(file.includes(first.get(TODAY)!)).toBe(false)
  },
)
