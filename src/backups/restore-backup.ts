import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { type Clock, isoMicroseconds } from '../runtime/clock.ts'
import { fileErrorReason } from '../runtime/file-error.ts'
import { Refusal } from '../errors/refusal.ts'
import { appliedMigrations, copyDatabase, databaseErrors, withCopy } from '../store/sqlite/database-copy.ts'
import { pendingMigrations } from '../store/migrations/migrations.ts'
import { clicksFolder, storePath } from '../store/sqlite/open-sqlite-store.ts'
import { unfinishedRestore, unfinishedRestorePath } from '../store/files/unfinished-restore.ts'
import { freeBytes } from '../store/files/disk-room.ts'
import { syncFolderOf, syncPath } from '../store/files/durable-files.ts'
import { unpackClickFiles } from './backup-click-files.ts'
import { type BackupManifest, readManifest } from './backup-manifest.ts'
import { copyUnsealed } from './backup-seal.ts'
import { endSignIns } from './end-sign-ins.ts'

/** The calls that change the folder; a test kills the program at each of them. */
export type Disk = Pick<typeof fs, 'mkdirSync' | 'renameSync' | 'rmSync' | 'writeFileSync'>

const ROOM_BYTES = 2 ** 20

type RestoreBackupDeps = { clock: Clock; disk: Disk }

export type RestoredBackup = {
  manifest: BackupManifest
  /** Where the database and the click files that were there are kept; undefined when there was no database. */
  replacedIn: string | undefined
}

/** Becomes a data folder's database and click files. */
const unfinishedFolder = (dataDir: string) => join(dataDir, 'restore.next')

/**
 * Puts the database and the click files of a backup in place of the data folder's, which are kept. Only for the process that has the
 * folder's lock. A backup that is damaged, or of a newer version, changes nothing. Nobody is signed in afterwards. Killed at any moment and
 * run again, it does the same; what is in between is refused when the store is opened.
 *
 *   unpacked and checked ──▶ marked as unfinished ──▶ the old files put aside ──▶ the new ones in place ──▶ mark removed
 */
export function restoreBackup(
  { clock, disk }: RestoreBackupDeps,
  { dataDir, file }: { dataDir: string; file: string },
): RestoredBackup {
  const next = unfinishedFolder(dataDir)
  try {
    refuseUnreadableBackup(file)
    disk.rmSync(next, { recursive: true, force: true })
    disk.mkdirSync(clicksFolder(next), { recursive: true })
    const manifest = unpack(file, next)
    refuseLittleRoom(dataDir)
    return { manifest, replacedIn: putInPlace(disk, { dataDir, now: isoMicroseconds(clock.nowUs()) }) }
  } catch (error) {
    disk.rmSync(next, { recursive: true, force: true })
    throw error
  }
}

/** Before anything is changed. */
export function refuseUnreadableBackup(file: string): void {
  if (!fs.existsSync(file)) throw new Refusal('command_failed', `The file ${file} does not exist.`)
  try {
    fs.closeSync(fs.openSync(file, 'r'))
  } catch (error) {
    throw new Refusal('command_failed', `${file} cannot be read: ${fileErrorReason(error)}.`)
  }
  if (!fs.statSync(file).isFile()) throw new Refusal('command_failed', `${file} is a folder, and no backup.`)
}

function unpack(file: string, next: string): BackupManifest {
  const copy = join(next, 'backup')
  copyUnsealed(file, copy)
  const manifest = unpackCopy(copy, file, clicksFolder(next))
  // Without the room that click files and sign-ins took.
  copyDatabase(copy, storePath(next))
  syncPath(storePath(next))
  fs.rmSync(copy)
  return manifest
}

/** What follows needs room as well: tables may be migrated, and codes are blocked and written to the code log. */
function refuseLittleRoom(dataDir: string): void {
  if (freeBytes(dataDir) >= ROOM_BYTES) return
  throw new Refusal(
    'command_failed',
    `The disk that holds ${dataDir} has too little room for the backup. Free some space and run tern restore again. Nothing was changed.`,
  )
}

function unpackCopy(path: string, file: string, folder: string): BackupManifest {
  return withCopy(path, (copy) => {
    const manifest = readManifest(copy, file)
    // For what it refuses. The next start runs what is pending.
    pendingMigrations(appliedMigrations(copy))
    const errors = databaseErrors(copy)
    if (errors.length > 0) {
      throw new Refusal(
        'command_failed',
        `The database in ${file} is damaged: ${errors.join('; ')}. Nothing was changed.`,
      )
    }
    endSignIns(copy)
    unpackClickFiles(copy, folder)
    return manifest
  })
}

function putInPlace(disk: Disk, { dataDir, now }: { dataDir: string; now: string }): string | undefined {
  const next = unfinishedFolder(dataDir)
  // Continues an interrupted restore: the files already set aside are the database that it began with.
  const aside = unfinishedRestore(dataDir) ?? join('replaced', now.replaceAll(':', '-'))
  const replacedIn = join(dataDir, aside)
  disk.mkdirSync(replacedIn, { recursive: true })
  const mark = unfinishedRestorePath(dataDir)
  disk.writeFileSync(`${mark}.next`, `${aside}\n`, { flush: true })
  disk.renameSync(`${mark}.next`, mark)
  syncFolderOf(mark)
  putAside(disk, dataDir, replacedIn)
  disk.renameSync(storePath(next), storePath(dataDir))
  disk.renameSync(clicksFolder(next), clicksFolder(dataDir))
  syncFolderOf(mark)
  disk.rmSync(next, { recursive: true })
  disk.rmSync(mark)
  syncFolderOf(mark)
  return fs.existsSync(join(replacedIn, basename(storePath(dataDir)))) ? replacedIn : undefined
}

/** The database goes last: once it is set aside, the files in place belong to the interrupted restore. */
function putAside(disk: Disk, dataDir: string, replacedIn: string): void {
  const path = storePath(dataDir)
  const isAside = fs.existsSync(join(replacedIn, basename(path)))
  for (const each of [clicksFolder(dataDir), `${path}-shm`, `${path}-wal`, `${path}-journal`, path]) {
    if (isAside) disk.rmSync(each, { recursive: true, force: true })
    else if (fs.existsSync(each)) disk.renameSync(each, join(replacedIn, basename(each)))
  }
  syncFolderOf(join(replacedIn, 'any'))
  syncFolderOf(path)
}
