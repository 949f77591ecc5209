import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClickStoreRig, START_US } from '../../../test/rigs/clicks/click-store-rig.ts'
import { EVERY_TABLE } from '../../../test/rigs/store/every-table.data.ts'
import {
  cannotMove,
  contents,
  move,
  MoveRig,
  refusalOf,
  type SqlitePlace,
} from '../../../test/rigs/store/move-rig.ts'
import { TEMPORARY_FOLDER } from '../../clicks/parquet/tidy-click-files.ts'
import { clicksFolder } from '../sqlite/open-sqlite-store.ts'
import { isStoreUnavailable } from '../store-errors.ts'
import type { MoveProgress } from './progress.ts'
import { reopenStore } from './reopen-store.ts'

let rig: MoveRig

describe.skipIf(cannotMove())('a move of clicks in files', () => {
  beforeAll(async () => {
    rig = await MoveRig.start()
  })

  afterAll(() => rig.remove())

  test('takes them along before those of the table, and to where times are merged they stay so', async () => {
    const [from, to] = [await rig.closedPlace(), await rig.emptyPlace('postgres')]
    const progress: MoveProgress[] = []
    const { tables } = await move(from, to, { report: (each) => void progress.push(each) })
    expect(tables.find(({ table }) => table === 'clicks')).toMatchObject({ rows: 4 })
    expect(progress).toContainEqual({ step: 'copy', table: 'clicks', rows: 4, of: 4 })
    expect(progress).toContainEqual({ step: 'compare', table: 'clicks', rows: 4, of: 4 })
    const [first, second, third, fourth] = EVERY_TABLE.clicks
    const moved = new Map(await contents(to))
    expect(moved.get('clicks')).toEqual([
      { ...third, id: 10 },
      { ...first, id: 11 },
      { ...second, id: 12 },
      { ...fourth, id: 13 },
    ])
    expect(moved.get('click_progress')).toEqual([{ merged_to: 10 }])
  })

  test('leaves those behind that were deleted', async () => {
    const [from, to] = [await rig.closedPlace(), await rig.emptyPlace('postgres')]
    const [first, , third, fourth] = EVERY_TABLE.clicks
    await rig.byHand(from, `UPDATE click_files SET forgotten_links = '[${first!.link_id}]'`)
    const { tables } = await move(from, to)
    expect(tables.find(({ table }) => table === 'clicks')).toMatchObject({ rows: 2 })
    expect(new Map(await contents(to)).get('clicks')).toEqual([
      { ...third, id: 12 },
      { ...fourth, id: 13 },
    ])
  })

  test('and back puts them into the table, and keeps the files with the database that is replaced', async () => {
    const [from, to] = [await rig.closedPlace(), await rig.emptyPlace('postgres')]
    await move(from, to)
    const before = await contents(to)
    await move(to, from)
    expect(new Map(await contents(from)).get('clicks')).toEqual(new Map(before).get('clicks')!)
    expect(await clickFilesOf(from)).toEqual([])
    const [aside] = readdirSync(join(from.dataDir, 'replaced'))
    const replaced: SqlitePlace = { engine: 'sqlite', dataDir: join(from.dataDir, 'replaced', aside!) }
    const names = await clickFilesOf(replaced)
    expect(names).toHaveLength(3)
    expect(readdirSync(clicksFolder(replaced.dataDir))).toEqual(expect.arrayContaining(names))
    const store = await ClickStoreRig.open(from.dataDir)
    expect(await store.closeUpTo(12)).toHaveLength(3)
    expect(await store.total()).toBe(42)
    await store.close()
  })

  test('takes as many as there are, in whatever ids are left below', async () => {
    const from = (await rig.emptyPlace('sqlite')) as SqlitePlace
    const count = 40_000
    const store = await ClickStoreRig.open(from.dataDir)
    store.add(
      Array.from({ length: count }, (_, i) => ({ workspace_id: 1 + (i % 3), clicked_at: START_US + i })),
    )
    await store.closeUpTo()
    await store.close()
    await rig.byHand(from, 'UPDATE sqlite_sequence SET seq = 3')
    const to = await rig.emptyPlace('postgres')
    await move(from, to)
    const [sums] = await rig.byHand(
      to,
      'SELECT count(DISTINCT clicked_at)::INTEGER AS times, min(id)::INTEGER AS first, max(id)::INTEGER AS last FROM clicks',
    )
    expect(sums).toEqual({ times: count, first: 4 - count, last: 3 })
  })

  test.each([
    ['missing', (path: string) => rmSync(path)],
    ['damaged', (path: string) => writeFileSync(path, 'PAR1')],
  ])('is refused when a file is %s, and changes nothing', async (how, spoil) => {
    const [from, to] = [await rig.closedPlace(), await rig.emptyPlace('postgres')]
    const [, second] = await clickFilesOf(from)
    const path = join(clicksFolder(from.dataDir), second!)
    spoil(path)
    const before = await contents(from)
    expect((await refusalOf(move(from, to))).message).toBe(
      `The click file ${path} is ${how}, so nothing was moved. Run tern doctor: it says which clicks are missing and what to do.`,
    )
    expect(await contents(from)).toEqual(before)
    expect(await rig.byHand(to, `SELECT to_regclass('kysely_migration') IS NULL AS "isEmpty"`)).toEqual([
      { isEmpty: true },
    ])
  })

  test('is refused when the engine does not start', async () => {
    const [from, to] = [await rig.closedPlace(), await rig.emptyPlace('postgres')]
    // It needs a folder there.
    const path = join(clicksFolder(from.dataDir), TEMPORARY_FOLDER)
    rmSync(path, { recursive: true, force: true })
    writeFileSync(path, '')
    expect((await refusalOf(move(from, to))).message).toBe(
      'Clicks in files cannot be read, so nothing was moved: the click engine does not start: The click engine has ended.',
    )
  })

  test('leaves files that nobody replaces until the store is reopened', async () => {
    const [from, to] = [await rig.closedPlace(), await rig.emptyPlace('postgres')]
    const names = await clickFilesOf(from)
    await move(from, to)
    const change = await refusalOf(rig.byHand(from, 'UPDATE click_files SET removed_at = 1'))
    expect(isStoreUnavailable(change)).toBe(true)
    // An earlier move is known to be finished whatever happened to the files since.
    rmSync(join(clicksFolder(from.dataDir), names[0]!))
    expect(await move(from, to)).toMatchObject({ wasFinished: true })
    await reopenStore(from, [])
    await rig.byHand(from, 'UPDATE click_files SET removed_at = 1')
    expect(await clickFilesOf(from)).toEqual([])
    expect(existsSync(join(clicksFolder(from.dataDir), names[1]!))).toBe(true)
  })
})

/** The names of those that count. */
async function clickFilesOf(place: SqlitePlace): Promise<string[]> {
  const rows = await rig.byHand(place, 'SELECT name FROM click_files WHERE removed_at IS NULL ORDER BY name')
  return (rows as { name: string }[]).map(({ name }) => name)
}
