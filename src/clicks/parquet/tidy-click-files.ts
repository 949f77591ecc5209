import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { CurrentDb } from '../../store/handles.ts'
import { whenMissing } from '../../store/files/when-missing.ts'
import { isFileName, UNFINISHED } from './parquet-file.ts'

/** Engines keep there what does not fit into their memory. */
export const TEMPORARY_FOLDER = 'duckdb.tmp'
/** For files that the database does not know. */
const TRASH = 'trash'

type Tidied = {
  /** Moved into the trash. */
  removed: string[]
  /** Rows that count, but whose files are nowhere. */
  missing: string[]
}

/**
 * Call it at the start, before an engine runs. Removes what a crash has left unfinished. Files without a row in `click_files` go into the
 * trash: their clicks are elsewhere, or the database is an older one, which counts them again. Those with one come back from
 * it: that older database was a mistake. `deleteBeforeUs`: what was moved there earlier is deleted.
 */
export async function tidyClickFiles(db: CurrentDb, folder: string, deleteBeforeUs = 0): Promise<Tidied> {
  const { rows } = await sql<{ name: string; removed_at: number | null }>`
    SELECT name, removed_at FROM click_files ORDER BY name`.execute(db)
  const names = new Set(rows.map(({ name }) => name))
  const files = await namesIn(folder)
  const trash = join(folder, TRASH)
  await rm(join(folder, TEMPORARY_FOLDER), { recursive: true, force: true })
  for (const name of files) if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { force: true })
  const unknown = files.filter((name) => isFileName(name) && !names.has(name))
  if (unknown.length > 0) await mkdir(trash, { recursive: true })
  for (const name of unknown) await rename(join(folder, name), join(trash, name))
  const trashed = await namesIn(trash)
  const back = trashed.filter((name) => names.has(name) && !files.includes(name))
  for (const name of back) await rename(join(trash, name), join(folder, name))
  // Moving a file sets the time at which its entry was changed.
  for (const name of trashed.filter((each) => !back.includes(each)))
    if ((await stat(join(trash, name))).ctimeMs * 1000 < deleteBeforeUs) await rm(join(trash, name))
  const missing = rows.filter(
    ({ name, removed_at: removedAt }) => removedAt === null && !files.includes(name) && !back.includes(name),
  )
  return { removed: unknown.sort(), missing: missing.map(({ name }) => name) }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(whenMissing<string[]>([]))
