import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Clock, isoMicroseconds } from '../runtime/clock.ts'
import { Refusal } from '../errors/refusal.ts'
import { copyDatabase, databaseErrors, withCopy } from '../store/sqlite/database-copy.ts'
import { lockForBackup } from '../store/files/folder-lock.ts'
import { clicksFolder, storePath } from '../store/sqlite/open-sqlite-store.ts'
import { isNoRoom } from '../store/files/disk-room.ts'
import { syncFolderOf } from '../store/files/durable-files.ts'
import { packClickFiles } from './backup-click-files.ts'
import { BACKUP_FORMAT, type BackupManifest, writeManifest } from './backup-manifest.ts'
import { sealFile } from './backup-seal.ts'

type MakeBackupDeps = {
  clock: Clock
  ternVersion: string
  /** Clicks that have been journaled so far. */
  clicksJournaled(): Promise<number>
  /** The folder's own id; undefined before its first start. */
  folderId(): Promise<string | undefined>
}

export type NewBackup = {
  dataDir: string
  /** Where it goes. */
  file: string
  /** Whether it may take the place of a file. */
  replaces: boolean
}

/**
 * Makes a backup of the data folder's database and click files in one file, also while a server uses them. The file takes its
 * name when it is whole and on the disk: whatever has the name is a backup.
 */
export async function makeBackup(
  deps: MakeBackupDeps,
  { dataDir, file, replaces }: NewBackup,
): Promise<BackupManifest & { bytes: number }> {
  refuseBadPlace(file, replaces)
  if (!existsSync(storePath(dataDir)))
    throw new Refusal('command_failed', `There is no database in ${dataDir}.`)
  const lock = lockForBackup(dataDir)
  const owner = (lock && (await deps.folderId())) ?? String(process.pid)
  removeLeftovers(file, owner)
  const next = `${file}.${owner}.next`
  try {
    const madeAt = isoMicroseconds(deps.clock.nowUs())
    const clicksJournaled = await deps.clicksJournaled()
    copyDatabase(storePath(dataDir), next)
    const manifest = completeCopy(next, clicksFolder(dataDir), {
      format: BACKUP_FORMAT,
      ternVersion: deps.ternVersion,
      madeAt,
      clicksJournaled,
    })
    sealFile(next)
    renameSync(next, file)
    syncFolderOf(file)
    return { ...manifest, bytes: statSync(file).size }
  } catch (error) {
    for (const leftover of [next, `${next}-journal`]) rmSync(leftover, { force: true })
    if (error instanceof Refusal) throw error
    if (isNoRoom(error)) {
      throw new Refusal(
        'command_failed',
        `The disk of ${file} is full, so no backup was made. Free some space, or choose a file on another disk.`,
      )
    }
    const { message } = error as Error
    throw new Refusal('command_failed', `Could not write the backup to ${file}: ${message}.`)
  } finally {
    lock?.release()
  }
}

function refuseBadPlace(file: string, replaces: boolean): void {
  if (!statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) {
    throw new Refusal('command_failed', `The folder ${dirname(file)} does not exist.`)
  }
  const there = statSync(file, { throwIfNoEntry: false })
  if (there?.isDirectory()) throw new Refusal('command_failed', `${file} is a folder: name a file in it.`)
  if (there !== undefined && !replaces) {
    throw new Refusal(
      'command_failed',
      `${file} is there already: choose another name, or replace it with --force.`,
    )
  }
}

/**
 * What killed backups have left. The name says of which data folder it is, of which no other is being made now, whatever
 * its name is to be; or which process is at work on it, where there was no lock.
 */
function removeLeftovers(file: string, owner: string): void {
  const own = new RegExp(`\\.${RegExp.escape(owner)}\\.next(-journal)?$`)
  const ofProcess = new RegExp(`^${RegExp.escape(basename(file))}\\.(\\d+)\\.next(-journal)?$`)
  for (const name of readdirSync(dirname(file))) {
    const pid = ofProcess.exec(name)?.[1]
    const isLeft = own.test(name) || (pid !== undefined && !isAnother(Number(pid)))
    if (isLeft) rmSync(join(dirname(file), name), { force: true })
  }
}

/** Whether another process of this id is running. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

type KnownBefore = Pick<BackupManifest, 'format' | 'ternVersion' | 'madeAt' | 'clicksJournaled'>

/** Puts the click files and the manifest into a copy that is sound. */
function completeCopy(path: string, folder: string, facts: KnownBefore): BackupManifest {
  return withCopy(path, (copy) => {
    const errors = databaseErrors(copy)
    if (errors.length > 0) {
      throw new Refusal(
        'command_failed',
        `The database is damaged, so no backup was made: ${errors.join('; ')}.`,
      )
    }
    const count = (text: string) => Number(copy.query(text).values()[0]![0])
    const manifest = {
      ...facts,
      links: count('SELECT count(*) FROM links'),
      clicksCounted: count('SELECT coalesce(sum(clicks), 0) FROM journal_segments'),
      missingClickFiles: packClickFiles(copy, folder),
    }
    writeManifest(copy, manifest)
    return manifest
  })
}
