import { expect, test } from 'bun:test'
import { usePerTest } from '../../../test/rigs/use-rig.ts'
import { DuckDb } from './duckdb.ts'

const opened = usePerTest(
  async (folder) => ({ duckDb: await DuckDb.open(folder) }),
  async ({ duckDb }) => duckDb.close(),
)

test('a statement that would run for days is interrupted, and the connection goes on', async () => {
  const connection = await opened.duckDb.connect()
  const outcome = connection.all('SELECT count(*) FROM range(1000000000000)').catch(String)
  const timer = setInterval(() => connection.interrupt(), 20)
  expect(await outcome).toContain('Interrupted')
  clearInterval(timer)
  expect(await connection.all<unknown>('SELECT $1 AS text, $2 AS number', ['a', 2n ** 53n - 1n])).toEqual([
    { text: 'a', number: 2 ** 53 - 1 },
  ])
})

test('rows are added in chunks, whatever their number', async () => {
  const connection = await opened.duckDb.connect()
  await connection.all('CREATE TABLE facts (link_id BIGINT, country VARCHAR, clicks INTEGER)')
  for (const count of [1, 2_047, 2_048, 2_049, 10_000]) {
    const rows = Array.from({ length: count }, (_, i) => [2 ** 52 + i, `country ${i % 700}`, i])
    await connection.append('facts', ['link_id', 'country', 'clicks'], rows)
    const stored = await connection.all<object>('SELECT * FROM facts ORDER BY link_id')
    expect(stored.map((row) => Object.values(row))).toEqual(rows)
    await connection.all('TRUNCATE facts')
  }
})
