import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import { ReportLine } from './report-line.ts'
import type { Database } from './schema.ts'
import { dialectOf, sqliteDialect } from './sqlite-dialect.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { SqliteWriter, type WriterOptions } from './sqlite-writer.ts'
import { WriteTurn } from './write-turn.ts'

export type Db = Kysely<Database>

/** The tables, by three handles that differ in what they promise. */
export type Store = {
  /** For everything that is acknowledged to a caller: on the disk when the promise resolves. */
  db: Db
  /** For counters that are not: survives `kill -9`, a power failure may take the last moments. */
  quickDb: Db
  /** Read only, off this thread: lists, searches, analytics. Sees what was committed before the question. */
  reportDb: Db
  /** Whether other threads have been writing since this one's last write: then it should be brief. */
  othersWrite(): boolean
  /** Resolves, with the reason, only when reports are answered no more: their thread has failed. */
  failed: Promise<Error>
  close(): Promise<void>
}

export const storePath = (dataDir: string): string => join(dataDir, 'tern.db')

/** What a thread of several brings along: the turns that they share, and who watches its writes. */
export type StoreSharing = WriterOptions & { turn?: WriteTurn }

/** Opens the store of a data folder, made and brought up to date where needed. */
export async function openStore(
  dataDir: string,
  reports: 'own-thread' | 'same-thread',
  { turn = new WriteTurn(), ...options }: StoreSharing = {},
): Promise<Store> {
  mkdirSync(dataDir, { recursive: true })
  const path = storePath(dataDir)
  const database = openSqliteFile(path)
  const writer = new SqliteWriter(database, turn, options)
  const db: Db = new Kysely({ dialect: sqliteDialect(writer, 'full') })
  const quickDb: Db = new Kysely({ dialect: sqliteDialect(writer, 'process') })
  await migrate(db).catch((error) => {
    database.close()
    throw error
  })
  const line = reports === 'own-thread' ? new ReportLine(path) : undefined
  const reportDb: Db = line === undefined ? db : new Kysely({ dialect: dialectOf(line) })
  return {
    db,
    quickDb,
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
