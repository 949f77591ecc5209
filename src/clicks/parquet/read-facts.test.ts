import { expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  type ClickStoreRig,
  type Fact,
  START_US,
  useClickStore,
} from '../../../test/rigs/clicks/click-store-rig.ts'
import { FACT_COLUMNS } from '../facts/fact-columns.ts'
import { DuckDb } from './duckdb.ts'
import { factPages } from './read-facts.ts'

const store = useClickStore()

test('the facts of a file are read in its order, page by page', async () => {
  const { rig } = store
  const facts = rig.add(
    Array.from({ length: 25 }, (_, i) => ({ link_id: 1 + (i % 7), clicked_at: START_US + i })),
  )
  const [name] = await rig.closeUpTo()
  const sorted = facts.toSorted((a, b) => a.link_id - b.link_id || a.clicked_at - b.clicked_at).map(valuesOf)
  const pages = await Array.fromAsync(factPages(rig.engine.call, { name: name!, rowsMax: 10 }))
  expect(pages).toEqual([sorted.slice(0, 10), sorted.slice(10, 20), sorted.slice(20)])
  expect(await readAll(rig, { name: name!, rowsMax: 5 })).toEqual(sorted)
})

test('those of a workspace are read without the others, wherever they are in the file', async () => {
  const { rig } = store
  const facts = rig.add(
    [5, 2, 9, 5, 2, 5, 9, 5].map((workspace_id, i) => ({ workspace_id, clicked_at: START_US + i })),
  )
  const [name] = await rig.closeUpTo()
  for (const workspaceId of [2, 5, 9]) {
    const rows = await readAll(rig, { name: name!, workspaceId, rowsMax: 2 })
    expect(rows).toEqual(facts.filter((fact) => fact.workspace_id === workspaceId).map(valuesOf))
  }
  for (const workspaceId of [1, 3, 10])
    expect(await readAll(rig, { name: name!, workspaceId, rowsMax: 2 })).toEqual([])
})

test('any text comes back as it was', async () => {
  const { rig } = store
  const referrers = ['"', '\\', "'", ',', '[]', '\n\t\u0001', 'é', '😀', '\u2028', '\ufeff', 'null', '1']
  const facts = rig.add(referrers.map((referrer, i) => ({ referrer, clicked_at: START_US + i })))
  const [name] = await rig.closeUpTo()
  expect(await readAll(rig, { name: name!, rowsMax: 20 })).toEqual(facts.map(valuesOf))
})

test('clicks of forgotten links are left out, also where they are a whole page', async () => {
  const { rig } = store
  const facts = rig.add([1, 1, 2, 3, 3, 3, 4].map((link_id, i) => ({ link_id, clicked_at: START_US + i })))
  const [name] = await rig.closeUpTo()
  const rows = await readAll(rig, { name: name!, forgottenLinks: [1, 3], rowsMax: 2 })
  expect(rows).toEqual([facts[2]!, facts[6]!].map(valuesOf))
})

test('a column that a file of an earlier version lacks is empty', async () => {
  const { rig } = store
  const name = '2026-04-20-00000000-0000-7000-8000-000000000000.parquet'
  const duckDb = await DuckDb.open(join(rig.folder, 'duckdb.tmp'))
  const connection = await duckDb.connect()
  await connection.all(`COPY (SELECT 1::BIGINT AS workspace_id, 2::BIGINT AS link_id, ${START_US} AS clicked_at, 'DE' AS country,
    3::INTEGER AS clicks, 2::INTEGER AS visitors, 1::INTEGER AS workspace_visitors, 0::INTEGER AS bots) TO '${join(rig.folder, name)}' (FORMAT parquet)`)
  duckDb.close()
  const values = { workspace_id: 1, link_id: 2, clicked_at: START_US, country: 'DE', clicks: 3, visitors: 2 }
  const fact: Record<string, number | string> = { ...values, workspace_visitors: 1, bots: 0 }
  expect(await readAll(rig, { name, rowsMax: 10 })).toEqual([
    FACT_COLUMNS.map((column) => fact[column] ?? ''),
  ])
})

test('clicks with negative ids are closed, too, and in reports before', async () => {
  const { rig } = store
  const facts = rig.add(['a', 'b', 'c', 'd'].map((referrer) => ({ referrer })))
  rig.database.run('UPDATE clicks SET id = id - 4')
  expect(await rig.total()).toBe(4)
  const [name] = await rig.closeUpTo(-2)
  expect((await readAll(rig, { name: name!, rowsMax: 10 })).toSorted()).toEqual(
    facts.slice(0, 2).map(valuesOf).toSorted(),
  )
  expect(await rig.total()).toBe(4)
})

const readAll = async ({ engine }: ClickStoreRig, file: Parameters<typeof factPages>[1]) =>
  (await Array.fromAsync(factPages(engine.call, file))).flat()

const valuesOf = (fact: Fact) => FACT_COLUMNS.map((column) => fact[column as keyof Fact])
