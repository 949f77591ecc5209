import { expect, test } from 'bun:test'
import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Fact,
  LONG_FILE_ROWS,
  START_US,
  useClickStore,
} from '../../../test/rigs/clicks/click-store-rig.ts'
import { DAY_US, HOUR_US, QUARTER_US } from '../../runtime/clock.ts'
import { DIMENSIONS } from '../../store/click-dimensions.ts'
import { type ClickQuery, ROWS_MAX } from '../queries/click-query.ts'
import { storePath } from '../../store/sqlite/open-sqlite-store.ts'
import { ClickEngine } from './click-engine.ts'
import { DuckDb } from './duckdb.ts'

const store = useClickStore()

test('an empty store is answered with zeros and no rows', async () => {
  const groups: ClickQuery['groups'] = [{ by: [] }, { by: ['country'], top: 10 }, { by: ['step'] }]
  expect(await store.rig.query({ stepUs: HOUR_US, groups })).toEqual({
    unreadableFiles: [],
    groups: [[{ keys: [], ...counts(0) }], [], []],
  })
})

test('clicks count once, whether they are open or closed', async () => {
  const { rig } = store
  rig.add([{ country: 'DE' }, { country: 'DE', visitors: 0, workspace_visitors: 0 }, { country: 'FR' }])
  const query: Pick<ClickQuery, 'groups'> = { groups: [{ by: ['country'], top: 10 }] }
  const germany = { keys: ['DE'], clicks: 2, visitors: 1, workspace_visitors: 1, bots: 0 }
  const expected = { unreadableFiles: [], groups: [[germany, { keys: ['FR'], ...counts(1) }]] }
  for (const upToId of [0, 2, 3]) {
    await rig.closeUpTo(upToId)
    expect(await rig.query(query)).toEqual(expected)
  }
  rig.add([{ country: 'FR', clicked_at: START_US + HOUR_US }, { country: 'FR' }])
  expect((await rig.query(query)).groups).toEqual([[{ keys: ['FR'], ...counts(3) }, germany]])
})

test('several groups are answered at once, each with its first rows, and steps are counted from the beginning', async () => {
  const { rig } = store
  rig.add([
    { link_id: 7, browser: 'Edge', clicked_at: START_US + QUARTER_US },
    { link_id: 7, browser: 'Edge', clicked_at: START_US + QUARTER_US, visitors: 0 },
    { link_id: 8, browser: 'Safari', clicked_at: START_US - 1 },
    { link_id: 9, clicks: 0, visitors: 0, workspace_visitors: 0, bots: 1 },
  ])
  await rig.closeUpTo(2)
  const { groups } = await rig.query({
    fromUs: START_US - QUARTER_US,
    stepUs: QUARTER_US,
    groups: [
      { by: ['step'] },
      { by: ['step', 'link_id'], top: 2 },
      { by: ['link_id'], top: 1 },
      { by: [] },
      { by: ['browser'], top: 2 },
    ],
  })
  const edge = { clicks: 2, visitors: 1, workspace_visitors: 2, bots: 0 }
  const bot = { ...counts(0), bots: 1 }
  expect(groups).toEqual([
    [
      { keys: [2], ...edge },
      { keys: [0], ...counts(1) },
      { keys: [1], ...bot },
    ],
    [
      { keys: [2, 7], ...edge },
      { keys: [0, 8], ...counts(1) },
    ],
    [{ keys: [7], ...edge }],
    [{ keys: [], clicks: 3, visitors: 2, workspace_visitors: 3, bots: 1 }],
    [
      { keys: ['Edge'], ...edge },
      { keys: ['Safari'], ...counts(1) },
    ],
  ])
})

