import { transact } from '../store/transact.ts'
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { addClickFile } from '../../test/rigs/clicks/click-file.ts'
import { GOOD } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { startScript } from '../../test/rigs/program/run-script.ts'
import { contentsOf, fillEveryTable } from '../../test/rigs/store/store-contents.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { createAccount } from '../users/sign-up/create-account.ts'
import { userById } from '../users/find-user.ts'
import { listWorkspaceInvitations } from '../users/members/workspace-invitations.ts'
import { listInvitations } from '../users/sign-up/invitations.ts'
import { makeRecoveryCodes, consumeRecoveryCode } from '../users/second-factor/recovery-codes.ts'
import { findSession, startSession } from '../users/sign-in/session.ts'
import { issueToken, ownerOfToken } from '../users/tokens/single-use-token.ts'
import { manualClock } from '../runtime/clock.ts'
import { clicksFolder, openSqliteStore, storePath } from '../store/sqlite/open-sqlite-store.ts'
import { refuseUnfinishedRestore } from '../store/files/unfinished-restore.ts'
import { SIGN_IN_TABLES } from './end-sign-ins.ts'
import { sealFile } from './backup-seal.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore-backup.ts'

const folders = temporaryFolders()
const clock = manualClock(NOON_US)
let dataDir: string
let file: string
/** The click file that is in the backup, and its content. */
let early: Record<string, string>

beforeEach(makeBackupOfFolder)

afterEach(folders.remove)

