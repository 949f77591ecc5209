import { describe, expect, test } from 'bun:test'
import { openBatchCounter } from '../../../test/rigs/clicks/batch-counter.ts'
import { type ClickHouseRig, useClickHouse } from '../../../test/rigs/clicks/clickhouse-rig.ts'
import { lacksClickHouse } from '../../../test/rigs/clicks/clickhouse-server.ts'
import { type ClickStoreRig, useClickStore } from '../../../test/rigs/clicks/click-store-rig.ts'
import { deleteClicksOf } from '../../../test/rigs/clicks/deleted-clicks.ts'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { checkClickHouse } from '../../doctor/check-clickhouse.ts'
import { openClicks } from '../../export/click-lines.ts'
import { DAY_US, manualClock } from '../../runtime/clock.ts'
import type { Store } from '../../store/open-store.ts'
import { transact } from '../../store/transact.ts'
import { sumBatches } from '../clickhouse/sum-batches.ts'
import { realFiles } from '../journal/files.ts'
import { readForgottenLinks } from '../parquet/click-files.ts'
import { ClickFilesKeeper } from '../parquet/keep-click-files.ts'
import type { FileSums } from '../parquet/sum-files.ts'
import { ClickQueries } from '../queries/click-queries.ts'
import { checkCounters } from '../repair/check-counters.ts'
import { deleteLinkClicks } from './delete-link-clicks.ts'
import { linkClicksQuery } from './link-counters.ts'

const LINK = { workspaceId: 1, linkId: 1 }

describe('clicks in files', () => {
  const opened = useClickStore()

  test('count no more once they are deleted, and later ones do', async () => {
    const { rig } = opened
    const { count, queries } = await openFiles(rig)
    await count(7, 3)
    await rig.closeUpTo(await lastId(rig.store))
    await count(2, 1)
    expect(await deleteClicksOf({ db: rig.store.db, queries, link: LINK })).toEqual({ clicks: 9, bots: 0 })
    expect([await totalOf(queries), await exported(rig)]).toEqual([4, 4])
    await count(5, 0)
    await rig.closeUpTo(await lastId(rig.store))
    expect([await totalOf(queries), await exported(rig)]).toEqual([9, 9])
    expect(await brokenClaims(rig.store, await fileSums(rig))).toEqual([])
    expect(await deleteClicksOf({ db: rig.store.db, queries, link: LINK })).toEqual({ clicks: 5, bots: 0 })
    expect(await brokenClaims(rig.store, await fileSums(rig))).toEqual([])
  })

  test('leave their files with the next job, and files without any stay as they are', async () => {
    const { rig } = opened
    const { count, queries, keeper } = await openFiles(rig)
    await count(7, 3)
    const [withBoth] = await rig.closeUpTo(await lastId(rig.store))
    await count(0, 2)
    const [without] = await rig.closeUpTo(await lastId(rig.store))
    await deleteClicksOf({ db: rig.store.db, queries, link: LINK })
    expect(await readForgottenLinks(rig.store.db)).toEqual({ [withBoth!]: [1], [without!]: [1] })
    await keeper.run()
    expect(await readForgottenLinks(rig.store.db)).toEqual({})
    const names = (await rig.files()).map(({ name }) => name)
    expect([names.includes(withBoth!), names.includes(without!)]).toEqual([false, true])
    expect((await rig.files()).reduce((sum, { rows }) => sum + rows, 0)).toBe(5)
    expect(await totalOf(queries)).toBe(5)
    expect(await brokenClaims(rig.store, await fileSums(rig))).toEqual([])
  })

  test('that are deleted while files are written again are forgotten in the new file', async () => {
    const { rig } = opened
    const { count, queries, keeper } = await openFiles(rig)
    await count(7, 3)
    const names = await rig.closeUpTo(await lastId(rig.store))
    await rig.rewrite({ names }, { before: () => deleteClicksOf({ db: rig.store.db, queries, link: LINK }) })
    const [file] = await rig.files()
    expect(await readForgottenLinks(rig.store.db)).toEqual({ [file!.name]: [1] })
    expect(await totalOf(queries)).toBe(3)
    await keeper.run()
    expect((await rig.files()).map(({ rows }) => rows)).toEqual([3])
    expect(await totalOf(queries)).toBe(3)
  })

  test('are not deleted by what was read before others were moved', async () => {
    const { rig } = opened
    const { count, queries } = await openFiles(rig)
    await count(7, 3)
    const moved = await queries.answerMoved(rig.store.db, linkClicksQuery(LINK))
    await rig.closeUpTo(await lastId(rig.store))
    expect(await transact(rig.store.db, (tx) => deleteLinkClicks(tx, LINK, moved))).toBeUndefined()
    expect(await totalOf(queries)).toBe(10)
  })

  test('are not deleted while a file of them is missing', async () => {
    const { rig } = opened
    const { count, queries } = await openFiles(rig)
    await count(7, 3)
    const [name] = await rig.closeUpTo(await lastId(rig.store))
    await realFiles.unlink(`${rig.folder}/${name}`)
    const moved = await queries.answerMoved(rig.store.db, linkClicksQuery(LINK))
    expect(await transact(rig.store.db, (tx) => deleteLinkClicks(tx, LINK, moved))).toBeUndefined()
    const total = rig.store.db.selectFrom('link_totals').select('clicks').where('link_id', '=', 1)
    expect(await total.executeTakeFirst()).toEqual({ clicks: 7 })
  })
})

