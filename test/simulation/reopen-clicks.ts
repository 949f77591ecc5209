import { join } from 'node:path'
import { CLICKS_FOLDER, type Machine } from './program-run.ts'
import { clicksIn, type StoredClick } from './simulated-engine.ts'

type FileRow = { name: string; rows: number; forgotten_links: string }

/** `clicks`: undefined if the file is missing. Those of forgotten links do not count. */
export type ClicksOfFile = {
  name: string
  rows: number
  clicks: StoredClick[] | undefined
  forgotten: readonly (string | number | undefined)[]
}

/** Read past the program. */
export function filesThatCount({ database: { database }, disk }: Machine): ClicksOfFile[] {
  const files = database
    .query('SELECT name, rows, forgotten_links FROM click_files WHERE removed_at IS NULL ORDER BY name')
    .all() as FileRow[]
  const present = new Set(disk.list(CLICKS_FOLDER))
  return files.map(({ name, rows, forgotten_links: forgotten }) => ({
    name,
    rows,
    clicks: present.has(name) ? readable(disk.read(join(CLICKS_FOLDER, name))) : undefined,
    forgotten: JSON.parse(forgotten) as number[],
  }))
}

/** Puts the clicks of the files that count back into their table, where they are checked with the others. What is wrong with the files. */
export function reopenClicks(machine: Machine): string[] {
  const { database } = machine.database
  return filesThatCount(machine).flatMap(({ name, rows, clicks, forgotten }) => {
    if (clicks === undefined) return [`The click file ${name} is missing.`]
    const counting = clicks.filter(({ link_id: id }) => !forgotten.includes(id))
    for (const click of counting) insertClick(database, 'clicks', click)
    return clicks.length === rows ? [] : [`The click file ${name} has ${clicks.length} rows, not ${rows}.`]
  })
}

function readable(file: Buffer): StoredClick[] {
  try {
    return clicksIn(file)
  } catch {
    return []
  }
}

/** With another id: one that is in two files counts twice. */
export function insertClick(
  database: Machine['database']['database'],
  table: 'clicks' | 'deleted_clicks',
  { id: _id, ...click }: StoredClick,
): void {
  const columns = Object.keys(click)
  database.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    Object.values(click),
  )
}