describe('a restore', () => {
  test('puts the database of the backup in place and keeps the other, side files and all', async () => {
    const { manifest, replacedIn } = restore()
    expect(manifest).toMatchObject({ madeAt: '2026-04-20T12:00:00.000000Z', ternVersion: '1.2.3' })
    expect(replacedIn).toBe(join(dataDir, 'replaced', '2026-04-20T12-00-00.000000Z'))
    expect(await codesIn(dataDir)).toEqual(['early'])
    expect(await codesIn(replacedIn!)).toEqual(['early', 'late'])
  })

  test('of a backup from before click files leaves none', async () => {
    tamper(`DROP TABLE backup_click_files; DROP TABLE click_files; DELETE FROM kysely_migration WHERE name >= '0002-facts';
      UPDATE backup_manifest SET value = 1 WHERE name = 'format'; DELETE FROM backup_manifest WHERE name = 'missingClickFiles'`)
    expect(restore().manifest).toMatchObject({ format: 1, missingClickFiles: [] })
    expect(clickFilesIn(dataDir)).toEqual({})
  })

  test('gives the database back as it was when the backup was made, row for row', async () => {
    const contents = (path: string) => {
      const database = new Database(path, { readonly: true })
      const tables = database
        .query(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
        .values()
      const rows = tables.flat().map((name) => [name, database.query(`SELECT * FROM "${name}"`).values()])
      database.close()
      return rows
    }
    const before = contents(storePath(dataDir))
    fs.rmSync(file)
    await makeBackup({ ...backupDeps, ternVersion: '' }, { dataDir, file, replaces: false })
    await claim('later')
    restore()
    expect(contents(storePath(dataDir))).toEqual(before)
  })

  test('gives every table back, but for sign-ins', async () => {
    const folder = folders.make()
    const path = join(folders.make(), 'every-table.backup')
    const contents = async () => {
      const { db, close } = await openSqliteStore(folder, 'same-thread')
      const found = await contentsOf(db)
      await close()
      return found
    }
    const store = await openSqliteStore(folder, 'same-thread')
    await fillEveryTable(store.db)
    await store.close()
    const before = await contents()
    await makeBackup({ ...backupDeps, ternVersion: '' }, { dataDir: folder, file: path, replaces: false })
    await claim('later', folder)
    restoreBackup({ clock, disk: fs }, { dataDir: folder, file: path })
    expect(await contents()).toEqual(
      before.map(([table, rows]) => [table, SIGN_IN_TABLES.includes(table) ? [] : rows]),
    )
    expect(before.filter(([, rows]) => rows.length === 0)).toEqual([])
  })

  test('ends every session, mailed link, invitation and recovery code: nobody can tell which were used since', async () => {
    const store = await openSqliteStore(dataDir, 'same-thread')
    const deps = { ...store, clock }
    const { userId, workspaceId } = await createAccount(deps, GOOD)
    const cookie = await startSession(deps, { userId, device: '' })
    const token = await issueToken(deps, { purpose: 'reset-password', userId })
    const [code] = await transact(store.db, (tx) => makeRecoveryCodes(tx, userId))
    const invitation = { email: 'bob@example.com', token_hash: 'x', created_at: 1, expires_at: NOON_US * 2 }
    await store.db.insertInto('invitations').values(invitation).execute()
    const asMember = { ...invitation, workspace_id: workspaceId, role: 'admin', invited_by: userId }
    await store.db.insertInto('workspace_invitations').values(asMember).execute()
    await store.close()
    fs.rmSync(file)
    await makeBackup({ ...backupDeps, ternVersion: '' }, { dataDir, file, replaces: false })
    const isGood = async () => {
      const { db, relaxedDb, close } = await openSqliteStore(dataDir, 'same-thread')
      const found = [
        (await findSession({ db, relaxedDb, clock }, { token: cookie })) !== undefined,
        (await ownerOfToken({ db, clock }, { purpose: 'reset-password', token })) !== undefined,
        await consumeRecoveryCode(db, userId, code!),
        (await listInvitations({ db, clock })).length > 0,
        (await listWorkspaceInvitations({ db }, { workspaceId })).length > 0,
        (await userById(db, userId)).email === GOOD.email,
      ]
      await close()
      return found
    }
    expect(await isGood()).toEqual([true, true, true, true, true, true])
    restore()
    expect(await isGood()).toEqual([false, false, false, false, false, true])
  })

  test('works in an empty folder, with nothing to keep', async () => {
    dataDir = folders.make()
    expect(restore().replacedIn).toBeUndefined()
    expect(await codesIn(dataDir)).toEqual(['early'])
    expect(clickFilesIn(dataDir)).toEqual(early)
  })

  test('of a file that is missing, damaged or cut changes nothing', async () => {
    const before = snapshot()
    const good = fs.readFileSync(file)
    for (const bad of [Buffer.from(good).fill(1, 5000, 5001), good.subarray(0, -4096), Buffer.alloc(0)]) {
      fs.writeFileSync(file, bad)
      expect(restore).toThrow('is damaged, cut short, or no backup made by tern backup. Nothing was changed.')
    }
    fs.rmSync(file)
    expect(restore).toThrow(`The file ${file} does not exist.`)
    fs.mkdirSync(file)
    expect(restore).toThrow(`${file} is a folder, and no backup.`)
    fs.rmdirSync(file)
    expect(snapshot()).toEqual(before)
  })

  test.each([
    [
      'of a newer format',
      `UPDATE backup_manifest SET value = 3 WHERE name = 'format'`,
      'made by a newer Tern',
    ],
    [
      'of a newer database',
      `INSERT INTO kysely_migration VALUES ('9999-later', '')`,
      'written by a newer Tern',
    ],
    [
      'of an early version',
      `UPDATE kysely_migration SET name = '0001-foundation' WHERE name = '0001-first'`,
      'written by an early Tern',
    ],
    ['that is none', 'DROP TABLE backup_manifest', 'is a database, but no backup'],
    [
      'with rows that refer to nothing',
      `INSERT INTO codes (code, workspace_id) VALUES ('orphan', 404)`,
      'rows of codes refer to rows',
    ],
    [
      'with another click file than its row says',
      `UPDATE backup_click_files SET bytes = zeroblob(length(bytes)) WHERE part = 1`,
      'is not as it was written',
    ],
    [
      'with a file that would go elsewhere',
      `UPDATE backup_click_files SET name = '../../x'; UPDATE click_files SET name = '../../x'`,
      'The click file ../../x of the backup',
    ],
  ])('of a backup %s changes nothing', (_, sql, sentence) => {
    tamper(sql)
    const before = snapshot()
    expect(restore).toThrow(sentence)
    expect(snapshot()).toEqual(before)
  })

  test('killed at any moment leaves all as it was, or refuses until it is run again, and that ends it', async () => {
    let [untouched, refused] = [0, 0]
    for (let nth = 1; ; nth++) {
      dataDir = folders.make()
      const before = await openFolder('late')
      const child = startScript('killed-restore.script.ts', dataDir, file, String(nth))
      const output = await child.stdout.text()
      await child.exited
      if (output.includes('restored')) break
      expect(child.signalCode).toBe('SIGKILL')
      if (isRefused()) refused++
      else {
        untouched++
        expect(clickFilesIn(dataDir)).toEqual(before.clickFiles)
      }
      const { replacedIn } = restore()
      expect(await codesIn(dataDir)).toEqual(['early'])
      expect(clickFilesIn(dataDir)).toEqual(early)
      expect(await codesIn(replacedIn!)).toEqual(['late', 'latest'])
      expect(clickFilesIn(replacedIn!)).toEqual(before.clickFiles)
      expect(isRefused()).toBe(false)
      expect(fs.readdirSync(dataDir)).not.toContain('restore.next')
      await before.close()
    }
    expect(untouched).toBeGreaterThan(1)
    expect(refused).toBeGreaterThan(3)
  })
})

async function makeBackupOfFolder(): Promise<void> {
  dataDir = folders.make()
  file = join(folders.make(), 'tern.backup')
  await claim('early')
  addClickFile(dataDir, { bytes: 2_500_000 })
  early = clickFilesIn(dataDir)
  await makeBackup({ ...backupDeps, ternVersion: '1.2.3' }, { dataDir, file, replaces: false })
  await claim('late')
  replaceClickFiles(dataDir)
}

const backupDeps = { clock, clicksJournaled: async () => 0, folderId: async () => undefined }

/** As after a crash: what was committed last is beside the database. */
async function openFolder(code: string) {
  await claim(code)
  addClickFile(dataDir)
  const open = await openSqliteStore(dataDir, 'same-thread')
  await open.db.insertInto('codes').values({ code: 'latest', workspace_id: null }).execute()
  return { clickFiles: clickFilesIn(dataDir), close: () => open.close().catch(() => {}) }
}

function isRefused(): boolean {
  try {
    refuseUnfinishedRestore(dataDir)
    return false
  } catch {
    return true
  }
}

/** By name, with their contents. */
function clickFilesIn(folder: string): Record<string, string> {
  const path = clicksFolder(folder)
  const names = fs.existsSync(path) ? fs.readdirSync(path).sort() : []
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(join(path, name)).toString('base64')]))
}