test('every text comes back as it was, and selects its own clicks only', async () => {
  const { rig } = store
  const texts = [
    '',
    "'; DROP TABLE open_clicks; --",
    '"quoted"',
    'zero\0byte',
    'zero',
    '\u{1f600} é e\u0301 \u202e',
    '$1 ? % _ *',
    'x'.repeat(65_536),
  ]
  rig.add(texts.map((text) => Object.fromEntries(DIMENSIONS.map((name) => [name, text])) as Partial<Fact>))
  for (const upToId of [0, texts.length]) {
    await rig.closeUpTo(upToId)
    const { groups } = await rig.query({ groups: DIMENSIONS.map((name) => ({ by: [name], top: 100 })) })
    for (const rows of groups) expect(rows.map(({ keys: [text] }) => text).sort()).toEqual([...texts].sort())
    for (const text of texts) {
      const filters = { referrer: { values: [text] }, os: { values: ['never', '\ud800'], isNegated: true } }
      const { groups } = await rig.query({ filters, groups: [{ by: ['country'], top: 2 }] })
      expect(groups).toEqual([[{ keys: [text], ...counts(1) }]])
    }
  }
})

test('a query by anything but a known column is refused', async () => {
  const { rig } = store
  const of = (by: string) => ({ groups: [{ by: [by as 'country'] }] })
  for (const by of ['country" FROM open_clicks; --', 'constructor', 'clicked_at'])
    await expect(rig.query(of(by))).rejects.toMatchObject({
      code: 'failed',
      message: `No query groups by ${by}.`,
    })
  expect(await rig.total()).toBe(0)
})

test('as many rows as a query may have are answered, newest links first', async () => {
  const { rig } = store
  await rig.addLongFile(ROWS_MAX + 1_000)
  const { groups } = await rig.query({ groups: [{ by: ['link_id'] }] })
  expect(groups[0]!.map(({ keys: [id] }) => id)).toEqual(
    Array.from({ length: ROWS_MAX }, (_, i) => ROWS_MAX + 999 - i),
  )
})

test('a query that needs more memory than the engine may use is answered', async () => {
  const { rig } = store
  await rig.addLongFile()
  const groups: ClickQuery['groups'] = [{ by: ['link_id', ...DIMENSIONS], top: 1 }]
  expect((await rig.query({ groups })).groups).toEqual([
    [{ keys: [LONG_FILE_ROWS - 1, ...DIMENSIONS.map(() => '')], ...counts(1) }],
  ])
})

test('groups that do not fit into memory together are answered one after the other', async () => {
  const { rig } = store
  await rig.addLongFile()
  const groups = DIMENSIONS.slice(0, 6).map((name) => ({ by: ['link_id', name] as const, top: 1 }))
  const answers = await Promise.all([rig.query({ groups }), rig.query({ groups }), rig.query({ groups })])
  const newest = { keys: [LONG_FILE_ROWS - 1, ''], ...counts(1) }
  for (const answer of answers) expect(answer.groups).toEqual(groups.map(() => [newest]))
})

test('what fits into memory in no way is refused', async () => {
  const { rig } = store
  rig.add(Array.from({ length: 20_000 }, (_, i) => ({ link_id: i, city: `${i} `.repeat(30) })))
  const temporaryFolder = join(rig.dataDir, 'temporary')
  const engine = await ClickEngine.open({
    database: storePath(rig.dataDir),
    temporaryFolder,
    memoryMax: '8MB',
  })
  const query = { fromUs: 0, toUs: 4e15, groups: [{ by: [] }] }
  const answer = engine.query({ query, msMax: 60_000 }, new AbortController().signal)
  await expect(answer).rejects.toMatchObject({ code: 'too-large' })
})

test('open clicks that could be copied in part only are counted once', async () => {
  const { rig } = store
  const query = { groups: [{ by: [] }] }
  const all = rig.add(Array.from({ length: 20_000 }, (_, i) => ({ link_id: i })))
  rig.add([{ clicks: Number.MAX_SAFE_INTEGER }])
  await expect(rig.query(query)).rejects.toMatchObject({ code: 'failed' })
  rig.database.run('DELETE FROM clicks WHERE id > ?', [all.at(-1)!.id])
  expect((await rig.query(query)).groups).toEqual([[{ keys: [], ...counts(20_000) }]])
})

