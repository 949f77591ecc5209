import { expect, test } from 'bun:test'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { LONG_FILE_ROWS, START_US, useClickStore } from '../../../test/rigs/clicks/click-store-rig.ts'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { withPlugin } from '../../../test/rigs/program/with-plugin.ts'
import { DAY_US } from '../../runtime/clock.ts'
import type { CallEngine } from '../parquet/engine-calls.ts'
import { DIMENSIONS } from '../../store/click-dimensions.ts'
import { FACT_COLUMNS } from '../facts/fact-columns.ts'
import { ClickQueries } from './click-queries.ts'
import type { ClickQuery } from './click-query.ts'

const store = useClickStore()

test('no engine runs as long as no file has clicks of the range', async () => {
  const { rig } = store
  const before = engines()
  rig.add([{}, { clicked_at: START_US + DAY_US }])
  expect(await total()).toBe(2)
  expect(engines()).toEqual(before)
  await rig.closeUpTo(1)
  await rig.engine.close()
  rig.engine = rig.newEngine()
  expect(await total({ fromUs: START_US + 1 })).toBe(1)
  expect(await total({ toUs: START_US })).toBe(0)
  expect(engines()).toEqual(before)
  expect(await total()).toBe(2)
  expect(engines()).toHaveLength(before.length + 1)
})

test('the engine can be woken before a report needs it, if any file has clicks', async () => {
  const { rig } = store
  const before = engines()
  rig.add([{}, { clicked_at: START_US + DAY_US }])
  await queries().wake()
  expect(engines()).toEqual(before)
  await rig.closeUpTo(1)
  await rig.engine.close()
  rig.engine = rig.newEngine()
  await queries().wake()
  expect(engines()).toHaveLength(before.length + 1)
  rig.add([{}])
  expect(await total()).toBe(3)
  expect(engines()).toHaveLength(before.length + 1)
})

test.each([1, 2, 3, 4])('clicks that are closed after statement %p count once', async (closedAfter) => {
  const { rig } = store
  rig.add([{}, { clicked_at: START_US + DAY_US }])
  let statements = 0
  const db = withPlugin(rig.store.reportDb, {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (++statements === closedAfter) await rig.closeUpTo()
      return result
    },
  })
  expect(await total({}, queries({ db }))).toBe(2)
  expect(statements).toBe(4)
  expect(await rig.files()).toHaveLength(2)
})

test('while the engine is away, reports that need it are refused, and others are answered', async () => {
  const { rig } = store
  rig.add([{}, { clicked_at: START_US + DAY_US }])
  await rig.closeUpTo(1)
  await rig.engine.close()
  rig.engine = rig.newEngine({ command: ['sh', '-c', 'exit 1'] })
  const refusal = refusalOf('Reports are being restarted. Clicks are counted, and shown in a few seconds.')
  // It ends during the first, and is being restarted during the second.
  for (let time = 0; time < 2; time++) await expect(total()).rejects.toMatchObject(refusal)
  expect(await total({ fromUs: START_US + 1 })).toBe(1)
})

test('where DuckDB does not run, reports that need it are refused', async () => {
  const { rig } = store
  rig.add([{}])
  await rig.closeUpTo()
  await rig.engine.close()
  rig.engine = rig.newEngine({ command: ['sh', '-c', 'exit 69'] })
  const sentence =
    'Older clicks are in files that this server cannot read: DuckDB does not run on its platform.'
  for (let time = 0; time < 2; time++) await expect(total()).rejects.toMatchObject(refusalOf(sentence))
})

test('while more clicks are in the table than one with an engine should have, reports are refused; without DuckDB they are answered', async () => {
  const { rig } = store
  rig.add([{}])
  const columns = FACT_COLUMNS.join(', ')
  rig.database.run(`WITH RECURSIVE ids (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM ids WHERE id < 1000000)
    INSERT INTO clicks (id, ${columns}) SELECT ids.id, ${columns} FROM ids, clicks WHERE clicks.id = 1`)
  expect(await total()).toBe(1_000_000)
  const copy = (id: number, of: number) =>
    rig.database.run(
      `INSERT INTO clicks (id, ${columns}) SELECT ${id}, ${columns} FROM clicks WHERE id = ${of}`,
    )
  copy(1_000_001, 1)
  const sentence =
    'Clicks are being moved into files, as after an upgrade. Reports are answered when that is done.'
  await expect(total()).rejects.toMatchObject(refusalOf(sentence))
  await rig.closeUpTo(1)
  expect(await total()).toBe(1_000_001)
  await rig.engine.close()
  rig.database.run('DELETE FROM click_files')
  copy(1_000_002, 2)
  rig.engine = rig.newEngine({ command: ['sh', '-c', 'exit 69'] })
  expect(await total()).toBe(1_000_001)
})

test('a report that takes too long is refused', async () => {
  const { rig } = store
  await rig.addLongFile()
  const callEngine: CallEngine = (name, input, signal) =>
    rig.engine.call(name, { ...input, msMax: 1 }, signal)
  const groups = DIMENSIONS.map((name) => ({ by: ['link_id', name] as const, top: 1 }))
  await expect(answer({ groups }, queries({ callEngine }))).rejects.toMatchObject(
    refusalOf('The report took longer than 10 seconds. Try again later, or with a shorter range.'),
  )
  expect(await total()).toBe(LONG_FILE_ROWS)
})

test('an error of the engine that is a bug stays one', async () => {
  const { rig } = store
  rig.add([{}])
  await rig.closeUpTo()
  await expect(answer({ groups: [] })).rejects.toMatchObject({ name: 'Error', code: 'failed' })
})

test('a damaged file is left out, and logged once', async () => {
  const { rig } = store
  rig.add([0, 1, 2].map((day) => ({ clicked_at: START_US + day * DAY_US })))
  const [first, second] = (await rig.closeUpTo()) as [string, string]
  const log = recordingLog()
  const clickQueries = queries({ log })
  truncateSync(join(rig.folder, first), 100)
  const message = 'Files of clicks are gone or damaged: their clicks are missing in reports.'
  const lines = [{ level: 'error' as const, message, fields: { files: first } }]
  for (let time = 0; time < 2; time++) expect(await total({}, clickQueries)).toBe(2)
  expect(log.lines).toEqual(lines)
  truncateSync(join(rig.folder, second), 100)
  expect(await total({}, clickQueries)).toBe(1)
  expect(log.lines).toEqual([...lines, { ...lines[0]!, fields: { files: second } }])
})

/** Processes that this one has started. */
const engines = () => store.rig.engineProcesses()

type Deps = ConstructorParameters<typeof ClickQueries>[0]

function queries(deps: Partial<Deps> = {}): ClickQueries {
  const { rig } = store
  return new ClickQueries({
    db: rig.store.reportDb,
    callEngine: rig.callEngine,
    log: recordingLog(),
    ...deps,
  })
}

const answer = (query: Partial<ClickQuery>, clickQueries = queries()) =>
  clickQueries.answer({ fromUs: 0, toUs: 4e15, groups: [{ by: [] }], ...query })

async function total(range: Partial<ClickQuery> = {}, clickQueries = queries()): Promise<number> {
  const [rows] = await answer(range, clickQueries)
  return rows![0]!.clicks
}

const refusalOf = (message: string) => ({
  name: 'Refusal',
  code: 'store_unavailable',
  message,
  retryAfterSeconds: 5,
})