describe.skipIf(lacksClickHouse)('clicks in ClickHouse', () => {
  const used = useClickHouse()

  test('count no more once they are deleted, and later ones do', async () => {
    const { rig } = used
    const count = await openCounting(rig.store)
    await count(7, 3)
    await moveAll(rig)
    await count(2, 1)
    const { db } = rig.store
    expect(await deleteClicksOf({ db, queries: rig.queries, link: LINK })).toEqual({ clicks: 9, bots: 0 })
    expect([await rig.total(), await exported(rig)]).toEqual([4, 4])
    await count(5, 0)
    await moveAll(rig)
    expect([await rig.total(), await exported(rig), await rig.storedRows()]).toEqual([9, 9, 16])
    await agrees(rig)
    await rig.mover.run()
    expect([await rig.total(), await exported(rig), await rig.storedRows()]).toEqual([9, 9, 9])
    await agrees(rig)
    expect(await deleteClicksOf({ db, queries: rig.queries, link: LINK })).toEqual({ clicks: 5, bots: 0 })
    expect(await rig.total()).toBe(4)
    await agrees(rig)
  })
})

async function agrees(rig: ClickHouseRig): Promise<void> {
  expect(await brokenClaims(rig.store, await sumBatches(rig.clickHouse, rig.store.db))).toEqual([])
  const found = await checkClickHouse(rig.store.db, rig.url)
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringContaining(', as many as were moved to it.'),
  ])
}

async function moveAll(rig: ClickHouseRig): Promise<void> {
  while ((await rig.openRows()) > 0) await rig.mover.moveUpTo(await lastId(rig.store))
}

async function openFiles(rig: ClickStoreRig) {
  const log = recordingLog()
  const clock = manualClock(NOON_US + DAY_US)
  const deps = { store: rig.store, files: realFiles, folder: rig.folder, clock, log }
  return {
    count: await openCounting(rig.store),
    queries: new ClickQueries({ db: rig.store.reportDb, callEngine: rig.callEngine, log }),
    keeper: new ClickFilesKeeper({
      ...deps,
      openEngine: () => rig.newEngine(),
      retentionUs: 3 * DAY_US,
      rawClickDays: 30,
    }),
  }
}

/** Counts this many clicks of link 1, and of link 2. */
async function openCounting(store: Store) {
  const node = await openBatchCounter(store, 'here')
  let visitor = 0
  const clicksOf = (linkId: number, count: number) =>
    Array.from({ length: count }, () => aClick(++visitor, { linkId, clickedAtUs: NOON_US + visitor }))
  return (first: number, second: number) => node.count([...clicksOf(1, first), ...clicksOf(2, second)])
}

async function lastId({ db }: Store): Promise<number> {
  const { id } = await db
    .selectFrom('clicks')
    .select((eb) => eb.fn.max<number>('id').as('id'))
    .executeTakeFirstOrThrow()
  return id
}

async function totalOf(queries: ClickQueries): Promise<number> {
  const [rows] = await queries.answer({ fromUs: 0, toUs: 4e15, groups: [{ by: [] }] })
  return rows![0]!.clicks
}

/** Clicks in the export of the workspace. */
async function exported(rig: ClickStoreRig | ClickHouseRig): Promise<number> {
  const { reportDb: db } = rig.store
  const engine = 'clickHouse' in rig ? { clickHouse: rig.clickHouse } : { callEngine: rig.callEngine }
  let clicks = 0
  for await (const rows of await openClicks({ db, ...engine }, 1))
    for (const row of rows) clicks += row.clicks
  return clicks
}

const fileSums = async (rig: ClickStoreRig): Promise<FileSums> =>
  rig.engine.call('sumFiles', {
    names: (await rig.files()).map(({ name }) => name),
    forgotten: await readForgottenLinks(rig.store.db),
  })

async function brokenClaims({ db }: Store, closed: FileSums): Promise<unknown[]> {
  const claims = await checkCounters(db, { closed })
  return claims.filter(({ broken }) => broken.length > 0)
}
