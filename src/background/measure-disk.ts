import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { clicksFolder } from '../store/sqlite/open-sqlite-store.ts'
import { isFileName } from '../clicks/parquet/parquet-file.ts'
import { journalFolder } from '../clicks/journal/open-journal.ts'
import { SEGMENT_SUFFIX } from '../clicks/journal/segment.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { storePath } from '../store/sqlite/open-sqlite-store.ts'
import { whenMissing } from '../store/files/when-missing.ts'

export type DiskMetrics = Pick<
  Metrics,
  'journalBytes' | 'journalSegments' | 'storeBytes' | 'clickFileBytes' | 'diskFreeBytes' | 'diskSizeBytes'
>

/** The size of the data folder's files, and the free space. */
export async function measureDisk(dataDir: string, metrics: DiskMetrics): Promise<void> {
  const { bsize, blocks, bavail } = await statfs(dataDir)
  metrics.diskSizeBytes.set(blocks * bsize)
  metrics.diskFreeBytes.set(bavail * bsize)
  const store = storePath(dataDir)
  metrics.storeBytes.set((await sizeOf(store)) + (await sizeOf(`${store}-wal`)))
  const clicks = clicksFolder(dataDir)
  metrics.clickFileBytes.set(await sizeOfAll(clicks, (await namesIn(clicks)).filter(isFileName)))
  const journal = journalFolder(dataDir)
  const segments = (await namesIn(journal)).filter((name) => name.endsWith(SEGMENT_SUFFIX))
  metrics.journalBytes.set(await sizeOfAll(journal, segments))
  metrics.journalSegments.set(segments.length)
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(whenMissing<string[]>([]))

/** One at a time: there may be thousands, and nobody waits for the result. */
async function sizeOfAll(folder: string, names: readonly string[]): Promise<number> {
  let bytes = 0
  for (const name of names) bytes += await sizeOf(join(folder, name))
  return bytes
}

/** 0 if it does not exist. */
const sizeOf = (path: string): Promise<number> => stat(path).then(({ size }) => size, whenMissing(0))
