import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useFolders } from '../../test/rigs/use-rig.ts'
import { DuckDb } from '../clicks/parquet/duckdb.ts'
import { type ParquetColumns, parquetBytes } from './parquet-export.ts'

const folders = useFolders()
const COLUMNS: ParquetColumns = { at: 'time', city: 'text', clicks: 'count' }
const AT_US = 1_776_686_400_123_456

test('another program reads the pages as they were', async () => {
  const rows = await readBack([
    [
      { at: AT_US, city: 'Île d’Yeu', clicks: 1 },
      { at: AT_US + 1, city: null, clicks: 2 },
    ],
    [],
    [{ at: 0, city: '', clicks: 2_000_000_000 }],
  ])
  expect(rows).toEqual([
    ['1970-01-01 00:00:00', '', '2000000000'],
    ['2026-04-20 12:00:00.123456', 'Île d’Yeu', '1'],
    ['2026-04-20 12:00:00.123457', 'null', '2'],
  ])
})

test('a page with nothing but one value, or with thousands of them, is read too', async () => {
  const page = (from: number) =>
    Array.from({ length: 4_000 }, (_, i) => ({
      at: AT_US + from + i,
      city: from === 0 ? 'Berlin' : `city ${i}`,
      clicks: 1,
    }))
  const rows = await readBack([page(0), page(4_000), page(8_000)])
  expect(rows).toHaveLength(12_000)
  expect(new Set(rows.map(([, city]) => city)).size).toBe(4_001)
})

test('pages of few rows are written together, those of many by themselves', async () => {
  const page = (length: number) => Array.from({ length }, () => ({ at: AT_US, city: null, clicks: 1 }))
  const piecesOf = async (...lengths: number[]) =>
    (await Array.fromAsync(parquetBytes(COLUMNS, inTurn(lengths.map(page))))).length
  // And the end of the file.
  expect(await piecesOf(...Array(200).fill(3))).toBe(1 + 1)
  expect(await piecesOf(4_000, 4_000, 0, 9_000, 1)).toBe(3 + 1)
})

test('without any click it is a file without rows', async () => {
  expect(await readBack([])).toEqual([])
})

/** By the time, as texts. */
async function readBack(pages: object[][]): Promise<string[][]> {
  const folder = folders.make()
  const pieces = await Array.fromAsync(parquetBytes(COLUMNS, inTurn(pages)))
  const file = join(folder, 'clicks.parquet')
  writeFileSync(file, Buffer.concat(pieces))
  const engine = await DuckDb.open(folder)
  try {
    const connection = await engine.connect()
    const sql = `SELECT "at"::VARCHAR, coalesce(city, 'null'), clicks::VARCHAR FROM '${file}' ORDER BY "at"`
    return (await connection.rows(sql)) as string[][]
  } finally {
    engine.close()
  }
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}
