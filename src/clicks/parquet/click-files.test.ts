import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ClickStoreRig,
  type Fact,
  START_US,
  useClickStore,
} from '../../../test/rigs/clicks/click-store-rig.ts'
import { transact } from '../../store/transact.ts'
import { DAY_US, QUARTER_US } from '../../runtime/clock.ts'
import { FACT_COLUMNS } from '../facts/fact-columns.ts'
import { enterClosed } from './click-files.ts'
import { DuckDb } from './duckdb.ts'
import { removeLeftovers, tidyClickFiles } from './tidy-click-files.ts'

const store = useClickStore()

test('closed clicks are in one file for each UTC day, sorted by workspace, link and time', async () => {
  const { rig } = store
  const facts = rig.add([
    { workspace_id: 2, link_id: 1, clicked_at: START_US + 5 },
    { workspace_id: 1, link_id: 9, clicked_at: START_US + 4, referrer: 'x.example' },
    { workspace_id: 1, link_id: 3, clicked_at: START_US + 9, visitors: 0, bots: 1 },
    { workspace_id: 1, link_id: 3, clicked_at: START_US + 7 },
    { workspace_id: 1, link_id: 3, clicked_at: START_US + DAY_US },
  ])
  const names = await rig.closeUpTo()
  expect(names.map((name) => name.slice(0, 10))).toEqual(['2026-04-20', '2026-04-21'])
  expect(await rowsOf(rig, names[0]!)).toEqual([3, 2, 1, 0].map((i) => valuesOf(facts[i]!)))
  expect(await rowsOf(rig, names[1]!)).toEqual([valuesOf(facts[4]!)])
  expect(rig.database.query('SELECT * FROM clicks').all()).toEqual([])
  expect(await rig.files()).toEqual([
    { name: names[0]!, from_us: START_US + 4, to_us: START_US + 10, rows: 4, sha256: sha256(rig, names[0]!) },
    {
      name: names[1]!,
      from_us: START_US + DAY_US,
      to_us: START_US + DAY_US + 1,
      rows: 1,
      sha256: sha256(rig, names[1]!),
    },
  ])
})

test('a closing is not entered if its clicks have changed, and nothing else either', async () => {
  const { rig } = store
  rig.add([{ link_id: 1 }, { link_id: 2 }])
  const files = await rig.engine.call('closeClicks', { upToId: 2 })
  rig.database.run('DELETE FROM clicks WHERE link_id = 2')
  const entered = transact(rig.store.relaxedDb, (tx) => enterClosed(tx, { upToId: 2, files }))
  await expect(entered).rejects.toThrow('2 clicks were closed, 1 are open.')
  expect(await rig.files()).toEqual([])
  expect(await rig.total()).toBe(1)
})

test('files are written into one, and the replaced ones are deleted later', async () => {
  const { rig } = store
  const facts = rig.add([
    { link_id: 2 },
    { link_id: 1, country: 'DE' },
    { link_id: 1, clicked_at: START_US - 1 },
  ])
  const names = [...(await rig.closeUpTo(1)), ...(await rig.closeUpTo(3))]
  const name = await rig.rewrite({ names })
  expect(await rowsOf(rig, name!)).toEqual([2, 1, 0].map((i) => valuesOf(facts[i]!)))
  expect((await rig.files()).map((file) => file.name)).toEqual([name!])
  expect(await rig.total()).toBe(3)
  await expect(rig.rewrite({ names })).rejects.toThrow(`The click file ${names[0]} was replaced before.`)
  await tidyClickFiles(rig.store, rig.folder)
  await rig.deleteRemoved(START_US)
  expect(parquetFiles(rig)).toEqual([...names, name!].sort())
  await rig.deleteRemoved(START_US + 1)
  expect(parquetFiles(rig)).toEqual([name!])
  expect(await rig.total()).toBe(3)
})

test('coarse files have one fact for each quarter of an hour and combination, with the same sums', async () => {
  const { rig } = store
  rig.add([
    { country: 'DE', clicked_at: START_US + 1 },
    { country: 'DE', clicked_at: START_US + QUARTER_US - 1, visitors: 0 },
    { country: 'FR', clicked_at: START_US + 2 },
    { country: 'DE', clicked_at: START_US + QUARTER_US },
    { country: 'DE', clicked_at: START_US + DAY_US },
  ])
  const names = await rig.closeUpTo()
  const name = await rig.rewrite({ names, coarsens: true })
  expect(name).toEndWith('.15m.parquet')
  const rows = await rowsOf(rig, name!)
  const shown = ['clicked_at', 'country', 'clicks', 'visitors', 'workspace_visitors']
  const isShown = FACT_COLUMNS.map((column) => shown.includes(column))
  expect(rows.map((row) => row.filter((_, i) => isShown[i])).sort()).toEqual([
    [START_US, 'DE', 2, 1, 2],
    [START_US, 'FR', 1, 1, 1],
    [START_US + QUARTER_US, 'DE', 1, 1, 1],
    [START_US + DAY_US, 'DE', 1, 1, 1],
  ])
  expect(await rig.rewrite({ names: [name!] })).toEndWith('.15m.parquet')
  expect(await rig.total()).toBe(5)
  expect((await tidyClickFiles(rig.store, rig.folder)).removed).toEqual([])
})

