import type { Database } from 'bun:sqlite'

/** A file of clicks that counts. */
export type ClickFileRow = { name: string; rows: number; sha256: string }

export const clickFileRows = (database: Database): ClickFileRow[] =>
  database
    .query('SELECT name, rows, sha256 FROM click_files WHERE removed_at IS NULL ORDER BY name')
    .all() as ClickFileRow[]
