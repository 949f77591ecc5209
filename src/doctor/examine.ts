import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { nodeFolders } from '../clicks/journal/worker-folders.ts'
import { journalFolder } from '../clicks/journal/open-journal.ts'
import { codeLogPath } from '../codes/log/read-code-log.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Config } from '../config/config.ts'
import { storePath } from '../store/sqlite/open-sqlite-store.ts'
import { openStoreReader, type StoreReader } from '../store/open-store-reader.ts'
import { postgresComplaint } from '../store/postgres/postgres-complaint.ts'
import { openReadOnly, tryToWriteAt } from '../store/open-read-only.ts'
import type { CurrentDb } from '../store/handles.ts'
import { MovedStore, UnfinishedMove } from '../store/store-identity.ts'
import { unfinishedRestore } from '../store/files/unfinished-restore.ts'
import { checkBaseUrl } from './check-base-url.ts'
import { checkClickFiles } from './check-click-files.ts'
import { checkClickHouse } from './check-clickhouse.ts'
import { checkClock, lastClickUs, lastFileUs } from './check-clock.ts'
import { checkCodes } from './check-codes.ts'
import { checkCountryData } from './check-country-data.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { openDomainChecks } from '../domains/open-domain-checks.ts'
import { checkDomains } from './check-domains.ts'
import { checkJournal } from './check-journal.ts'
import { checkNodeCodes } from './check-node-codes.ts'
import { checkNodes } from './check-nodes.ts'
import { checkAccounts } from './check-accounts.ts'
import { checkPostgres } from './check-postgres.ts'
import { checkSingleSignOn } from './check-single-sign-on.ts'
import { checkVisitors } from './check-visitors.ts'
import type { Check, Finding } from './finding.ts'

type ExamineDeps = { clock: Clock; config: Config; reached?: ReachOptions }

/** Not settings: only tests give other IP addresses, DNS servers and authorities than those of the machine. */
type ReachOptions = Partial<Pick<OpenChecks, 'reachableIps' | 'dnsServers' | 'authorities'>>
type OpenChecks = Parameters<typeof openDomainChecks>[0]

type Examination = { config: Config; nowUs: number; reached: ReachOptions }

/** Runs all checks. None changes anything. A check that fails to run is a fault. */
export async function examine({ clock, config, reached = {} }: ExamineDeps): Promise<Finding[]> {
  const { dataDir } = config
  const nowUs = clock.nowUs()
  const examination = { config, nowUs, reached }
  const always = [
    ...(await attempt('address', async () => checkBaseUrl(config))),
    ...(await attempt('country data', async () => checkCountryData(nowUs, config.geoipDb))),
  ]
  if (!existsSync(dataDir)) return [...always, warningOf('data folder', `${dataDir} does not exist yet.`)]
  if (config.databaseUrl === undefined && unfinishedRestore(dataDir) !== undefined) {
    return [...always, faultOf('data folder', 'A restore was interrupted. Run tern restore again.')]
  }
  const disk = await attempt('disk', async () => checkDisk(dataDir))
  if (config.databaseUrl !== undefined) return [...always, ...disk, ...(await examinePostgres(examination))]
  if (!existsSync(storePath(dataDir))) {
    return [...always, ...disk, warningOf('database', `There is no database in ${dataDir} yet.`)]
  }
  return [...always, ...disk, ...(await examineStore(examination))]
}

async function examineStore(examination: Examination): Promise<Finding[]> {
  const { dataDir } = examination.config
  let reader: StoreReader
  try {
    reader = openStoreReader(dataDir)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof MovedStore || error instanceof UnfinishedMove) return [faultOf('database', message)]
    return [faultOf('database', unreadable(error as Error & { code?: string }, dataDir))]
  }
  const { db } = reader
  try {
    const database = await attempt('database', async () => checkDatabase(reader, dataDir))
    if (isOther(database)) return database
    return [
      ...database,
      ...(await examineTables(db, examination)),
      ...(await attempt('click files', () => checkClickFiles(db, dataDir))),
      ...(await attempt('journal', () => checkJournal(db, dataDir))),
      ...(await attempt('codes', () => checkCodes(db, dataDir))),
    ]
  } finally {
    await reader.close()
  }
}

const OF_DATA = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT'])

/** A backup helps only where the data itself is damaged. */
function unreadable({ code = '', message }: Error & { code?: string }, dataDir: string): string {
  const name = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''
  if (OF_DATA.has(name)) return `The database cannot be read: ${message}. Restore a backup.`
  if (['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_PERM'].includes(name)) {
    return `The database in ${dataDir} cannot be opened by this user, or its file system is read-only. Check who owns its files and how the disk is mounted.`
  }
  return `The database cannot be read: ${message}. Check the disk and the system log.`
}

/** The same for PostgreSQL: the shared tables, and this node's own disk. */
async function examinePostgres(examination: Examination): Promise<Finding[]> {
  const { config } = examination
  const { db, close } = openReadOnly(config)
  try {
    const database = await attempt('database', () => checkPostgres(db, () => tryToWriteAt(config)))
    // Without the database, the other checks cannot run.
    if (database.length === 1 || isOther(database)) return database
    return [
      ...database,
      ...(await examineTables(db, examination)),
      ...(await attempt('nodes', () => checkNodes(db))),
      ...(await attempt('clickhouse', () => checkClickHouse(db, config.clickHouseUrl))),
      ...(await examineFolders(db, config.dataDir)),
    ]
  } finally {
    await close()
  }
}

/** The journals and code logs on this machine: of the node, or of each of its workers. */
async function examineFolders(db: CurrentDb, dataDir: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const folder of nodeFolders(dataDir).filter(hasServed)) {
    const worker = folder === dataDir ? {} : { worker: basename(folder) }
    const results = [
      ...(await attempt('journal', () => checkJournal(db, folder))),
      ...(await attempt('codes', () => checkNodeCodes(db, folder))),
    ]
    findings.push(...results.map((each) => ({ ...each, ...worker })))
  }
  return findings
}

/** Each start makes both, so one without the other is a loss. */
const hasServed = (folder: string): boolean =>
  existsSync(journalFolder(folder)) || existsSync(codeLogPath(folder))

/** Tables of another version cannot be checked further. */
const isOther = (found: readonly Finding[]): boolean =>
  found.some(({ check, severity: verdict }) => check === 'schema' && verdict !== 'ok')

async function examineTables(
  db: CurrentDb,
  { config, nowUs, reached: { reachableIps = [], ...reached } }: Examination,
): Promise<Finding[]> {
  const { dataDir } = config
  return [
    ...(await attempt('clock', async () =>
      checkClock(nowUs, { fileUs: lastFileUs(dataDir), clickUs: await lastClickUs(db) }),
    )),
    ...(await attempt('visitors', () => checkVisitors(db, nowUs))),
    ...(await attempt('domains', () =>
      checkDomains({ db, nowUs, checks: openDomainChecks({ config, reachableIps, ...reached }) }),
    )),
    ...(await attempt('users', () => checkAccounts(db, nowUs, config))),
    ...(await attempt('single sign-on', () => checkSingleSignOn(db, config.oidcProviders))),
  ]
}

async function attempt(check: Check, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work()
  } catch (error) {
    return [faultOf(check, postgresComplaint(error) ?? `Could not check: ${(error as Error).message}.`)]
  }
}

const faultOf = (check: Check, says: string): Finding => ({ check, severity: 'fault', message: says })
const warningOf = (check: Check, says: string): Finding => ({ check, severity: 'warning', message: says })
