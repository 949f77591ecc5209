import { join } from 'node:path'
import type { Clock } from '../../runtime/clock.ts'
import type { Files } from './files.ts'
import { makeFolderId } from './folder-id.ts'
import { Journal } from './journal.ts'
import type { JournalProgress, LastSegment } from './segment-sequence.ts'
import { countClicks } from './read-segment.ts'
import { decodeHeader, HEADER_BYTES, NO_SEGMENT, SEGMENT_SUFFIX, type SegmentHeader } from './segment.ts'
import type { Sync } from './segment-writer.ts'

type OpenJournalDeps = { files: Files; clock: Clock }

type OpenJournalSettings = {
  dataDir: string
  node: string
  boot: string
  sync: Sync
  segmentBytesMax: number
  onProgress(progress: JournalProgress): void
}

export const journalFolder = (dataDir: string): string => join(dataDir, 'journal')

/** Opens the journal of a data folder. It continues the count of the runs before. */
export async function openJournal(deps: OpenJournalDeps, settings: OpenJournalSettings): Promise<Journal> {
  const folder = journalFolder(settings.dataDir)
  await deps.files.makeFolder(folder)
  // Otherwise a power failure may take the folder itself, with everything that was synced in it.
  await deps.files.syncFolder(settings.dataDir)
  const identity = {
    folder: await makeFolderId(deps.files, folder),
    boot: settings.boot,
    node: settings.node,
  }
  return new Journal(deps, { ...settings, folder, identity, after: await lastSegment(deps.files, folder) })
}

type FoundSegment = { header: SegmentHeader; path: string }

/** The segment that no other one follows. */
async function lastSegment(files: Files, folder: string): Promise<LastSegment> {
  const segments: FoundSegment[] = []
  for (const name of await files.list(folder)) {
    if (!name.endsWith(SEGMENT_SUFFIX)) continue
    const path = join(folder, name)
    const header = decodeHeader(await files.read(path, 0, HEADER_BYTES))
    if (typeof header === 'object') segments.push({ header, path })
  }
  const continued = new Set(segments.map(({ header }) => header.previous))
  // File names follow the wall clock, which may have been set back, so the headers decide.
  const uncontinued = segments.filter(({ header }) => !continued.has(header.segment))
  const ends = await Promise.all(uncontinued.map((segment) => endOf(files, segment)))
  // There are several if a segment was created and abandoned before its first group; that one is empty.
  return ends.sort((a, b) => a.count - b.count).at(-1) ?? { segment: NO_SEGMENT, end: 0, count: 0 }
}

async function endOf(files: Files, { header, path }: FoundSegment): Promise<LastSegment> {
  // Its run may have been killed before it synced what it had acknowledged. If the disk refuses, Tern starts anyway.
  await files.syncFile(path).catch(() => {})
  const bytes = await files.read(path, HEADER_BYTES, await files.sizeOf(path))
  return {
    segment: header.segment,
    end: HEADER_BYTES + bytes.length,
    count: header.baseCount + countClicks(bytes),
  }
}
