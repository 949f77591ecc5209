import { transact } from '../../../src/store/transact.ts'
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '../../../src/backups/make-backup.ts'
import { copyUnsealed } from '../../../src/backups/backup-seal.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { databaseErrors } from '../../../src/store/sqlite/database-copy.ts'
import { openSqliteStore, storePath } from '../../../src/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { writeRows } from '../../../src/store/engine-sql.ts'
import { addClickFile } from '../../rigs/clicks/click-file.ts'
import { FOLDER_ID } from '../../rigs/clicks/journal-rig.ts'
import { ATTEMPTS_MAX, KILLS, nthOf } from '../../rigs/program/kills.ts'
import { startScript } from '../../rigs/program/run-script.ts'
import { temporaryFolders } from '../../rigs/temporary-folders.ts'

const folders = temporaryFolders()
let dataDir: string
let store: Store
let into: string

beforeAll(fillStore)

afterAll(async () => {
  await store.close()
  folders.remove()
})

test(`a backup that is killed, ${KILLS} times in its middle, harms nothing and leaves nothing for long`, async () => {
  const whole = await wholeBackup()
  expect(whole.statements).toBeGreaterThan(10)
  let hits = 0
  for (let round = 0; hits < KILLS && round < ATTEMPTS_MAX; round++) {
    if (!(await killedInTheMiddle(round, whole))) continue
    hits++
    // Other writers go on at the same time.
    await store.db
      .insertInto('codes')
      .values({ code: `hit-${hits}`, workspace_id: null })
      .execute()
    if (hits % CHECKED_EVERY === 0) await expectGoodBackup(`${round}.good`, CODES + hits)
  }
  expect(hits).toBe(KILLS)
  console.log(`backup: ${hits} kills in the middle`)
}, 600_000)

async function fillStore(): Promise<void> {
  dataDir = folders.make()
  into = folders.make()
  store = await openSqliteStore(dataDir, 'same-thread')
  const codes = Array.from({ length: CODES }, (_, n) => [`code-${n}-${'x'.repeat(40)}`, null])
  const target = { table: 'codes', columns: ['code', 'workspace_id'], texts: ['code'] } as const
  await transact(store.db, (tx) => writeRows(tx, target, codes))
  for (let i = 0; i < CLICK_FILES; i++) addClickFile(dataDir, { bytes: CLICK_FILE_BYTES })
}

/** Some megabytes, so that copying takes a while. */
const CODES = 40_000

/** As much again, in two parts each. */
const CLICK_FILES = 3

const CLICK_FILE_BYTES = 2_000_000

/** After this many kills, a backup is completed and checked. */
const CHECKED_EVERY = 10

/** It is complete, and there are no others except completed ones. */
async function expectGoodBackup(name: string, codes: number): Promise<void> {
  const facts = { clicksJournaled: async () => 0, folderId: async () => FOLDER_ID }
  const file = join(into, name)
  await makeBackup({ ...facts, clock: systemClock, ternVersion: '' }, { dataDir, file, replaces: false })
  expect(readdirSync(into).filter((each) => each.includes('.next'))).toEqual([])
  copyUnsealed(file, `${file}.db`)
  const copy = new Database(`${file}.db`, { readonly: true })
  expect([databaseErrors(copy), copy.query('SELECT count(*) FROM codes').values()]).toEqual([[], [[codes]]])
  const files = copy.query('SELECT sum(length(bytes)) FROM backup_click_files GROUP BY name').values()
  expect(files.flat()).toEqual(Array(CLICK_FILES).fill(CLICK_FILE_BYTES))
  copy.close()
  const source = new Database(storePath(dataDir), { readonly: true })
  expect(databaseErrors(source, 'integrity_check')).toEqual([])
  source.close()
}

const fileOf = (round: number) => join(into, `${round}.backup`)
const nextOf = (round: number) => `${fileOf(round)}.${FOLDER_ID}.next`
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Kills right before a statement, or when the copy has reached a part of its size, depending on the round. */
async function killedInTheMiddle(round: number, { statements, bytes }: Whole): Promise<boolean> {
  const isByStatement = round % 2 === 0
  const nth = isByStatement ? nthOf(round / 2, statements) : 0
  const child = startScript('killed-backup.script.ts', dataDir, fileOf(round), FOLDER_ID, String(nth))
  if (!isByStatement) {
    const bytesAtDeath = (bytes * nthOf(round, KILLS)) / KILLS
    while (child.exitCode === null && sizeOf(nextOf(round)) < bytesAtDeath) await Bun.sleep(0)
    child.kill('SIGKILL')
  }
  await child.exited
  return child.signalCode === 'SIGKILL' && existsSync(nextOf(round)) && !existsSync(fileOf(round))
}

type Whole = { statements: number; bytes: number }

/** A backup that is not killed. */
async function wholeBackup(): Promise<Whole> {
  const file = join(into, 'whole.backup')
  const child = startScript('killed-backup.script.ts', dataDir, file, FOLDER_ID, '0')
  const statements = Number(/done by (\d+) statements/.exec(await child.stdout.text())?.[1])
  return { statements, bytes: statSync(file).size }
}
