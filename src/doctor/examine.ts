import { existsSync } from 'node:fs'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { storePath } from '../store/open-sqlite-store.ts'
import { openStoreReader, type StoreReader } from '../store/open-store-reader.ts'
import { unfinishedRestore } from '../store/unfinished-restore.ts'
import { checkAddress } from './check-address.ts'
import { checkClock, lastClickUs, lastFileUs } from './check-clock.ts'
import { checkCodes } from './check-codes.ts'
import { checkCountryData } from './check-country-data.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkJournal } from './check-journal.ts'
import { checkPeople } from './check-people.ts'
import { checkVisitors } from './check-visitors.ts'
import type { Finding } from './finding.ts'

type ExamineDeps = { clock: Clock; config: Config }

/** All checks, one after the other. None changes anything, and one that cannot be made is a fault itself. */
export async function examine({ clock, config }: ExamineDeps): Promise<Finding[]> {
  const { dataDir } = config
  const nowUs = clock.nowUs()
  const always = [
    ...(await attempt('address', async () => checkAddress(config))),
    ...(await attempt('country data', async () => checkCountryData(nowUs, config.geoipDb))),
  ]
  if (!existsSync(dataDir)) return [...always, warningOf('data folder', `${dataDir} is not there yet.`)]
  if (unfinishedRestore(dataDir) !== undefined) {
    return [...always, faultOf('data folder', 'A restore was interrupted: run tern restore again.')]
  }
  const disk = await attempt('disk', async () => checkDisk(dataDir))
  if (!existsSync(storePath(dataDir))) {
    return [...always, ...disk, warningOf('database', `There is no database in ${dataDir} yet.`)]
  }
  return [...always, ...disk, ...(await examineStore(config, nowUs))]
}

async function examineStore(config: Config, nowUs: number): Promise<Finding[]> {
  const { dataDir } = config
  let reader: StoreReader
  try {
    reader = openStoreReader(dataDir)
  } catch (error) {
    return [
      faultOf('database', `The database cannot be read: ${(error as Error).message}. Restore a backup.`),
    ]
  }
  const { db } = reader
  try {
    const database = await attempt('database', async () => checkDatabase(reader, dataDir))
    // Of tables that are not of this version nothing more can be asked.
    if (database.some(({ check, verdict }) => check === 'schema' && verdict !== 'ok')) return database
    return [
      ...database,
      ...(await attempt('clock', async () =>
        checkClock(nowUs, { fileUs: lastFileUs(dataDir), clickUs: await lastClickUs(db) }),
      )),
      ...(await attempt('journal', () => checkJournal(db, dataDir))),
      ...(await attempt('codes', () => checkCodes(db, dataDir))),
      ...(await attempt('visitors', () => checkVisitors(db, nowUs))),
      ...(await attempt('people', () => checkPeople(db, nowUs, config))),
    ]
  } finally {
    await reader.close()
  }
}

async function attempt(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work()
  } catch (error) {
    return [faultOf(check, `It cannot be checked: ${(error as Error).message}.`)]
  }
}

const faultOf = (check: string, says: string): Finding => ({ check, verdict: 'fault', says })
const warningOf = (check: string, says: string): Finding => ({ check, verdict: 'warning', says })
