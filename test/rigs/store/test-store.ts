import { test } from 'bun:test'
import { openStore, type Store, type StoreLocation } from '../../../src/store/open-store.ts'
import { lacksPostgres, PostgresServer } from './postgres-server.ts'
import { usePerSuite, usePerTest } from '../use-rig.ts'

export type Engine = 'sqlite' | 'postgres'

/** `postgres` runs engine-independent suites on PostgreSQL. Set by test/run-tests.ts for its second run. */
const ENGINE_VARIABLE = 'TEST_ENGINE'

export const testEngine: Engine = process.env[ENGINE_VARIABLE] === 'postgres' ? 'postgres' : 'sqlite'

/** For tests of SQLite itself, or of its file. */
export const testOnSqlite = test.skipIf(testEngine !== 'sqlite')

/** For suites that always run on both, if both are installed. */
export function enginesToTest(what: string): Engine[] {
  const isMissing = lacksPostgres(`${what} on PostgreSQL`)
  return isMissing ? ['sqlite'] : ['sqlite', 'postgres']
}

let server: Promise<PostgresServer> | undefined
const databases = new Map<string, string>()
let template: Promise<string> | undefined

/** Where the store of a data folder is on the engine of this run; the same folder has the same store. */
export async function testPlace(dataDir: string, engine = testEngine): Promise<StoreLocation> {
  if (engine === 'sqlite') return { dataDir }
  let databaseUrl = databases.get(dataDir)
  if (databaseUrl === undefined) {
    databaseUrl = await (await testPostgres()).makeDatabase(await (template ??= makeTemplate()))
    databases.set(dataDir, databaseUrl)
  }
  return { dataDir, databaseUrl }
}

export async function openTestStore(dataDir: string, engine = testEngine): Promise<Store> {
  return openStore(await testPlace(dataDir, engine), 'same-thread')
}

export const closeStore = (store: Store): Promise<void> => store.close()

/** A new store for each test of a suite. */
export const useTestStore = (engine = testEngine): Store =>
  usePerTest((dataDir) => openTestStore(dataDir, engine), closeStore)

/** One store for all tests of a suite. */
export const useSharedStore = (engine = testEngine): Store =>
  usePerSuite((dataDir) => openTestStore(dataDir, engine), closeStore)

/** The same as settings of the program. */
export async function testSettings(dataDir: string): Promise<Record<string, string>> {
  const { databaseUrl } = await testPlace(dataDir)
  return { DATA_DIR: dataDir, ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }) }
}

/** The tables are created once and copied for each test. */
async function makeTemplate(): Promise<string> {
  const databaseUrl = await (await testPostgres()).makeDatabase()
  const store = await openStore({ dataDir: '', databaseUrl }, 'same-thread')
  await store.close()
  return new URL(databaseUrl).pathname.slice(1)
}

/** One server for all suites of a process, which exits with it. */
export function testPostgres(): Promise<PostgresServer> {
  server ??= PostgresServer.start()
  return server
}
