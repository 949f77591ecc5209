import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { CurrentDb } from '../../store/handles.ts'
import { whenMissing } from '../../store/files/when-missing.ts'
import { isFileName, UNFINISHED } from './parquet-file.ts'

/** Engines keep there what does not fit into their memory. */
export const TEMPORARY_FOLDER = 'duckdb.tmp'

/**
 * After a crash: removes unfinished files and those without a row in `click_files`, whose clicks are elsewhere. Returns what was
 * removed, and rows that count but whose files are gone. Call it at the start, before an engine runs.
 */
export async function tidyClickFiles(
  db: CurrentDb,
  folder: string,
): Promise<{ removed: string[]; missing: string[] }> {
  const { rows } = await sql<{ name: string; removed_at: number | null }>`
    SELECT name, removed_at FROM click_files ORDER BY name`.execute(db)
  const names = new Set(rows.map(({ name }) => name))
  const files = await readdir(folder).catch(whenMissing<string[]>([]))
  const removed = files.filter((name) => name.endsWith(UNFINISHED) || (isFileName(name) && !names.has(name)))
  for (const name of removed) await rm(join(folder, name), { force: true })
  await rm(join(folder, TEMPORARY_FOLDER), { recursive: true, force: true })
  const missing = rows.filter(({ name, removed_at }) => removed_at === null && !files.includes(name))
  return { removed: removed.sort(), missing: missing.map(({ name }) => name) }
}
