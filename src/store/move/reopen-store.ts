import { existsSync } from 'node:fs'
import { Refusal } from '../../refusal.ts'
import { lockForMove } from '../folder-lock.ts'
import { storePath } from '../open-sqlite-store.ts'
import { openSqliteFile } from '../sqlite-file.ts'
import type { StoreIdentity } from '../store-identity.ts'
import { ALLOW_ON_POSTGRES, ALLOW_ON_SQLITE } from './moved-mark.ts'
import { type MovePlace, nameOf } from './move-place.ts'
import { PostgresLine } from './postgres-line.ts'

const UNMARK = 'UPDATE store_identity SET moved_to = NULL, moved_place = NULL, moved_at = NULL'

/**
 * Takes a store into use again that was moved away, as it was then: where it went, it is another one from now on. Some
 * tables are emptied with that. Gives where it went.
 */
export function reopenStore(place: MovePlace, emptied: readonly string[]): Promise<string> {
  return place.engine === 'sqlite' ? reopenSqlite(place.dataDir, emptied) : reopenPostgres(place.url, emptied)
}

async function reopenSqlite(dataDir: string, emptied: readonly string[]): Promise<string> {
  if (!existsSync(storePath(dataDir))) throw new Refusal('invalid', `There is no database in ${dataDir}.`)
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
  const place = nameOf({ engine: 'postgres', url })
  const line = await PostgresLine.open(url)
  try {
    await line.takeLock(place)
    const isThere = (await line.value(`SELECT to_regclass('store_identity')::text`)) !== null
    await line.run('BEGIN')
    const [identity] = isThere ? await line.run<StoreIdentity>('SELECT * FROM store_identity FOR UPDATE') : []
    const movedPlace = whereItWent(identity ?? null, place)
    for (const statement of [...ALLOW_ON_POSTGRES, ...emptied.map((table) => `DELETE FROM ${table}`), UNMARK])
      await line.run(statement)
    await line.run('COMMIT')
    return movedPlace
  } finally {
    await line.close()
  }
}

function whereItWent(identity: StoreIdentity | null, place: string): string {
  if (identity?.moved_place == null)
    throw new Refusal('invalid', `The store in ${place} was not moved away. Nothing was changed.`)
  return identity.moved_place
}
