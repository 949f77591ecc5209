import type { DurableDb, Tx } from './handles.ts'
import { transact } from './transact.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { enginesToTest, openTestStore } from '../../test/rigs/store/test-store.ts'
import { indexNewLinks, indexRestoredLink } from './engine-sql.ts'
import { foundLinks, hasText } from './link-search.ts'
import type { Store } from './open-store.ts'

const folders = temporaryFolders()
let store: Store

describe.each(enginesToTest('a search'))('a search for text, on %s', (engine) => {
  describe.each([['before they are added to the index'], ['in the index']])('of links %s', (where) => {
    beforeAll(async () => {
      await open()
      if (where === 'in the index') await indexAll()
    })
    afterAll(close)

    test.each([
      ['sale', [1]],
      ['SUMMER s', [1]],
      ['über', [2]],
      ['Ärger Ü', [2]],
      ['0% o', [3]],
      ['f_n', [3]],
      ['"hi"', [4]],
      ['\\o/', [4]],
      [' \\', [4]],
      ['example.org/3', [3]],
      ['org/', [5, 4, 3, 2, 1]],
      ['plain\nhttps', [5]],
      [
        'a very long text that is in none of them, and longer than all of the trigrams that are asked for',
        [],
      ],
      ['p%n', []],
      ['p_ain', []],
      ['%', [3]],
      ['\\\\', []],
      ['%%%', []],
      ['___', []],
      // All its trigrams are there, but not together.
      ['sale.org', []],
      ["' OR 1=1 --", []],
      ['NEAR(', []],
    ])('finds the same whichever way, of this account alone: %j', async (text, expected) => {
      expect(await found(text)).toEqual(expected)
    })
  })

  describe('for several words', () => {
    beforeAll(open)
    afterAll(close)

    test.each([
      [['sale', 'summer'], [1]],
      [['now', '%', '100'], [3]],
      [['/', '"'], [4]],
      [
        ['example', 'l'],
        [5, 4, 3, 2, 1],
      ],
      [['sale', 'plain'], []],
      [['%', 'ü'], []],
      [Array.from('example.org/5'), [5]],
      [[...'abcdefghijklmnopqrst'].map((letter) => letter.repeat(12)), []],
    ])('finds the links that have all of them, in any order: %j', async (words, expected) => {
      expect(await found(...words)).toEqual(expected)
      expect(await found(...words.toReversed())).toEqual(expected)
    })
  })

  describe('of links that change', () => {
    beforeEach(open)
    afterEach(close)

    test('gives a page, latest first, also where the newest links are not in the index yet', async () => {
      await indexAll()
      await addText(7, 1, 'new')
      await addText(8, 1, 'newer')
      const page = async (offset: number) => (await idsBy('the index', ['example'])).slice(offset, offset + 3)
      expect([await page(0), await page(3)]).toEqual([
        [8, 7, 5],
        [4, 3, 2],
      ])
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

    test('finds a link that was deleted and has come back, whether it was in the index or not', async () => {
      await indexAll()
      await addText(7, 1, 'never indexed')
      for (const [id, title] of [
        [5, 'plain'],
        [7, 'never indexed'],
      ] as const) {
        await store.db.deleteFrom('link_texts').where('link_id', '=', id).execute()
        expect(await found(title)).toEqual([])
        await addText(id, 1, title)
        await transact(store.db, (tx) => indexRestoredLink(tx, id))
        expect(await found(title)).toEqual([id])
      }
      await indexAll()
      expect([await found('plain'), await found('never indexed')]).toEqual([[5], [7]])
    })

    test('finds each of many new links once, before and after they are added to the index', async () => {
      const ids = Array.from({ length: 1_290 }, (_, n) => n + 10)
      await transact(store.db, async (tx) => {
        for (const id of ids) await addText(id, 1, `many ${id}`, tx)
      })
      expect((await found('many')).length).toBe(1_290)
      // On SQLite in two steps; PostgreSQL adds to its index as it goes.
      for (const hasAdded of engine === 'sqlite' ? [true, true, false] : [false])
        expect([await indexNewLinks(store.relaxedDb), (await found('many')).length]).toEqual([
          hasAdded,
          1_290,
        ])
      expect(await found('many 77')).toEqual([779, 778, 777, 776, 775, 774, 773, 772, 771, 770, 77])
      if (engine === 'sqlite')
        await sql`INSERT INTO link_search (link_search, rank) VALUES ('integrity-check', 1)`.execute(store.db)
    })
  })

  async function open() {
    store = await openTestStore(folders.make(), engine)
    for (const [i, title] of TITLES.entries()) await addText(i + 1, 1, title)
    await addText(TITLES.length + 1, 2, TITLES.join(' '))
  }

  async function close() {
    await store.close()
    folders.remove()
  }
})

const TITLES = ['Summer Sale', 'ÄRGER über alles', '100% off_now', 'say "hi" \\o/', 'plain']

const addText = (link_id: number, workspace_id: number, title: string, db: DurableDb | Tx = store.db) =>
  db
    .insertInto('link_texts')
    .values({ link_id, workspace_id, text: `${title}\nhttps://example.org/${link_id}`.toLowerCase() })
    .execute()

const indexAll = async () => {
  while (await indexNewLinks(store.relaxedDb));
}

/** The same by the index and by the texts of single links. */
async function found(...texts: string[]): Promise<number[]> {
  const words = texts.map((text) => text.toLowerCase())
  const ids = await idsBy('the index', words)
  expect(await idsBy('the texts', words)).toEqual(ids)
  return ids
}

async function idsBy(way: 'the index' | 'the texts', words: readonly string[]): Promise<number[]> {
  const search = { words, shortUrl: undefined }
  const links = sql`(SELECT link_id AS id FROM link_texts WHERE workspace_id = 1) AS links`
  const query =
    way === 'the index'
      ? foundLinks(store.db, 1, search)
      : sql`SELECT id FROM ${links} WHERE ${hasText(store.db, search)}`
  const { rows } = await sql<{ id: number }>`${query} ORDER BY id DESC`.execute(store.db)
  return rows.map(({ id }) => id)
}
