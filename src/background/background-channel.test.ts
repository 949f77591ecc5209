import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../test/rigs/eventually.ts'
import { aClick } from '../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { realFiles } from '../clicks/journal/files.ts'
import type { JournalProgress } from '../clicks/journal/segment-sequence.ts'
import { journalFolder, openJournal } from '../clicks/journal/open-journal.ts'
import { SEGMENT_SUFFIX } from '../clicks/journal/segment.ts'
import { dayOf, systemClock } from '../runtime/clock.ts'
import { readConfig } from '../config/config.ts'
import { newSharedMetrics } from '../metrics/metrics.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../store/open-store.ts'
import { newSharedWriteLock } from '../store/sqlite/write-lock.ts'
import { BackgroundChannel } from './background-channel.ts'

const folders = temporaryFolders()
let dataDir: string
let store: Store

beforeEach(async () => {
  dataDir = folders.make()
  store = await openSqliteStore(dataDir, 'same-thread')
})

afterEach(closeAll)

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
  const { channel, journal } = await startRun()
  await Promise.all([click(1), click(1), click(1)].map((each) => journal.append(each)))
  await journal.close()
  await channel.stop()
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
  const received: JournalProgress[] = []
  const journal = await journalOf(boot, (progress) => void received.push(progress))
  mkdirSync(unreadable)
  const { channel } = await startLine(boot)
  await journal.append(click(2))
  for (const progress of received) channel.send(progress)
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
    writeLock: newSharedWriteLock(),
    metrics: newSharedMetrics(),
  } as const
  const channel = new BackgroundChannel({
    start,
    onSalts: () => {},
    onMails: () => {},
    onLinksChanged: () => {},
  })
  await expect(channel.ready).rejects.toThrow('The background thread failed: ')
  expect((await channel.failed).message).toContain('EEXIST')
  await channel.stop()
})

async function closeAll(): Promise<void> {
  for (const channel of lines.splice(0)) await channel.stop()
  await store.close()
  folders.remove()
}

const lines: BackgroundChannel[] = []

/** The thread of a run, and the salts that it has sent. */
async function startLine(boot: string) {
  const salts: Map<number, Uint8Array>[] = []
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const channel = new BackgroundChannel({
    start: {
      kind: 'start',
      leftFolders: [],
      config,
      boot,
      writeLock: newSharedWriteLock(),
      metrics: newSharedMetrics(),
    },
    onSalts: (each) => void salts.push(each),
    onMails: () => {},
    onLinksChanged: () => {},
  })
  lines.push(channel)
  await channel.ready
  return { channel, salts }
}

/** The journal of a run; without a channel nobody hears of its clicks. */
function journalOf(boot: string, tell: (progress: JournalProgress) => void = () => {}) {
  return openJournal(
    { files: realFiles, clock: systemClock },
    { dataDir, node: 'here', boot, sync: 'os', segmentBytesMax: 2 ** 20, onProgress: tell },
  )
}

/** Both. */
async function startRun() {
  const boot = crypto.randomUUID()
  const { channel } = await startLine(boot)
  return { channel, journal: await journalOf(boot, (progress) => channel.send(progress)) }
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
