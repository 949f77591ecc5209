import { expect } from 'bun:test'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { manualClock } from '../../../src/runtime/clock.ts'
import { type Files, realFiles } from '../../../src/clicks/journal/files.ts'
import { newSharedMetrics, openMetrics } from '../../../src/metrics/metrics.ts'
import { openTestStore } from '../store/test-store.ts'
import { FaultyFiles } from './faulty-files.ts'
import { recordingLog, newReader } from './ingest-rig.ts'
import {
  aClick,
  FOLDER_ID,
  type JournalRigSettings,
  NOON_US,
  openJournalRig,
  readSegments,
} from './journal-rig.ts'
import { usePerTest } from '../use-rig.ts'

export const SEAL_FRAME_BYTES = 17

type ReaderOptions = { boot?: string; retentionUs?: number; files?: Files }

export const useReaderRig = (): ReaderRig =>
  usePerTest(openReaderRig, async ({ store, disk }) => {
    expect(disk.openCount, 'files that are still open').toBe(0)
    await store.close()
  })

/** A data folder with a store and a journal, and readers that move clicks from the one to the other. */
export async function openReaderRig(dataDir: string) {
  const store = await openTestStore(dataDir)
  const folder = join(dataDir, 'journal')
  await realFiles.makeFolder(folder)
  await realFiles.replace(join(folder, 'folder-id'), Buffer.from(`${FOLDER_ID}\n`))
  const log = recordingLog()
  const clock = manualClock(NOON_US)
  const disk = new FaultyFiles()
  const metrics = openMetrics(newSharedMetrics())
  const journalOf = (settings: Partial<JournalRigSettings> = {}) =>
    openJournalRig(disk, { folder, ...settings })

  /** A run of the program that journals the visitors, one group each, and ends in order. Returns its last segment. */
  async function journaled(visitors: number[], settings: Partial<JournalRigSettings> = {}) {
    const { journal } = journalOf(settings)
    for (const visitor of visitors) await journal.append(aClick(visitor))
    await journal.close()
    return readSegments(folder).at(-1)!
  }

  return {
    dataDir,
    store,
    folder,
    log,
    clock,
    disk,
    metrics,
    journalOf,
    journaled,
    /** What a run that was killed leaves behind: a segment without its seal. */
    async orphaned(visitors: number[]) {
      const segment = await journaled(visitors)
      truncateSync(join(folder, segment.name), segment.bytes.length - SEAL_FRAME_BYTES)
      return segment
    },
    readerOf: ({ files = realFiles, ...options }: ReaderOptions = {}) =>
      newReader({ store, clock, files, log, metrics }, { folder, ...options }),
    rows: () => store.db.selectFrom('journal_segments').selectAll().orderBy('base_count').execute(),
  }
}

export type ReaderRig = Awaited<ReturnType<typeof openReaderRig>>

export const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
