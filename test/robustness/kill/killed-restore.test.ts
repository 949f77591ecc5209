import { transact } from '../../../src/store/transact.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '../../../src/backups/make-backup.ts'
import { restoreBackup } from '../../../src/backups/restore-backup.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { writeRows } from '../../../src/store/engine-sql.ts'
import { clicksFolder, openSqliteStore, storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import { whenMissing } from '../../../src/store/files/when-missing.ts'
import { UnfinishedRestore, refuseUnfinishedRestore } from '../../../src/store/files/unfinished-restore.ts'
import { addClickFile } from '../../rigs/clicks/click-file.ts'
import { ATTEMPTS_MAX, KILLS, nthOf } from '../../rigs/program/kills.ts'
import { startScript } from '../../rigs/program/run-script.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'

const folders = temporaryFolders()
let prepared: string
let file: string
/** The click files of the backup, and those of the folder. */
let early: string[]
let late: string[]

beforeAll(prepareBackup)

afterAll(() => folders.remove())

test(`a restore that is killed, ${KILLS} times in its middle, has changed nothing or is refused until it is run again`, async () => {
  const calls = await callsOfOne()
  expect(calls).toBeGreaterThanOrEqual(CALLS_MIN)
  const seen = { untouched: 0, refused: 0 }
  for (let round = 0; seen.untouched + seen.refused < KILLS && round < ATTEMPTS_MAX; round++) {
    const dataDir = copyOfPrepared()
    if (await kill(round, dataDir, calls)) {
      if (isRefused(dataDir)) seen.refused++
      else {
        seen.untouched++
        expect(await codesIn(dataDir)).toEqual({ all: CODES + 1, late: 1 })
        expect(clickFilesIn(dataDir)).toEqual(late)
      }
      const { replacedIn } = restoreBackup({ clock: systemClock, disk: fs }, { dataDir, file })
      expect(await codesIn(dataDir)).toEqual({ all: CODES, late: 0 })
      expect(await codesIn(replacedIn!)).toEqual({ all: CODES + 1, late: 1 })
      expect([clickFilesIn(dataDir), clickFilesIn(replacedIn!)]).toEqual([early, late])
      expect(fs.readdirSync(dataDir).filter((name) => /next|unfinished/.test(name))).toEqual([])
    }
    fs.rmSync(dataDir, { recursive: true })
  }
  expect(seen.untouched + seen.refused).toBe(KILLS)
  expect(Math.min(seen.untouched, seen.refused)).toBeGreaterThan(KILLS / 10)
  console.log(`restore: ${seen.untouched + seen.refused} kills in the middle`, seen)
}, 600_000)

async function prepareBackup(): Promise<void> {
  prepared = folders.make()
  file = join(folders.make(), 'tern.backup')
  await claim(Array.from({ length: CODES }, (_, n) => `early-${n}-${'x'.repeat(40)}`))
  addClickFile(prepared, { bytes: CLICK_FILE_BYTES })
  early = clickFilesIn(prepared)
  const facts = { clicksJournaled: async () => 0, folderId: async () => undefined }
  await makeBackup(
    { ...facts, clock: systemClock, ternVersion: '' },
    { dataDir: prepared, file, replaces: false },
  )
  await claim(['late'])
  addClickFile(prepared)
  late = clickFilesIn(prepared)
}

/** About a megabyte, so that copying and checking take a while. */
const CODES = 10_000

const CLICK_FILE_BYTES = 2_000_000

/** Calls that change the folder. */
const CALLS_MIN = 12

async function claim(codes: string[]): Promise<void> {
  const store = await openSqliteStore(prepared, 'same-thread')
  const target = { table: 'codes', columns: ['code', 'workspace_id'], texts: ['code'] } as const
  const rows = codes.map((code) => [code, null])
  await transact(store.db, (tx) => writeRows(tx, target, rows))
  await store.close()
}

async function codesIn(dataDir: string): Promise<{ all: number; late: number }> {
  const store = await openSqliteStore(dataDir, 'same-thread')
  const codes = await store.db.selectFrom('codes').select('code').execute()
  await store.close()
  return { all: codes.length, late: codes.filter(({ code }) => code === 'late').length }
}

/** Names and SHA-256. */
const clickFilesIn = (dataDir: string) =>
  fs
    .readdirSync(clicksFolder(dataDir))
    .sort()
    .map((name) => {
      const bytes = fs.readFileSync(join(clicksFolder(dataDir), name))
      return `${name} ${createHash('sha256').update(bytes).digest('hex')}`
    })

/** Kills before a call that changes the folder, or when the unpacked files have reached a part of their size. */
async function kill(round: number, dataDir: string, calls: number): Promise<boolean> {
  const isByCall = round % 2 === 0
  // Evenly, however few rounds there are.
  const nth = isByCall ? 1 + (Math.floor((round * calls) / KILLS) % calls) : 0
  const child = startScript('killed-restore.script.ts', dataDir, file, String(nth))
  const next = join(dataDir, 'restore.next')
  if (!isByCall) {
    const bytesAtDeath = (2 * fs.statSync(file).size * nthOf(round, KILLS)) / KILLS
    while (child.exitCode === null && bytesIn(next) < bytesAtDeath) await Bun.sleep(0)
    child.kill('SIGKILL')
  }
  const isDone = (await child.stdout.text()).includes('restored')
  await child.exited
  return !isDone && child.signalCode === 'SIGKILL' && (fs.existsSync(next) || isRefused(dataDir))
}

/** Those of the copied backup are twice there when it is unpacked. */
const bytesIn = (folder: string): number =>
  namesIn(folder)
    .map((name) => fs.statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, entry) => sum + (entry?.isFile() === true ? entry.size : 0), 0)

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch (error) {
    return whenMissing<string[]>([])(error)
  }
}

function isRefused(dataDir: string): boolean {
  try {
    refuseUnfinishedRestore(dataDir)
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(UnfinishedRestore)
    return true
  }
}

async function callsOfOne(): Promise<number> {
  for (let nth = 1; ; nth++) {
    const dataDir = copyOfPrepared()
    const child = startScript('killed-restore.script.ts', dataDir, file, String(nth))
    if ((await child.stdout.text()).includes('restored')) return nth - 1
    fs.rmSync(dataDir, { recursive: true })
  }
}

function copyOfPrepared(): string {
  const dataDir = folders.make()
  fs.copyFileSync(storePath(prepared), storePath(dataDir))
  fs.cpSync(clicksFolder(prepared), clicksFolder(dataDir), { recursive: true })
  // As left by a database that was not closed. They are kept together with it.
  for (const side of ['-wal', '-shm']) fs.writeFileSync(storePath(dataDir) + side, '')
  return dataDir
}