test('a file from before a column existed is read with the others', async () => {
  const { rig } = store
  rig.add([
    { alias: 'old', country: 'DE' },
    { alias: 'new', country: 'DE', clicked_at: START_US + HOUR_US },
  ])
  const [name] = await rig.closeUpTo(1)
  const duckDb = await DuckDb.open(join(rig.folder, 'tmp'))
  const connection = await duckDb.connect()
  const path = join(rig.folder, name!)
  await connection.all(`COPY (SELECT * EXCLUDE (alias) FROM read_parquet($1)) TO $1 (FORMAT parquet)`, [path])
  duckDb.close()
  const groups: ClickQuery['groups'] = [
    { by: ['alias'], top: 9 },
    { by: ['country'], top: 9 },
  ]
  const expected = [
    [
      { keys: [''], ...counts(1) },
      { keys: ['new'], ...counts(1) },
    ],
    [{ keys: ['DE'], ...counts(2) }],
  ]
  expect((await rig.query({ groups })).groups).toEqual(expected)
  await rig.closeUpTo()
  expect((await rig.query({ groups })).groups).toEqual(expected)
  await rig.rewrite({ names: (await rig.files()).map((file) => file.name) })
  expect((await rig.query({ groups })).groups).toEqual(expected)
  expect((await rig.query({ groups: [{ by: [] }], filters: { alias: { values: [''] } } })).groups).toEqual([
    [{ keys: [], ...counts(1) }],
  ])
})

test('a file that is gone or damaged is named, and everything else is answered', async () => {
  const { rig } = store
  rig.add([0, 2, 4].map((day) => ({ clicked_at: START_US + day * DAY_US })))
  const [gone, cut] = (await rig.closeUpTo()) as [string, string]
  rmSync(join(rig.folder, gone))
  truncateSync(join(rig.folder, cut), 200)
  const groups: ClickQuery['groups'] = [{ by: [] }]
  for (let time = 0; time < 2; time++)
    expect(await rig.query({ groups })).toMatchObject({
      unreadableFiles: [gone, cut],
      groups: [[{ clicks: 1 }]],
    })
  const later = { fromUs: START_US + 3 * DAY_US }
  expect(await rig.query({ groups, ...later })).toMatchObject({
    unreadableFiles: [],
    groups: [[{ clicks: 1 }]],
  })
})

test('open clicks that were removed from the middle are no longer counted', async () => {
  const { rig } = store
  rig.add([{ link_id: 1 }, { link_id: 2 }, { link_id: 3 }])
  expect(await rig.total()).toBe(3)
  rig.database.run('DELETE FROM clicks WHERE link_id = 2')
  expect(await rig.total()).toBe(2)
  rig.add([{ link_id: 4 }])
  expect(await rig.total()).toBe(3)
})

test('a query that is given up or late fails, and others are answered', async () => {
  const { rig } = store
  await rig.addLongFile()
  const query = { fromUs: 0, toUs: 4e15, groups: DIMENSIONS.map((name) => ({ by: [name], top: 1 })) }
  const controller = new AbortController()
  const canceled = Array.from({ length: 3 }, () => rig.query(query, controller.signal))
  const late = rig.engine.call('query', { query, msMax: 1 })
  const outcomes = Promise.allSettled([...canceled, late])
  await Bun.sleep(1)
  controller.abort()
  const codes = (await outcomes).map((outcome) => outcome.status === 'rejected' && outcome.reason.code)
  expect(codes).toEqual(['canceled', 'canceled', 'canceled', 'timeout'])
  expect((await rig.query({ ...query, toUs: 1 })).groups[0]).toEqual([])
})

function counts(clicks: number) {
  return { clicks, visitors: clicks, workspace_visitors: clicks, bots: 0 }
}
