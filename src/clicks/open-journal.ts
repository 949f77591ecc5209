import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Files } from './files.ts'
import { Journal, type JournalProgress } from './journal.ts'
import { readBatch } from './read-segment.ts'
import { decodeHeader, HEADER_BYTES, NO_SEGMENT, SEGMENT_SUFFIX } from './segment.ts'

const FOLDER_ID_FILE = 'folder-id'

type OpenJournalDeps = { files: Files; clock: Clock }

type OpenJournalSettings = {
  dataDir: string
  node: string
  boot: string
  sync: 'os' | 'disk'
  segmentBytesMax: number
  onProgress(progress: JournalProgress): void
}

export const journalFolder = (dataDir: string): string => join(dataDir, 'journal')

/** The journal of a data folder, continuing the count of the runs before. */
export async function openJournal(deps: OpenJournalDeps, settings: OpenJournalSettings): Promise<Journal> {
  const folder = journalFolder(settings.dataDir)
  await deps.files.makeFolder(folder)
  const identity = { folder: await folderId(deps.files, folder), boot: settings.boot, node: settings.node }
  return new Journal(deps, { ...settings, folder, identity, after: await lastSegment(deps.files, folder) })
}

/** The folder's own id, made on first use. */
async function folderId(files: Files, folder: string): Promise<string> {
  const path = join(folder, FOLDER_ID_FILE)
  const names = await files.list(folder)
  if (names.includes(FOLDER_ID_FILE)) return (await files.read(path, 0, 64)).toString().trim()
  const id = randomUUID()
  await files.replace(path, Buffer.from(id + '\n'))
  return id
}

/** The newest segment that can be read, and how many clicks the folder had journaled with it. */
async function lastSegment(files: Files, folder: string): Promise<{ segment: string; count: number }> {
  const names = (await files.list(folder)).filter((name) => name.endsWith(SEGMENT_SUFFIX))
  for (const name of names.reverse()) {
    const path = join(folder, name)
    const bytes = await files.read(path, 0, await files.sizeOf(path))
    const header = decodeHeader(bytes)
    if (typeof header === 'string') continue
    const { clicks } = readBatch(
      { bytes: bytes.subarray(HEADER_BYTES), offset: HEADER_BYTES, isLast: true },
      Infinity,
    )
    return { segment: header.segment, count: header.baseCount + clicks.length }
  }
  return { segment: NO_SEGMENT, count: 0 }
}
