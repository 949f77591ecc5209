import type { Kysely } from 'kysely'
import type { Log } from '../log.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import type { Database } from './schema.ts'
import type { CommitWitness } from './sqlite-writer.ts'
import type { WriteTurn } from './write-turn.ts'
import type { WriteWatch } from './write-watch.ts'

export type Db = Kysely<Database>

/** The tables, by three handles that differ in what they promise. */
export type Store = {
  /** For everything that is acknowledged to a caller: on the disk when the promise resolves. */
  db: Db
  /** For counters that are not: survives `kill -9`, a power failure may take the last moments. */
  quickDb: Db
  /**
   * For counting clicks, which the journal can repeat. SQLite loses the last moments of the counters together with how
   * far they got; of PostgreSQL another server may take over, whose counters must not fall behind what was shown.
   */
  clicksDb: Db
  /** Read only, off this thread. Sees what was committed before the question. */
  readDb: Db
  /** The same for lists, searches and analytics, which may be two seconds old where a replica answers them. */
  reportDb: Db
  /** Whether other threads have been writing since this one's last write: then it should be brief. */
  othersWrite(): boolean
  /** Resolves, with the reason, only when it can answer no more: a thread has failed, or the tables are not ours. */
  failed: Promise<Error>
  close(): Promise<void>
}

/** Where the tables are: in PostgreSQL where it is named, else in SQLite in the folder. */
export type StorePlace = {
  dataDir: string
  databaseUrl?: string | undefined
  /** A replica. */
  databaseReadUrl?: string | undefined
}

/** Reports of SQLite are long work for the processor, those of PostgreSQL only waiting. */
export type ReportsOn = 'own-thread' | 'same-thread'

/** What a thread of several brings along: the turns that they share on SQLite, and who watches its writes. */
export type StoreSharing = {
  turn?: WriteTurn
  watch?: WriteWatch
  witness?: CommitWitness
  /** Where it says so, a database that is away is waited for; until then every question is refused as such. */
  patience?: Log
}

/** Opens the store, made and brought up to date where needed. */
export function openStore(place: StorePlace, reports: ReportsOn, sharing: StoreSharing = {}): Promise<Store> {
  const { dataDir, databaseUrl, databaseReadUrl } = place
  return databaseUrl === undefined
    ? openSqliteStore(dataDir, reports, sharing)
    : openPostgresStore({ url: databaseUrl, readUrl: databaseReadUrl }, sharing)
}
