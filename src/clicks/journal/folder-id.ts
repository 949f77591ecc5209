import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Files } from './files.ts'
import { decodeHeader, HEADER_BYTES, SEGMENT_SUFFIX } from './segment.ts'
import { whenMissing } from '../../store/files/when-missing.ts'

const FOLDER_ID_FILE = 'folder-id'

/** The id of the journal folder, created on first use. It distinguishes its segments from those of other nodes. */
export async function makeFolderId(files: Files, folder: string): Promise<string> {
  const ownId = await readFolderId(files, folder)
  if (ownId !== undefined) return ownId
  const id = randomUUID()
  await files.replace(join(folder, FOLDER_ID_FILE), Buffer.from(id + '\n'))
  return id
}

/**
 * The folder ids under which the store may know the segments of a folder: its own, '' from versions that stored none, and
 * those of a lost node whose journal was copied here.
 */
export async function foldersOf(files: Files, folder: string): Promise<string[]> {
  const ids = new Set([''])
  const own = await readFolderId(files, folder)
  if (own !== undefined) ids.add(own)
  for (const name of await namesIn(files, folder)) {
    if (!name.endsWith(SEGMENT_SUFFIX)) continue
    const bytes = await files.read(join(folder, name), 0, HEADER_BYTES).catch(() => Buffer.alloc(0))
    const header = decodeHeader(bytes)
    if (typeof header === 'object') ids.add(header.folder)
  }
  return [...ids]
}

/** Undefined before the first journal. */
export async function readFolderId(files: Files, folder: string): Promise<string | undefined> {
  const names = await namesIn(files, folder)
  if (!names.includes(FOLDER_ID_FILE)) return undefined
  return (await files.read(join(folder, FOLDER_ID_FILE), 0, 64)).toString().trim()
}

/** A folder that cannot be read at the moment has an id all the same: a second one would make its segments those of another node. */
const namesIn = (files: Files, folder: string): Promise<string[]> => files.list(folder).catch(whenMissing([]))
