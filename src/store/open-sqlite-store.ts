import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { migrate, SQLITE_MIGRATIONS } from './migrate.ts'
import type { Db, ReportsOn, Store, StoreSharing } from './open-store.ts'
import { ReportLine } from './report-line.ts'
import { dialectOf, sqliteDialect } from './sqlite-dialect.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { WriteTurn } from './write-turn.ts'

/** Whoever comes while another program keeps the file locked is told so after that. */
const LOCK_WAIT_MS = 5_000

export const storePath = (dataDir: string): string => join(dataDir, 'tern.db')

/** Opens the store of a data folder, made and brought up to date where needed. */
export async function openSqliteStore(
  dataDir: string,
  reports: ReportsOn,
  { turn = new WriteTurn(), ...options }: StoreSharing = {},
): Promise<Store> {
  mkdirSync(dataDir, { recursive: true })
  const path = storePath(dataDir)
  const database = openSqliteFile(path)
  // The writer waits by itself, and does not hold up its thread with that.
  database.run('PRAGMA busy_timeout = 0')
  const writer = new SqliteWriter(database, turn, { ...options, lockWaitMs: LOCK_WAIT_MS })
  const db: Db = new Kysely({ dialect: sqliteDialect(writer, 'full') })
  const quickDb: Db = new Kysely({ dialect: sqliteDialect(writer, 'process') })
  await migrate(db, SQLITE_MIGRATIONS).catch((error) => {
    database.close()
    throw error
  })
  const line = reports === 'own-thread' ? new ReportLine(path) : undefined
  const reportDb: Db = line === undefined ? db : new Kysely({ dialect: dialectOf(line) })
  return {
    db,
    quickDb,
    clicksDb: quickDb,
    readDb: reportDb,
    reportDb,
    othersWrite: () => turn.othersTakeTurns,
    failed: line?.failed ?? new Promise(() => {}),
    async close() {
      // Not by way of Kysely, which does not tell a driver that was never asked anything.
      await line?.destroy()
      await quickDb.destroy()
      await db.destroy()
      database.close()
    },
  }
}
