import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { CurrentDb } from '../../store/handles.ts'
import { whenMissing } from '../../store/files/when-missing.ts'
import { type Files, realFiles } from '../journal/files.ts'
import { isFileName, UNFINISHED } from './parquet-file.ts'

/** Engines keep there what does not fit into their memory. */
export const TEMPORARY_FOLDER = 'duckdb.tmp'
/** For files that the database does not know. */
const TRASH = 'trash'

type TidyDeps = { db: CurrentDb; files?: Pick<Files, 'list' | 'unlink' | 'rename' | 'makeFolder'> }

type Tidied = {
  /** Moved into the trash. */
  removed: string[]
  /** Rows that count, but whose files are nowhere. */
  missing: string[]
}

/**
 * Call it at the start, before an engine runs. Removes what a crash has left unfinished. Files without a row in `click_files` go into the
 * trash: their clicks are elsewhere, or the database is an older one, which counts them again. Those with one come back from
 * it: that older database was a mistake.
 */
export async function tidyClickFiles({ db, files = realFiles }: TidyDeps, folder: string): Promise<Tidied> {
  const { rows } = await sql<{ name: string; removed_at: number | null }>`
    SELECT name, removed_at FROM click_files ORDER BY name`.execute(db)
  const names = new Set(rows.map(({ name }) => name))
  const namesIn = (path: string) => files.list(path).catch(whenMissing<string[]>([]))
  const present = await namesIn(folder)
  const trash = join(folder, TRASH)
  for (const name of present) if (name.endsWith(UNFINISHED)) await files.unlink(join(folder, name))
  const unknown = present.filter((name) => isFileName(name) && !names.has(name))
  if (unknown.length > 0) await files.makeFolder(trash)
  for (const name of unknown) await files.rename(join(folder, name), join(trash, name))
  const back = (await namesIn(trash)).filter((name) => names.has(name) && !present.includes(name))
  for (const name of back) await files.rename(join(trash, name), join(folder, name))
  const missing = rows.filter(
    ({ name, removed_at: removedAt }) =>
      removedAt === null && !present.includes(name) && !back.includes(name),
  )
  return { removed: unknown.sort(), missing: missing.map(({ name }) => name) }
}

/** Deletes what engines that have ended left in their memory on disk, and what was moved into the trash before this moment. */
export async function removeLeftovers(folder: string, { beforeUs }: { beforeUs: number }): Promise<void> {
  await rm(join(folder, TEMPORARY_FOLDER), { recursive: true, force: true })
  const trash = join(folder, TRASH)
  for (const name of await readdir(trash).catch(whenMissing<string[]>([])))
    // Moving a file sets the time at which its entry was changed.
    if ((await stat(join(trash, name))).ctimeMs * 1000 < beforeUs) await rm(join(trash, name))
}
