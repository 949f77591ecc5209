import { join } from 'node:path'
import { type Clock, DAY_US } from '../clock.ts'
import type { Db, Store } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import type { Files } from './files.ts'
import { foldersOf } from './folder-id.ts'
import { SEGMENT_SUFFIX } from './segment.ts'

const TRASH_KEEP_US = DAY_US

type RemoveDeps = { store: Pick<Store, 'db'>; files: Files; clock: Clock }

/** Puts segments that have been counted, made durable and kept long enough into the trash, and empties it a day later. */
export async function removeOldSegments(
  { store, files, clock }: RemoveDeps,
  folder: string,
  retentionUs: number,
): Promise<void> {
  const trash = join(folder, 'trash')
  await files.makeFolder(trash)
  const names = new Set(await files.list(folder))
  const folders = await foldersOf(files, folder)
  const old = await oldSegments(store.db, { names, folders, before: clock.nowUs() - retentionUs })
  for (const segment of old) {
    const name = segment + SEGMENT_SUFFIX
    await files.rename(join(folder, name), join(trash, `${clock.nowUs()}-${name}`))
  }
  if (old.length > 0) await files.syncFolder(folder)
  for (const name of await files.list(trash)) {
    if (Number(name.split('-')[0]) <= clock.nowUs() - TRASH_KEEP_US) await files.unlink(join(trash, name))
  }
}

/**
 * Those of the names that may go. When it resolves, the disk has the counters that they went into: the commit of this
 * transaction waits for the disk, and takes all commits before it along.
 */
function oldSegments(
  db: Db,
  { names, folders, before }: { names: ReadonlySet<string>; folders: readonly string[]; before: number },
): Promise<string[]> {
  // In the transaction, so that it sees nothing of another one whose commit may still fail.
  return transact(db, async (tx) => {
    const rows = await tx
      .selectFrom('journal_segments')
      .select('segment')
      .where('folder', 'in', folders)
      .where('finished_at', '<=', before)
      .orderBy('base_count')
      .orderBy('clicks')
      .orderBy('segment')
      .execute()
    const counted = rows
      .map(({ segment }) => segment)
      .filter((segment) => names.has(segment + SEGMENT_SUFFIX))
    // The last one stays: the next run may have to read from it how many clicks the folder has journaled.
    const old = counted.slice(0, -1)
    if (old.length > 0) await changeSomething(tx, old[0]!)
    return old
  })
}

/** Where no page has changed SQLite writes nothing and waits for nothing; a microsecond of a segment that goes is enough. */
async function changeSomething(tx: Db, segment: string): Promise<void> {
  await tx
    .updateTable('journal_segments')
    .set((eb) => ({ finished_at: eb('finished_at', '-', 1) }))
    .where('segment', '=', segment)
    .execute()
}
