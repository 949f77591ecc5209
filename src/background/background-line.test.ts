import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aClick } from '../../test/rigs/journal-rig.ts'
import { eventually } from '../../test/rigs/service-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { realFiles } from '../clicks/files.ts'
import type { JournalProgress } from '../clicks/journal.ts'
import { journalFolder, openJournal } from '../clicks/open-journal.ts'
import { SEGMENT_SUFFIX } from '../clicks/segment.ts'
import { dayOf, systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { newSharedMetrics } from '../metrics.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import type { Store } from '../store/open-store.ts'
import { newSharedTurns } from '../store/write-turn.ts'
import { BackgroundLine } from './background-line.ts'

setDefaultTimeout(30_000)

const folders = temporaryFolders()
let dataDir: string
let store: Store
const lines: BackgroundLine[] = []

beforeEach(async () => {
  dataDir = folders.make()
  store = await openSqliteStore(dataDir, 'same-thread')
})

afterEach(async () => {
  for (const line of lines.splice(0)) await line.stop()
  await store.close()
  folders.remove()
})

/** The thread of a run, and the salts that it has sent. */
async function startLine(boot: string) {
  const salts: Map<number, Uint8Array>[] = []
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const line = new BackgroundLine({
    start: {
      kind: 'start',
      leftFolders: [],
      config,
      boot,
      writeTurns: newSharedTurns(),
      metrics: newSharedMetrics(),
    },
    onSalts: (each) => void salts.push(each),
  })
  lines.push(line)
  await line.ready
  return { line, salts }
}

/** The journal of a run; without a line nobody hears of its clicks. */
function journalOf(boot: string, tell: (progress: JournalProgress) => void = () => {}) {
  return openJournal(
    { files: realFiles, clock: systemClock },
    { dataDir, node: 'here', boot, sync: 'os', segmentBytesMax: 2 ** 20, onProgress: tell },
  )
}

/** Both. */
async function startRun() {
  const boot = crypto.randomUUID()
  const { line } = await startLine(boot)
  return { line, journal: await journalOf(boot, (progress) => line.tell(progress)) }
}

const countOf = async (linkId: number): Promise<number> => {
  const row = await store.db
    .selectFrom('link_totals')
    .select('clicks')
    .where('link_id', '=', linkId)
    .executeTakeFirst()
  return row?.clicks ?? 0
}
const click = (linkId: number) => aClick(0, { linkId, userAgent: 'curl/8.5.0' })

test('the thread sends the salts of today', async () => {
  const { salts } = await startLine(crypto.randomUUID())
  const first = await eventually(
    async () => salts[0],
    (sent) => sent !== undefined,
  )
  expect(first!.has(dayOf(systemClock.nowUs()))).toBe(true)
})

test('clicks of this run and of earlier ones are counted while it runs', async () => {
  const before = await journalOf(crypto.randomUUID())
  await before.append(click(1))
  await before.close()
  const { journal } = await startRun()
  await journal.append(click(2))
  for (const linkId of [1, 2])
    expect(
      await eventually(
        () => countOf(linkId),
        (count) => count > 0,
      ),
    ).toBe(1)
  await journal.append(click(2))
  expect(
    await eventually(
      () => countOf(2),
      (count) => count > 1,
    ),
  ).toBe(2)
  await journal.close()
})

test('what was journaled last is counted before the end', async () => {
  const { line, journal } = await startRun()
  await Promise.all([click(1), click(1), click(1)].map((each) => journal.append(each)))
  await journal.close()
  await line.stop()
  lines.length = 0
  expect(await countOf(1)).toBe(3)
  const open = await store.db
    .selectFrom('journal_segments')
    .where('finished_at', 'is', null)
    .selectAll()
    .execute()
  expect(open).toEqual([])
})

test('a file of earlier runs that cannot be read holds nobody up, and the others are counted when it can', async () => {
  const before = await journalOf(crypto.randomUUID())
  await before.append(click(1))
  await before.close()
  // What stands there is no file: to read it fails, for root too.
  const unreadable = join(journalFolder(dataDir), `unreadable${SEGMENT_SUFFIX}`)
  const boot = crypto.randomUUID()
  // Opened before, as in a disk error that comes later: the journal reads the headers too.
  const told: JournalProgress[] = []
  const journal = await journalOf(boot, (progress) => void told.push(progress))
  mkdirSync(unreadable)
  const { line } = await startLine(boot)
  await journal.append(click(2))
  for (const progress of told) line.tell(progress)
  expect(
    await eventually(
      () => countOf(2),
      (count) => count > 0,
    ),
  ).toBe(1)
  expect(await countOf(1)).toBe(0)
  rmdirSync(unreadable)
  expect(
    await eventually(
      () => countOf(1),
      (count) => count > 0,
    ),
  ).toBe(1)
  await journal.close()
})

test('a thread that cannot start says why, and can be stopped', async () => {
  const file = join(folders.make(), 'file')
  writeFileSync(file, '')
  const config = readConfig({ DATA_DIR: file, LOG_LEVEL: 'silent' })
  const start = {
    kind: 'start',
    leftFolders: [],
    config,
    boot: '',
    writeTurns: newSharedTurns(),
    metrics: newSharedMetrics(),
  } as const
  const line = new BackgroundLine({ start, onSalts: () => {} })
  await expect(line.ready).rejects.toThrow('The background thread failed: ')
  expect((await line.failed).message).toContain('EEXIST')
  await line.stop()
})
