import { closeSync, fstatSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { isFileName } from '../clicks/parquet/parquet-file.ts'
import { Refusal } from '../errors/refusal.ts'
import { syncPath, writeToFile } from '../store/files/durable-files.ts'
import { readPieces } from '../store/files/read-pieces.ts'
import { type ClickFileRow, clickFileRows } from '../store/sqlite/click-file-rows.ts'
import type { DatabaseCopy } from '../store/sqlite/database-copy.ts'

/** The click files of a backup, in parts: a value of SQLite has at most a gigabyte, and is in memory as a whole. */
const TABLE = 'backup_click_files'

/** Puts the files that count into the copy. Returns the names of those that are missing or damaged. */
export function packClickFiles(copy: DatabaseCopy, folder: string): string[] {
  return copy.transaction(() => {
    // One that was put in place by hand still has its own.
    copy.run(`DROP TABLE IF EXISTS ${TABLE}`)
    copy.run(
      `CREATE TABLE ${TABLE} (name TEXT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (name, part)) STRICT`,
    )
    return filesThatCount(copy)
      .filter((file) => !packFile(copy, folder, file))
      .map(({ name }) => name)
  })()
}

/** None in a database from before click files. */
function filesThatCount(copy: DatabaseCopy): ClickFileRow[] {
  const tables = copy.query(`SELECT 1 FROM sqlite_schema WHERE name = 'click_files'`).all()
  return tables.length === 0 ? [] : clickFileRows(copy)
}

/** False if the file is not as it was written; then nothing of it stays. */
function packFile(copy: DatabaseCopy, folder: string, { name, sha256 }: ClickFileRow): boolean {
  const insert = copy.query(`INSERT INTO ${TABLE} VALUES (?, ?, ?)`)
  const hash = new Bun.CryptoHasher('sha256')
  let part = 0
  for (const piece of readablePieces(join(folder, name))) {
    hash.update(piece)
    insert.run(name, part++, piece)
  }
  if (hash.digest('hex') === sha256) return true
  copy.query(`DELETE FROM ${TABLE} WHERE name = ?`).run(name)
  return false
}

/** They end where the file cannot be read any further, and there are none if it is missing: then the SHA-256 is another one. */
function* readablePieces(path: string): Generator<Buffer> {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    yield* readPieces(file, fstatSync(file).size)
  } catch (error) {
    if ((error as { errno?: unknown }).errno === undefined) throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Takes the files out of the copy of a backup, onto the disk: what stays is a database as Tern has it. */
export function unpackClickFiles(copy: DatabaseCopy, folder: string): void {
  for (const file of filesThatCount(copy)) unpackFile(copy, folder, file)
  syncPath(folder)
  copy.run(`DROP TABLE IF EXISTS ${TABLE}`)
}

function unpackFile(copy: DatabaseCopy, folder: string, { name, sha256 }: ClickFileRow): void {
  const parts = copy.query(`SELECT bytes FROM ${TABLE} WHERE name = ? AND part = ?`)
  const nextPart = (part: number) => (parts.get(name, part) as { bytes: Uint8Array } | null)?.bytes
  let bytes = nextPart(0)
  if (bytes === undefined) return
  if (!isFileName(name)) throw invalid(name)
  const hash = new Bun.CryptoHasher('sha256')
  const file = openSync(join(folder, name), 'w')
  try {
    for (let [at, part] = [0, 0]; bytes !== undefined; bytes = nextPart(++part)) {
      hash.update(bytes)
      writeToFile(file, bytes, at)
      at += bytes.length
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (hash.digest('hex') !== sha256) throw invalid(name)
}

const invalid = (name: string) =>
  new Refusal(
    'command_failed',
    `The click file ${name} of the backup is not as it was written. Nothing was changed.`,
  )