/** As after a month was rewritten, and the time has passed that replaced files stay. */
function replaceClickFiles(folder: string): void {
  fs.rmSync(clicksFolder(folder), { recursive: true })
  using database = new Database(storePath(folder))
  database.run('DELETE FROM click_files')
  addClickFile(folder)
}

async function claim(code: string, folder = dataDir): Promise<void> {
  const store = await openSqliteStore(folder, 'same-thread')
  await store.db.insertInto('codes').values({ code, workspace_id: null }).execute()
  await store.close()
}

async function codesIn(folder: string): Promise<string[]> {
  const store = await openSqliteStore(folder, 'same-thread')
  const codes = await store.db.selectFrom('codes').select('code').orderBy('code').execute()
  await store.close()
  return codes.map(({ code }) => code)
}

const restore = () => restoreBackup({ clock, disk: fs }, { dataDir, file })

/** Every file of the folder with its content. */
const snapshot = () =>
  fs
    .readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => [name, fs.readFileSync(join(parentPath, name)).toString('latin1')])
    .sort()

/** Changes the backup as somebody may, and seals it as if nothing had been. */
function tamper(sql: string): void {
  const bytes = fs.readFileSync(file)
  fs.writeFileSync(file, bytes.subarray(0, -72))
  const database = new Database(file)
  database.run(sql)
  database.close()
  sealFile(file)
}