test('forgotten links and workspaces are in no file that counts, and other files stay as they are', async () => {
  const { rig } = store
  rig.add([
    { link_id: 1 },
    { link_id: 2 },
    { workspace_id: 5, link_id: 3 },
    { workspace_id: 5, link_id: 3 },
    { link_id: 4 },
  ])
  const names: string[] = []
  for (const upToId of [2, 4, 5]) names.push(...(await rig.closeUpTo(upToId)))
  const ids = { linkIds: [1], workspaceIds: [5] }
  const holders = await rig.engine.call('filesWith', { names, ...ids })
  expect(holders).toEqual(names.slice(0, 2).sort())
  expect(await rig.engine.call('filesWith', { names, linkIds: [], workspaceIds: [] })).toEqual([])
  const forgotten = { [names[0]!]: [1] }
  const rewritten = [
    await rig.rewrite({ names: [names[0]!], withoutWorkspaces: [5], forgotten }),
    await rig.rewrite({ names: [names[1]!], withoutWorkspaces: [5], forgotten }),
  ]
  expect(rewritten[1]).toBeUndefined()
  expect((await rig.files()).map(({ name }) => name)).toEqual([rewritten[0]!, names[2]!].sort())
  const { groups } = await rig.query({ groups: [{ by: ['link_id'], top: 9 }] })
  expect(groups[0]!.map(({ keys: [id] }) => id)).toEqual([4, 2])
})

test('unfinished files are removed at the start, those without a row go into the trash, and rows without a file are named', async () => {
  const { rig } = store
  expect(await tidyClickFiles(rig.store, join(rig.dataDir, 'none'))).toEqual({ removed: [], missing: [] })
  rig.add([{}, { clicked_at: START_US + DAY_US }])
  const [kept, gone] = await rig.closeUpTo()
  rig.add([{}])
  const [closed] = await rig.engine.call('closeClicks', { upToId: 3 })
  rmSync(join(rig.folder, gone!))
  for (const name of [`${kept}.next`, '0193b1c0.next', 'notes.txt']) writeFileSync(join(rig.folder, name), '')
  expect(await tidyClickFiles(rig.store, rig.folder)).toEqual({
    removed: [closed!.name],
    missing: [gone!],
  })
  await removeLeftovers(rig.folder, { beforeUs: 0 })
  expect(readdirSync(rig.folder).sort()).toEqual([kept!, 'notes.txt', 'trash'].sort())
  expect(await rig.total()).toBe(2)
})

test('files of another database come back from the trash with it, or are deleted later', async () => {
  const { rig } = store
  rig.add([{}, {}])
  const [ours] = await rig.closeUpTo(1)
  const rows = rig.database.query('SELECT * FROM click_files').all() as Record<string, string>[]
  rig.database.run('DELETE FROM click_files')
  expect(await tidyClickFiles(rig.store, rig.folder)).toEqual({ removed: [ours!], missing: [] })
  const columns = Object.keys(rows[0]!)
  rig.database.run(
    `INSERT INTO click_files VALUES (${columns.map(() => '?').join(', ')})`,
    Object.values(rows[0]!),
  )
  expect(await tidyClickFiles(rig.store, rig.folder)).toEqual({ removed: [], missing: [] })
  expect(await rig.total()).toBe(2)
  rig.database.run('DELETE FROM click_files')
  await tidyClickFiles(rig.store, rig.folder)
  await removeLeftovers(rig.folder, { beforeUs: 1 })
  expect(readdirSync(join(rig.folder, 'trash'))).toEqual([ours!])
  await removeLeftovers(rig.folder, { beforeUs: (Date.now() + 60_000) * 1000 })
  expect(readdirSync(join(rig.folder, 'trash'))).toEqual([])
})

const parquetFiles = (rig: ClickStoreRig) =>
  readdirSync(rig.folder)
    .filter((name) => name.endsWith('.parquet'))
    .sort()

const sha256 = (rig: ClickStoreRig, name: string) =>
  createHash('sha256')
    .update(readFileSync(join(rig.folder, name)))
    .digest('hex')

const valuesOf = (fact: Fact) => FACT_COLUMNS.map((name) => fact[name as keyof Fact])

/** In the order of the file. */
async function rowsOf(rig: ClickStoreRig, name: string): Promise<unknown[][]> {
  const duckDb = await DuckDb.open(join(rig.folder, 'tmp'))
  const connection = await duckDb.connect()
  const rows = await connection.all<object>(
    `SELECT ${FACT_COLUMNS.map((column) => `"${column}"`).join(', ')} FROM read_parquet($1, file_row_number = true) ORDER BY file_row_number`,
    [join(rig.folder, name)],
  )
  duckDb.close()
  return rows.map((row) => Object.values(row))
}
