import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { START_US, useClickStore } from '../../../test/rigs/clicks/click-store-rig.ts'
import { DAY_US, manualClock } from '../../runtime/clock.ts'
import { removeClosedWorkspaces } from '../../workspaces/remove-closed-workspaces.ts'
import { realFiles } from '../journal/files.ts'
import { EngineProcess, engineCommand } from './engine-process.ts'
import { ClickFilesKeeper } from './keep-click-files.ts'

const RETENTION_US = 3 * DAY_US
const store = useClickStore()

describe('clicks in the table', () => {
  test('stay there while they are few, and no engine is started', async () => {
    addClicks(59_999)
    const keeper = newKeeper({ command: ['false'] })
    await keeper.run()
    expect(openClicks()).toBe(59_999)
    expect(keeper.log.lines).toEqual([])
  })

  test('move into files when they are many, the latest excepted, and count as before', async () => {
    addClicks(110_001)
    await newKeeper().run()
    expect([openClicks(), (await store.rig.files()).map(({ rows }) => rows)]).toEqual([
      10_001,
      [50_000, 50_000],
    ])
    expect(await store.rig.total()).toBe(110_001)
  })

  test('stay there where DuckDB does not run', async () => {
    addClicks(60_000)
    const keeper = newKeeper({ command: ['sh', '-c', 'exit 69'] })
    await keeper.run()
    await keeper.run()
    expect(openClicks()).toBe(60_000)
    expect(keeper.log.lines).toEqual([
      {
        level: 'info',
        message: 'DuckDB does not run on this platform, so all clicks stay in the database.',
      } as never,
    ])
  })
})

describe('files', () => {
  test('of a day that is over become one, and the replaced ones go when no older database needs them', async () => {
    const { rig } = store
    rig.add([{}, {}])
    const replaced = [...(await rig.closeUpTo(1)), ...(await rig.closeUpTo(2))]
    const clock = manualClock(START_US + 2 * DAY_US)
    const keeper = newKeeper({ clock })
    await keeper.run()
    const [file] = await rig.files()
    expect(file).toMatchObject({ rows: 2 })
    expect(readdirSync(rig.folder)).toEqual(expect.arrayContaining([...replaced, file!.name]))
    clock.advance(RETENTION_US + 1)
    await keeper.run()
    expect(readdirSync(rig.folder).filter((name) => name.endsWith('.parquet'))).toEqual([file!.name])
    expect(await rig.total()).toBe(2)
  })

  test('lose the clicks of a closed workspace, and no others', async () => {
    const { rig } = store
    rig.add([{ workspace_id: 1 }, { workspace_id: 2 }, { workspace_id: 2 }])
    await rig.closeUpTo(2)
    rig.database.run(
      `INSERT INTO workspaces (id, name, plan, subscription_status, created_at, closed_at) VALUES (2, '', 'free', '', 0, 1)`,
    )
    await removeClosedWorkspaces({
      db: rig.store.relaxedDb,
      clock: manualClock(START_US),
      closedClicks: newKeeper(),
    })
    expect(await rig.total()).toBe(1)
    expect((await rig.files()).map(({ rows }) => rows)).toEqual([1])
  })

  test('that are being written are given up at the end', async () => {
    addClicks(60_000)
    const keeper = newKeeper()
    const running = keeper.run()
    await keeper.close()
    await running
    expect(await store.rig.total()).toBe(60_000)
    expect(existsSync(store.rig.folder)).toBe(true)
  })
})

function newKeeper({ clock = manualClock(START_US), command = engineCommand(store.rig.dataDir) } = {}) {
  const log = recordingLog()
  const { rig } = store
  const keeper = new ClickFilesKeeper({
    store: rig.store,
    files: realFiles,
    folder: rig.folder,
    openEngine: () => new EngineProcess({ command, clock, log }),
    clock,
    log,
    retentionUs: RETENTION_US,
    rawClickDays: 30,
  })
  return Object.assign(keeper, { log })
}

const addClicks = (clicks: number) =>
  store.rig.add(Array.from({ length: clicks }, (_, i) => ({ link_id: i % 100 })))

const openClicks = () => store.rig.database.query('SELECT count(*) FROM clicks').values()[0]![0]
