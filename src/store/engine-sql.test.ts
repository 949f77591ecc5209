import { transact } from './transact.ts'
import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { enginesToTest, useSharedStore, useTestStore } from '../../test/rigs/store/test-store.ts'
import type { Store } from './open-store.ts'
import { contains, raiseIds, type RowInsert, wholeNumber, writeRows, writeTogether } from './engine-sql.ts'

describe.each(enginesToTest('what engines spell differently'))('on %s', (engine) => {
  const store = useSharedStore(engine)

  describe('rows', () => {
    const LOGS: RowInsert = {
      table: 'code_log',
      columns: ['log', 'position'],
      texts: ['log'],
      then: 'ON CONFLICT (log) DO NOTHING RETURNING log, position',
    }

    afterEach(emptyTable)

    test.each([0, 1, 7, 8, 9, 63, 64, 65, 200, 4_999, 5_000, 5_001, 10_003])(
      '%i of them are written, each once',
      async (count) => {
        const rows = Array.from({ length: count }, (_, n) => aRow(n))
        const expected = rows.map(([log, position]) => ({ log, position }) as Log)
        const returned = await writeRows<Log>(store.db, LOGS, rows)
        expect(returned.toSorted((a, b) => a.position - b.position)).toEqual(expected)
        expect(await stored()).toEqual(expected)
      },
    )

    test('of several tables are written together, those of each as what follows it says', async () => {
      const together = [LOGS, { ...ADDED, then: ADDED.then!.replace(/ RETURNING.*/, '') }, LOGS]
      await transact(store.db, async (tx) => {
        await writeTogether(tx, together, [[aRow(1), aRow(2)], [aRow(3)], []])
        await writeTogether(tx, together, [[], [['log 1', 10]], [aRow(4)]])
      })
      const expected = [aRow(2), aRow(3), aRow(4), ['log 1', 11]]
      expect(await stored()).toEqual(expected.map(([log, position]) => ({ log, position }) as Log))
    })

    test('that are there already stay as they are, or are added to, as what follows says', async () => {
      await writeRows(store.db, LOGS, [aRow(1)])
      expect(await writeRows<Log>(store.db, LOGS, [['log 1', 5], aRow(2)])).toEqual([
        { log: 'log 2', position: 2 },
      ])
      const many = Array.from({ length: 200 }, (_, n) => [`log ${n}`, 1_000 + n])
      const returned = await writeRows<Log>(store.db, ADDED, many)
      expect(returned).toHaveLength(200)
      expect(returned.filter(({ log }) => log === 'log 1' || log === 'log 2')).toEqual([
        { log: 'log 1', position: 1_002 },
        { log: 'log 2', position: 1_004 },
      ])
    })

    test('hold whole numbers of any size', async () => {
      const numbers = [0, 1, -1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
      await writeRows(
        store.db,
        LOGS,
        numbers.map((number) => [String(number), number]),
      )
      expect(await stored()).toEqual(
        numbers.toSorted((a, b) => a - b).map((number) => ({ log: String(number), position: number })),
      )
    })

    test('hold any text', async () => {
      const texts = [
        '',
        ' ',
        ' a ',
        'NULL',
        'null',
        '"',
        '""',
        "it's",
        '\\',
        '\\\\',
        '\\"',
        'a,b',
        '{}',
        '{a,"b"}',
        '(1)',
        '$1',
        '?',
        '%_',
        'line\nbreak',
        'tab	and\r',
        '🐦',
        'Ä ß ﷽ ​',
        '􏿿',
        'x'.repeat(2e3),
      ]
      await writeRows(
        store.db,
        LOGS,
        texts.map((text, n) => [text, n]),
      )
      expect((await stored()).map(({ log }) => log)).toEqual(texts)
    })

    test('hold no value where none is given, in numbers and in texts', async () => {
      const workspaceId = await addWorkspace(store)
      const codes = ['none', 'some', 'quoted']
      const owned: RowInsert = { table: 'codes', columns: ['code', 'workspace_id'], texts: ['code'] }
      await writeRows(store.db, owned, [
        ['none', workspaceId],
        ['some', workspaceId],
        ['quoted', null],
      ])
      const links: RowInsert = {
        table: 'links',
        columns: [
          'workspace_id',
          'code',
          'svc_id',
          'original_url',
          'target_url',
          'title',
          'is_active',
          'created_at',
          'updated_at',
        ],
        texts: ['code', 'svc_id', 'original_url', 'target_url', 'title'],
      }
      const targets: (string | null)[] = [null, 'https://example.org/', 'NULL']
      await writeRows(
        store.db,
        links,
        codes.map((code, n) => [workspaceId, code, '', LONG, targets[n], '', 1, 0, 0]),
      )
      const rows = await store.db
        .selectFrom('links')
        .select(['code', 'original_url', 'target_url'])
        .orderBy('id')
        .execute()
      expect(rows).toEqual(codes.map((code, n) => ({ code, original_url: LONG, target_url: targets[n]! })))
      const nobodys = store.db.selectFrom('codes').select('code').where('workspace_id', 'is', null)
      expect(await nobodys.execute()).toEqual([{ code: 'quoted' }])
    })

    test('of a transaction that fails go with it', async () => {
      const failing = transact(store.db, async (tx) => {
        await writeRows(tx, LOGS, [aRow(1), aRow(2)])
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await stored()).toEqual([])
    })

    async function emptyTable(): Promise<void> {
      await store.db.deleteFrom('code_log').execute()
    }

    const ADDED: RowInsert = {
      ...LOGS,
      then: 'ON CONFLICT (log) DO UPDATE SET position = code_log.position + excluded.position RETURNING log, position',
    }

    const LONG = 'long, "and" longer '.repeat(5_000)
    type Log = { log: string; position: number }
    const aRow = (n: number) => [`log ${n}`, n]
    const stored = () => store.db.selectFrom('code_log').selectAll().orderBy('position').execute()
  })

  test.each([
    ['Summer Sale', 'er S', true],
    ['Summer Sale', 'er s', false],
    ['100% off_now', '0% o', true],
    ['100 off now', '0%', false],
    ['off now', 'f_n', false],
    ['a\\b', '\\', true],
    ['ab', 'a\\b', false],
    ['🐦 ÄÖ', 'ÄÖ', true],
    ['any', '', true],
    ['', 'any', false],
  ])('the text %j contains %j: %p', async (text, part, expected) => {
    const found = contains(store.db, sql`CAST(${text} AS TEXT)`, part)
    const { rows } = await sql<{ found: unknown }>`SELECT ${found} AS found`.execute(store.db)
    expect(Boolean(rows[0]!.found)).toBe(expected)
  })

  test('a whole number is one, whatever stands around it', async () => {
    const { rows } = await sql<{ number: number }>`SELECT ${wholeNumber(2 ** 40)} AS number
      UNION ALL SELECT ${wholeNumber(-7)} ORDER BY 1`.execute(store.db)
    expect(rows).toEqual([{ number: -7 }, { number: 2 ** 40 }])
  })

  describe('ids that are raised', () => {
    const store = useTestStore(engine)

    const raise = (id: number) => transact(store.db, (tx) => raiseIds(tx, 'workspaces', id))

    test.each([0, 1, 2, 1_000, 2 ** 40])(
      'to %i in a table that never had a row are not given',
      async (id) => {
        await raise(id)
        expect([await addWorkspace(store), await addWorkspace(store)]).toEqual([id + 1, id + 2])
      },
    )

    test('to one that was given already are given on as they would have been', async () => {
      await raise(10)
      expect(await addWorkspace(store)).toBe(11)
      for (const id of [0, 5, 11]) await raise(id)
      expect(await addWorkspace(store)).toBe(12)
      await raise(13)
      expect(await addWorkspace(store)).toBe(14)
    })

    test('by a transaction that fails are given', async () => {
      const failing = transact(store.db, async (tx) => {
        await raiseIds(tx, 'workspaces', 500)
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await addWorkspace(store)).toBeLessThan(500)
    })

    test('while others draw some are never given after it, and none is given twice', async () => {
      const drawn = Array.from({ length: 50 }, () => addWorkspace(store))
      const raised = Promise.all([raise(2_000), raise(3_000), raise(1_000)])
      const others = Array.from({ length: 50 }, () => addWorkspace(store))
      await raised
      const later = await Promise.all(Array.from({ length: 50 }, () => addWorkspace(store)))
      expect(Math.min(...later)).toBeGreaterThan(3_000)
      const ids = [...(await Promise.all([...drawn, ...others])), ...later]
      expect(new Set(ids).size).toBe(150)
    })
  })
})

async function addWorkspace(store: Store): Promise<number> {
  const row = { name: '', plan: 'free', subscription_status: 'active', created_at: 0 }
  const { id } = await store.db
    .insertInto('workspaces')
    .values({ ...row, subscription_expires_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
