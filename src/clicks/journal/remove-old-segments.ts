import { join } from 'node:path'
import { type Clock, DAY_US } from '../../runtime/clock.ts'
import type { DurableDb, Tx } from '../../store/handles.ts'
import type { Store } from '../../store/open-store.ts'
import { transact } from '../../store/transact.ts'
import type { Files } from './files.ts'
import { foldersOf } from './folder-id.ts'
import { SEGMENT_SUFFIX } from './segment.ts'

const TRASH_KEEP_US = DAY_US

type RemoveDeps = { store: Pick<Store, 'db'>; files: Files; clock: Clock }

/** Moves segments that are counted, durable and past retention to the trash, and deletes them a day later. */
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
 * The names that may be removed. When this resolves, their counters are on the disk: the commit of this transaction waits for
 * the disk, and every commit before it is saved with it.
 */
function oldSegments(
  db: DurableDb,
  { names, folders, before }: { names: ReadonlySet<string>; folders: readonly string[]; before: number },
): Promise<string[]> {
  // In the transaction, so it does not see another one whose commit may still fail.
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
    const finished = rows
      .map(({ segment }) => segment)
      .filter((segment) => names.has(segment + SEGMENT_SUFFIX))
    // The last one stays: the next run may need it to know how many clicks the folder has journaled.
    const old = finished.slice(0, -1)
    if (old.length > 0) await changeSomething(tx, old[0]!)
    return old
  })
}

/** SQLite only waits for the disk if a page has changed, so this moves the time of one removed segment by a microsecond. */
async function changeSomething(tx: Tx, segment: string): Promise<void> {
  await tx
    .updateTable('journal_segments')
    .set((eb) => ({ finished_at: eb('finished_at', '-', 1) }))
    .where('segment', '=', segment)
    .execute()
}
