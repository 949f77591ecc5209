import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER_ID, NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { manualClock } from '../runtime/clock.ts'
import { lockForBackup } from '../store/files/folder-lock.ts'
import { openSqliteStore, storePath } from '../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../store/open-store.ts'
import { makeBackup } from './make-backup.ts'

const folders = temporaryFolders()
let dataDir: string
let file: string
let store: Store

beforeEach(openFolder)
afterEach(closeFolder)

describe('a backup', () => {
  test('has what was committed, while the store is open, and says what it is', async () => {
    const manifest = {
      format: 2,
      ternVersion: '1.2.3',
      madeAt: '2026-04-20T12:00:00.000000Z',
      links: 0,
      clicksCounted: 0,
      clicksJournaled: 5,
      missingClickFiles: [],
    }
    expect(await backUp()).toEqual({ ...manifest, bytes: readFileSync(file).length })
    expect(beside()).toEqual(['tern.backup'])
  })

  test('replaces a file only when asked to', async () => {
    writeFileSync(file, 'precious')
    await expect(backUp()).rejects.toThrow(`${file} is there already`)
    expect(readFileSync(file, 'utf8')).toBe('precious')
    await backUp(true)
    expect(readFileSync(file, 'latin1')).toStartWith('SQLite format 3')
  })

  test('is refused where there is no such folder, where a folder has the name, and where there is no database', async () => {
    const attempt = (changes: object) => makeBackup(deps, { dataDir, file, replaces: true, ...changes })
    await expect(attempt({ file: join(file, 'deeper') })).rejects.toThrow('does not exist')
    mkdirSync(file)
    await expect(attempt({})).rejects.toThrow('is a folder')
    const empty = folders.make()
    await expect(attempt({ dataDir: empty, file: `${file}2` })).rejects.toThrow('There is no database in')
    expect(readdirSync(empty)).toEqual([])
    expect(existsSync(`${file}2`)).toBe(false)
  })

  test('that cannot be made leaves nothing behind, and keeps what was there', async () => {
    writeFileSync(file, 'precious')
    const failing = { ...deps, clicksJournaled: () => Promise.reject(new Error('not today')) }
    await expect(makeBackup(failing, { dataDir, file, replaces: true })).rejects.toThrow(
      `Could not write the backup to ${file}: not today.`,
    )
    expect(beside()).toEqual(['tern.backup'])
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  test('is not made of a damaged database', async () => {
    const bytes = await damagedDatabase()
    const error: Error = await backUp().then(
      () => new Error('It was made.'),
      (refusal: Error) => refusal,
    )
    expect(error.message).toMatch(/damaged|malformed/)
    expect(beside()).toEqual([])
    expect(readFileSync(storePath(dataDir)).equals(bytes)).toBe(true)
  })

  test('removes what killed ones of the same folder have left, whatever their names were to be, and nothing else', async () => {
    const names = ['tern.backup', 'yesterday.backup', 'yesterday.backup.next', `other.${FOLDER_ID}1.next`]
    for (const name of names.slice(1)) writeFileSync(join(file, '..', name), '')
    for (const left of ['yesterday.backup', 'tern.backup', 'before.tern']) {
      writeFileSync(join(file, '..', `${left}.${FOLDER_ID}.next`), '')
      writeFileSync(join(file, '..', `${left}.${FOLDER_ID}.next-journal`), '')
    }
    await backUp()
    expect(beside().sort()).toEqual(names.sort())
  })

  test('is refused beside another one of the same folder, and removes nothing of it', async () => {
    const lock = lockForBackup(dataDir)!
    writeFileSync(`${file}.${FOLDER_ID}.next`, '')
    await expect(backUp()).rejects.toThrow(
      `A backup of ${dataDir} is being made by process ${process.pid} on `,
    )
    expect(beside()).toEqual([`tern.backup.${FOLDER_ID}.next`])
    lock.release()
    await backUp()
    expect(beside()).toEqual(['tern.backup'])
  })

  test('removes what a killed one without a lock has left, and nothing that another is writing', async () => {
    const ended = Bun.spawnSync(['true']).pid
    for (const pid of [ended, process.pid, process.ppid]) writeFileSync(`${file}.${pid}.next`, '')
    writeFileSync(`${file}.${ended}.next-journal`, '')
    await backUp()
    expect(beside().sort()).toEqual(['tern.backup', `tern.backup.${process.ppid}.next`])
  })
})

const deps = {
  clock: manualClock(NOON_US),
  ternVersion: '1.2.3',
  clicksJournaled: async () => 5,
  folderId: async () => FOLDER_ID,
}

async function openFolder(): Promise<void> {
  dataDir = folders.make()
  file = join(folders.make(), 'tern.backup')
  store = await openSqliteStore(dataDir, 'same-thread')
  await store.db.insertInto('codes').values({ code: 'here', workspace_id: null }).execute()
}

async function closeFolder(): Promise<void> {
  await store.close()
  folders.remove()
}

/** With a row that refers to nothing; what SQLite itself reads without complaint. */
async function damagedDatabase(): Promise<Buffer> {
  await store.close()
  const database = new Database(storePath(dataDir))
  database.run(`INSERT INTO codes (code, workspace_id) VALUES ('orphan', 404)`)
  database.close()
  const bytes = readFileSync(storePath(dataDir))
  store = { close: async () => {} } as Store
  return bytes
}

const backUp = (replaces = false) => makeBackup(deps, { dataDir, file, replaces })

const beside = () => readdirSync(join(file, '..'))
