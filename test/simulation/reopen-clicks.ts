import { join } from 'node:path'
import { CLICKS_FOLDER, type Machine } from './program-run.ts'
import { clicksIn, type StoredClick } from './simulated-engine.ts'

type FileRow = { name: string; rows: number }

/** Puts the clicks of the files that count back into their table, where they are checked with the others. What is wrong with the files. */
export function reopenClicks({ database: { database }, disk }: Machine): string[] {
  const files = database
    .query('SELECT name, rows FROM click_files WHERE removed_at IS NULL ORDER BY name')
    .all() as FileRow[]
  const present = new Set(disk.list(CLICKS_FOLDER))
  return files.flatMap(({ name, rows }) => {
    if (!present.has(name)) return [`The click file ${name} is missing.`]
    const clicks = readable(disk.read(join(CLICKS_FOLDER, name)))
    for (const click of clicks) insertClick(database, click)
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
function insertClick(database: Machine['database']['database'], { id: _id, ...click }: StoredClick): void {
  const columns = Object.keys(click)
  database.run(
    `INSERT INTO clicks (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    Object.values(click),
  )
}
