import * as fs from 'node:fs'
import { resolve } from 'node:path'
import { type BackupManifest } from '../../backups/backup-manifest.ts'
import { makeBackup } from '../../backups/make-backup.ts'
import { refuseUnreadableBackup, type RestoredBackup, restoreBackup } from '../../backups/restore-backup.ts'
import { realFiles } from '../../clicks/journal/files.ts'
import { readFolderId } from '../../clicks/journal/folder-id.ts'
import { journalFolder } from '../../clicks/journal/open-journal.ts'
import { type Reconciliation, reconcileJournal } from '../../clicks/repair/reconcile-journal.ts'
import { surveyJournal } from '../../clicks/repair/survey-journal.ts'
import { restoreSegments } from '../../clicks/repair/restore-segments.ts'
import { openCodeLog } from '../../codes/log/open-code-log.ts'
import { jsonLog } from '../../runtime/log.ts'
import { Refusal } from '../../errors/refusal.ts'
import { lockFolder } from '../../store/files/folder-lock.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { openStoreReader } from '../../store/open-store-reader.ts'
import { refuseMissingStore } from '../../store/missing-store.ts'
import { refuseUnfinishedRestore } from '../../store/files/unfinished-restore.ts'
import { VERSION } from '../../runtime/version.ts'
import type { Command } from '../command.ts'

export const backupCommand: Command = {
  name: 'backup',
  words: ['<file>'],
  summary: 'Write a backup of the database and its click files to one file; works while the server runs.',
  options: {
    force: { type: 'boolean', meaning: 'Overwrite the file if it exists.' },
    json: { type: 'boolean', meaning: 'Print JSON.' },
  },
  async run(call, { readConfig, clock, print, complain }) {
    const { dataDir, databaseUrl } = readConfig()
    refusePostgres(databaseUrl)
    refuseUnfinishedRestore(dataDir)
    await refuseMissingStore({ dataDir })
    const file = resolve(call.words[0]!)
    const backup = await makeBackup(
      {
        clock,
        ternVersion: VERSION,
        clicksJournaled: () => clicksJournaled(dataDir),
        folderId: () => readFolderId(realFiles, journalFolder(dataDir)),
      },
      { dataDir, file, replaces: call.isSet('force') },
    )
    const { links, clicksCounted, clicksJournaled: journaled, missingClickFiles, bytes } = backup
    print(
      call.isSet('json')
        ? JSON.stringify({ file, ...backup })
        : `Backup written to ${file}: ${links} links, ${clicksCounted} of ${journaled} journaled clicks, ${bytes} bytes.`,
    )
    // The rest is worth keeping, and a script that keeps it goes by the exit code.
    if (missingClickFiles.length > 0)
      complain(`The backup lacks clicks: ${namesOf(missingClickFiles)} could not be read. Run tern doctor.`)
  },
}

const FILES_NAMED_MAX = 5

function namesOf(files: readonly string[]): string {
  const more = files.length - FILES_NAMED_MAX
  return files.slice(0, FILES_NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more files` : '')
}

function refusePostgres(databaseUrl: string | undefined): void {
  if (databaseUrl === undefined) return
  throw new Refusal(
    'command_failed',
    'The data is in PostgreSQL, which has its own backup tools: see "Backups of PostgreSQL" in docs/operations.md.',
  )
}

/** Read only: a backup must not change a damaged or older database. */
async function clicksJournaled(dataDir: string): Promise<number> {
  const reader = openStoreReader(dataDir)
  try {
    const deps = { db: reader.db, files: realFiles }
    const { segments, countedElsewhere } = await surveyJournal(deps, journalFolder(dataDir))
    return reconcileJournal(segments).journaled + countedElsewhere
  } finally {
    await reader.close()
  }
}

export const restoreCommand: Command = {
  name: 'restore',
  words: ['<file>'],
  summary:
    'Replace the database and its click files with those of a backup and keep the old ones. Stop the server first.',
  options: { json: { type: 'boolean', meaning: 'Print JSON.' } },
  async run(call, { readConfig, clock, print }) {
    const { dataDir, databaseUrl } = readConfig()
    refusePostgres(databaseUrl)
    const file = resolve(call.words[0]!)
    // The lock creates the folder.
    refuseUnreadableBackup(file)
    const lock = lockFolder(dataDir)
    try {
      const restore = restoreBackup({ clock, disk: fs }, { dataDir, file })
      const after = await bringInStep(dataDir, restore.manifest)
      if (call.isSet('json')) print(JSON.stringify({ ...restore, ...after }))
      else for (const line of reportLines(restore, after)) print(line)
    } finally {
      lock.release()
    }
  },
}

type AfterRestore = {
  codesBlocked: number
  segmentsTakenBack: number
  journal: Reconciliation
  /** At least as many, if the journal is missing or older than the backup. */
  clicksMissing: number
}

/** The next start would do this too. Done here so that the operator sees the result at once. */
async function bringInStep(dataDir: string, manifest: BackupManifest): Promise<AfterRestore> {
  const store = await openSqliteStore(dataDir, 'same-thread')
  try {
    const deps = { db: store.db, files: realFiles }
    const segmentsTakenBack = await restoreSegments(deps, journalFolder(dataDir))
    const { segments, highestIds, countedElsewhere } = await surveyJournal(deps, journalFolder(dataDir))
    const codes = { db: store.db, log: jsonLog('silent', 'restore'), uncountedIds: async () => highestIds }
    const { blocked } = await openCodeLog(codes, dataDir)
    const journal = reconcileJournal(segments)
    // Only the backup knows about a journal that is missing here. What it has counted is not lost.
    const unknown = Math.max(0, manifest.clicksJournaled - journal.journaled - countedElsewhere)
    const clicksMissing = journal.missing + unknown
    return { codesBlocked: blocked, segmentsTakenBack, journal, clicksMissing }
  } finally {
    await store.close()
  }
}

function reportLines(
  { manifest, replacedIn }: RestoredBackup,
  { codesBlocked, segmentsTakenBack, journal, clicksMissing }: AfterRestore,
): string[] {
  return [
    `Restored the backup of ${manifest.madeAt}: ${manifest.links} links, ${manifest.clicksCounted} clicks.`,
    ...(replacedIn === undefined ? [] : [`The database it replaced is kept in ${replacedIn}.`]),
    'All users are signed out. Emailed links, invitations and recovery codes no longer work.',
    ...(manifest.missingClickFiles.length > 0
      ? [`The backup lacks the clicks of ${namesOf(manifest.missingClickFiles)}.`]
      : []),
    `Codes claimed since the backup, which stay blocked: ${codesBlocked}.`,
    ...(segmentsTakenBack > 0 ? [`Journal segments restored from the trash: ${segmentsTakenBack}.`] : []),
    `Clicks in the journal that will be counted at the next start: ${journal.waiting}.`,
    clicksMissing === journal.missing
      ? `Missing clicks: ${clicksMissing}.`
      : `Missing clicks: at least ${clicksMissing}; the journal that held them is not in this folder.`,
  ]
}
