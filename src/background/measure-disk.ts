import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { journalFolder } from '../clicks/journal/open-journal.ts'
import { SEGMENT_SUFFIX } from '../clicks/journal/segment.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { storePath } from '../store/sqlite/open-sqlite-store.ts'
import { whenMissing } from '../store/files/when-missing.ts'

export type DiskMetrics = Pick<
  Metrics,
  'journalBytes' | 'journalSegments' | 'storeBytes' | 'diskFreeBytes' | 'diskSizeBytes'
>

/** The size of the data folder's files, and the free space. */
export async function measureDisk(dataDir: string, metrics: DiskMetrics): Promise<void> {
  const { bsize, blocks, bavail } = await statfs(dataDir)
  metrics.diskSizeBytes.set(blocks * bsize)
  metrics.diskFreeBytes.set(bavail * bsize)
  const store = storePath(dataDir)
  metrics.storeBytes.set((await sizeOf(store)) + (await sizeOf(`${store}-wal`)))
  const folder = journalFolder(dataDir)
  const segments = (await readdir(folder)).filter((name) => name.endsWith(SEGMENT_SUFFIX))
  let bytes = 0
  // One at a time: there may be thousands, and nobody waits for the result.
  for (const name of segments) bytes += await sizeOf(join(folder, name))
  metrics.journalBytes.set(bytes)
  metrics.journalSegments.set(segments.length)
}

/** 0 if it does not exist. */
const sizeOf = (path: string): Promise<number> => stat(path).then(({ size }) => size, whenMissing(0))
