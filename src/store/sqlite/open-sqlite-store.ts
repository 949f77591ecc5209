import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../migrations/migrate.ts'
import {
  handleOn,
  kyselyOf,
  type ClicksDb,
  type DurableDb,
  type ReadDb,
  type RelaxedDb,
  type ReportDb,
} from '../handles.ts'
import type { ReportsOn, Store, StoreSharing } from '../open-store.ts'
import { ReportChannel } from './report-channel.ts'
import { watchCallers } from './callers-version.ts'
import { sqliteDialect, sqliteDialectOn } from './sqlite-dialect.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { WriteLock } from './write-lock.ts'
import { tryToWrite } from '../engine-sql.ts'
import { ReportTurns } from '../report-turns.ts'
import { watched } from '../watched-connection.ts'

/** How long a write waits for another process that has locked the file. */
const LOCK_WAIT_MS = 5_000
/** The thread runs one statement at a time: a second request keeps it busy while the first one is between two of them. */
const TURNS = { running: 2, runningOfOne: 1, waiting: 400, waitingOfOne: 40 }

export const storePath = (dataDir: string): string => join(dataDir, 'tern.db')

/** Where the files that `click_files` names are. */
export const clicksFolder = (dataDir: string): string => join(dataDir, 'clicks')

/** Opens the store of a data folder. Creates and migrates the tables if needed. */
export async function openSqliteStore(
  dataDir: string,
  reports: ReportsOn,
  { writeLock = new WriteLock(), outage, ...options }: StoreSharing = {},
): Promise<Store> {
  mkdirSync(dataDir, { recursive: true })
  const path = storePath(dataDir)
  const database = openSqliteFile(path)
  // The writer waits by itself, without blocking its thread.
  database.run('PRAGMA busy_timeout = 0')
  const writer = new SqliteWriter(database, writeLock, { ...options, lockWaitMs: LOCK_WAIT_MS })
  const durable = sqliteDialect(writer, 'full', outage)
  const db = handleOn<DurableDb>(durable)
  const relaxed = sqliteDialect(writer, 'process', outage)
  const relaxedDb = handleOn<RelaxedDb>(relaxed)
  const clicksDb = handleOn<ClicksDb>(relaxed)
  await migrate(kyselyOf(db), options.retryLog).catch((error) => {
    database.close()
    throw error
  })
  // A creation changes more pages than fit before SQLite writes what it needs to roll one back into a file: twice as slow.
  // Not before the migrations, which sort a million rows.
  database.run('PRAGMA temp_store = MEMORY')
  // Short reads have a thread of their own: they would wait for every list and report that was requested before.
  const channels = reports === 'own-thread' ? [new ReportChannel(path), new ReportChannel(path)] : []
  const [reads = durable, lists = durable] = channels.map((channel, index) => {
    const connect = watched(() => channel, outage)
    return sqliteDialectOn(index === 0 ? connect : new ReportTurns(TURNS).inTurn(connect))
  })
  outage?.probeWith(() => tryToWrite(relaxedDb))
  return {
    db,
    relaxedDb,
    clicksDb,
    readDb: handleOn<ReadDb>(reads),
    listDb: handleOn<ReadDb>(lists),
    reportDb: handleOn<ReportDb>(lists),
    callersVersion: reports === 'own-thread' ? watchCallers(database) : () => undefined,
    othersWrite: () => writeLock.othersWaited,
    failed: Promise.race(channels.map(({ failed }) => failed)),
    async close() {
      outage?.close()
      await Promise.all(channels.map((channel) => channel.close()))
      for (const each of [relaxedDb, clicksDb, db]) await kyselyOf(each).destroy()
      database.close()
    },
  }
}
