import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, openPoolRig, type PoolRig } from '../../../test/rigs/store/pool-rig.ts'
import { lacksPostgres } from '../../../test/rigs/store/postgres-server.ts'
import { testPostgres } from '../../../test/rigs/store/test-store.ts'
import type { PostgresPool } from './postgres-pool.ts'

const NUMBERS = [0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

let rig: PoolRig
let pool: PostgresPool

describe.skipIf(lacksPostgres('values of PostgreSQL'))('values', () => {
  beforeAll(openTables)
  afterAll(async () => {
    expect(await rig.end()).toEqual([])
  })

  test.each(NUMBERS)('the whole number %p comes back as it went', async (number) => {
    const rows = await ask(pool, 'SELECT $1::bigint AS wide, -$1::bigint AS less', number)
    expect(rows).toEqual([{ wide: number, less: 0 - number }])
  })

  test('counts, sums and numbers of fewer bits are numbers too, and a text of digits is a text', async () => {
    const rows = await ask(
      pool,
      `SELECT count(*) AS count, sum(n::integer) AS sum, max(n::smallint) AS most, $1::text AS digits, NULL::bigint AS none
        FROM generate_series(1, 3) AS n`,
      '0123',
    )
    expect(rows).toEqual([{ count: 3, sum: 6, most: 3, digits: '0123', none: null }])
  })

  test.each([[[]], [[0]], [[0, 1, 92, 127, 128, 255]]])(
    'the bytes %j come back as they went',
    async (bytes) => {
      const [row] = await ask<{ bytes: Uint8Array }>(pool, 'SELECT $1::bytea AS bytes', new Uint8Array(bytes))
      expect(row!.bytes).toBeInstanceOf(Uint8Array)
      expect([...row!.bytes]).toEqual(bytes)
    },
  )

  test.each(['', ' ', "it's", 'a\\b"c', '{NULL}', '🐦 ä\n\t', '$1'])(
    'the text %j comes back as it went',
    async (text) => {
      expect(await ask(pool, 'SELECT $1::text AS text', text)).toEqual([{ text }])
    },
  )

  test.each(['a\0b', 'a\ud800b'])(
    'the text %j, which no text of PostgreSQL can be, is one that is found nowhere',
    async (text) => {
      expect(await ask(pool, 'SELECT $1::text AS text', text)).toEqual([{ text: 'a\ufffdb' }])
    },
  )

  test.each(['id', 'hour', 'is_on'])(
    'numbers of any size are looked up in the index of %s',
    async (column) => {
      await ask(pool, 'SET enable_seqscan = off')
      for (const number of NUMBERS) {
        const plan = await ask(pool, `EXPLAIN SELECT * FROM things WHERE ${column} = $1`, number)
        expect(JSON.stringify(plan)).toContain(`Index Cond: (${column} = '${number}'::bigint)`)
      }
    },
  )

  test('a statement is prepared once, whichever numbers and however many NULLs it is asked with', async () => {
    const values = [...NUMBERS, null]
    for (const id of values)
      for (const hour of values) await ask(pool, 'SELECT 1 FROM things WHERE id = $1 AND hour = $2', id, hour)
    const prepared = await ask(
      pool,
      `SELECT statement, parameter_types::text AS types FROM pg_prepared_statements WHERE statement LIKE '%AND hour = $2'`,
    )
    expect(prepared).toEqual([
      { statement: 'SELECT 1 FROM things WHERE id = $1 AND hour = $2', types: '{bigint,bigint}' },
    ])
  })

  test('what was changed is counted, what is read is not', async () => {
    const statement = (sql: string) => pool.run({ sql, parameters: [] })
    expect(await statement('INSERT INTO things VALUES (1, 1, 1), (2, 1, 1)')).toEqual({
      rows: [],
      command: 'INSERT',
      numAffectedRows: 2n,
    })
    expect(await statement('DELETE FROM things WHERE id = 2 RETURNING id')).toMatchObject({
      rows: [{ id: 2 }],
      numAffectedRows: 1n,
    })
    expect(await statement('SELECT id FROM things')).toEqual({ rows: [{ id: 1 }], command: 'SELECT' })
  })

  async function openTables(): Promise<void> {
    rig = await openPoolRig(await testPostgres(), { connectionsMax: 1 })
    pool = rig.open()
    await ask(pool, 'CREATE TABLE things (id BIGINT PRIMARY KEY, hour INTEGER, is_on SMALLINT)')
    await ask(pool, 'CREATE INDEX things_of_hour ON things (hour)')
    await ask(pool, 'CREATE INDEX things_on ON things (is_on)')
  }
})
