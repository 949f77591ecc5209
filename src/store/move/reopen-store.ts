import { existsSync } from 'node:fs'
import { Refusal } from '../../errors/refusal.ts'
import { lockForMove } from '../files/folder-lock.ts'
import { storePath } from '../sqlite/open-sqlite-store.ts'
import { openSqliteFile } from '../sqlite/sqlite-file.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { ALLOW_ON_POSTGRES, ALLOW_ON_SQLITE } from './moved-mark.ts'
import { type MoveLocation, nameOf } from './move-location.ts'
import { MoveConnection } from './move-connection.ts'

const UNMARK = 'UPDATE store_identity SET moved_to = NULL, moved_place = NULL, moved_at = NULL'

/**
 * Makes a store that was moved away usable again, as it was at the time of the move. The store it was moved to is
 * independent of it from now on. Empties some tables. Returns where it was moved to.
 */
export function reopenStore(location: MoveLocation, emptied: readonly string[]): Promise<string> {
  return location.engine === 'sqlite'
    ? reopenSqlite(location.dataDir, emptied)
    : reopenPostgres(location.url, emptied)
}

async function reopenSqlite(dataDir: string, emptied: readonly string[]): Promise<string> {
  if (!existsSync(storePath(dataDir)))
    throw new Refusal('command_failed', `There is no database in ${dataDir}.`)
  const lock = lockForMove(dataDir)
  const database = openSqliteFile(storePath(dataDir))
  try {
    database.run('BEGIN IMMEDIATE')
    const tables = database.query(`SELECT 1 FROM sqlite_schema WHERE name = 'store_identity'`).values()
    const identity = tables.length === 0 ? null : database.query('SELECT * FROM store_identity').get()
    const movedPlace = whereItWent(identity as StoreIdentity | null, `sqlite:${dataDir}`)
    for (const statement of ALLOW_ON_SQLITE) database.run(statement)
    for (const table of emptied) database.run(`DELETE FROM ${table}`)
    database.run(UNMARK)
    database.run('COMMIT')
    return movedPlace
  } finally {
    database.close()
    lock.release()
  }
}

async function reopenPostgres(url: string, emptied: readonly string[]): Promise<string> {
  const location = nameOf({ engine: 'postgres', url })
  const connection = await MoveConnection.open(url)
  try {
    await connection.takeLock(location)
    const isThere = (await connection.value(`SELECT to_regclass('store_identity')::text`)) !== null
    await connection.run('BEGIN')
    const [identity] = isThere
      ? await connection.run<StoreIdentity>('SELECT * FROM store_identity FOR UPDATE')
      : []
    const movedPlace = whereItWent(identity ?? null, location)
    for (const statement of [...ALLOW_ON_POSTGRES, ...emptied.map((table) => `DELETE FROM ${table}`), UNMARK])
      await connection.run(statement)
    await connection.run('COMMIT')
    return movedPlace
  } finally {
    await connection.close()
  }
}

function whereItWent(identity: StoreIdentity | null, location: string): string {
  if (identity?.moved_place == null)
    throw new Refusal('command_failed', `The store in ${location} was not moved away. Nothing was changed.`)
  return identity.moved_place
}
