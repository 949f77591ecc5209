import type { ClicksDb, DurableDb, ReadDb, RelaxedDb, ReportDb } from './handles.ts'
import type { Log } from '../runtime/log.ts'
import { openPostgresStore } from './postgres/open-postgres-store.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'
import type { CommitHook } from './sqlite/sqlite-writer.ts'
import type { WriteLock } from './sqlite/write-lock.ts'
import type { StoreOutage } from './store-outage.ts'
import type { WriteMetrics } from './write-metrics.ts'

/** The tables, by handles that differ in what they promise (handles.ts). */
export type Store = {
  db: DurableDb
  relaxedDb: RelaxedDb
  clicksDb: ClicksDb
  readDb: ReadDb
  /** For lists and searches that must see every commit: on SQLite, `readDb` does not wait for them. */
  listDb: ReadDb
  reportDb: ReportDb
  /** Another text once keys, users, workspaces or members have changed; undefined where that is not known. */
  callersVersion(): string | undefined
  /** Whether other threads have written since this thread's last write. If so, its transactions should be short. */
  othersWrite(): boolean
  /** Resolves, with the reason, only when the store is unusable: a thread has failed, or the tables are not Tern's. */
  failed: Promise<Error>
  close(): Promise<void>
}

/** In PostgreSQL if there is a URL, otherwise in SQLite in the folder. */
export type StoreLocation = {
  dataDir: string
  databaseUrl?: string | undefined
  /** A replica. */
  databaseReadUrl?: string | undefined
  /** Where old clicks are, beside PostgreSQL. */
  clickHouseUrl?: string | undefined
}

/** Only matters on SQLite: there a report keeps the CPU busy; on PostgreSQL the thread only waits. */
export type ReportsOn = 'own-thread' | 'same-thread'

/** What each thread of the service passes. */
export type StoreSharing = {
  writeLock?: WriteLock
  metrics?: WriteMetrics
  commitHook?: CommitHook
  /** If given, an unavailable database is retried and logged here; until then every query is refused as unavailable. */
  retryLog?: Log
  /** Notes what fails. */
  outage?: StoreOutage
}

/** Opens the store. Creates and migrates the tables if needed. */
export function openStore(
  location: StoreLocation,
  reports: ReportsOn,
  sharing: StoreSharing = {},
): Promise<Store> {
  const { dataDir, databaseUrl, databaseReadUrl, clickHouseUrl } = location
  return databaseUrl === undefined
    ? openSqliteStore(dataDir, reports, sharing)
    : openPostgresStore(
        { url: databaseUrl, readUrl: databaseReadUrl, hasClickHouse: clickHouseUrl !== undefined },
        sharing,
      )
}
