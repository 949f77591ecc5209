import { Refusal } from '../errors/refusal.ts'

/** What a backup says of itself, as the rows of its table `backup_manifest`. */
export type BackupManifest = {
  format: number
  ternVersion: string
  /** ISO 8601, UTC. */
  madeAt: string
  links: number
  /** Clicks that are in the backup's counters, and clicks that had been journaled by then. */
  clicksCounted: number
  clicksJournaled: number
  /** Names of click files that could not be read when it was made. Their clicks are not in it. */
  missingClickFiles: string[]
}

/** 1 had no click files. */
export const BACKUP_FORMAT = 2

/** What this file needs of a database. */
type Copy = {
  run(text: string): unknown
  query(text: string): { all(): unknown[]; run(...values: (string | number)[]): unknown }
}

const TABLE = 'backup_manifest'

export function writeManifest(copy: Copy, manifest: BackupManifest): void {
  // One that was put in place by hand still has its own.
  copy.run(`DROP TABLE IF EXISTS ${TABLE}`)
  copy.run(`CREATE TABLE ${TABLE} (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT`)
  const insert = copy.query(`INSERT INTO ${TABLE} VALUES (?, ?)`)
  for (const [name, value] of Object.entries(manifest))
    insert.run(name, Array.isArray(value) ? value.join(' ') : String(value))
}

/** Takes the manifest out of the copy: what stays is a database as Tern has it. */
export function readManifest(copy: Copy, file: string): BackupManifest {
  const rows = readRows(copy, file)
  const format = Number(rows.get('format'))
  if (format > BACKUP_FORMAT) {
    throw new Refusal(
      'command_failed',
      `${file} was made by a newer Tern (${rows.get('ternVersion')}): restore it with that.`,
    )
  }
  copy.run(`DROP TABLE ${TABLE}`)
  const count = (name: keyof BackupManifest) => Number(rows.get(name))
  return {
    format,
    ternVersion: rows.get('ternVersion') ?? '',
    madeAt: rows.get('madeAt') ?? '',
    links: count('links'),
    clicksCounted: count('clicksCounted'),
    clicksJournaled: count('clicksJournaled'),
    missingClickFiles: rows.get('missingClickFiles')?.split(' ').filter(Boolean) ?? [],
  }
}

function readRows(copy: Copy, file: string): Map<string, string> {
  const tables = copy.query(`SELECT 1 FROM sqlite_schema WHERE name = '${TABLE}'`).all()
  if (tables.length === 0)
    throw new Refusal('command_failed', `${file} is a database, but no backup made by tern backup.`)
  const rows = copy.query(`SELECT name, value FROM ${TABLE}`).all() as { name: string; value: string }[]
  return new Map(rows.map(({ name, value }) => [name, value]))
}
