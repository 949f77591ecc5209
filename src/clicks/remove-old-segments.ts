import { join } from 'node:path'
import { type Clock, DAY_US } from '../clock.ts'
import type { Store } from '../store/open-store.ts'
import type { Files } from './files.ts'
import { SEGMENT_SUFFIX } from './segment.ts'

const TRASH_KEEP_US = DAY_US

type RemoveDeps = { store: Pick<Store, 'db'>; files: Files; clock: Clock }

/** Puts segments that have been counted, made durable and kept long enough into the trash, and empties it a day later. */
export async function removeOldSegments(
  deps: RemoveDeps,
  folder: string,
  retentionUs: number,
): Promise<void> {
  const { files, clock } = deps
  const trash = join(folder, 'trash')
  await files.makeFolder(trash)
  const old = await oldSegments(deps, folder, clock.nowUs() - retentionUs)
  if (old.length > 0) await makeDurable(deps.store, old[0]!)
  for (const segment of old) {
    const name = segment + SEGMENT_SUFFIX
    await files.rename(join(folder, name), join(trash, `${clock.nowUs()}-${name}`))
  }
  if (old.length > 0) await files.syncFolder(folder)
  for (const name of await files.list(trash)) {
    if (Number(name.split('-')[0]) <= clock.nowUs() - TRASH_KEEP_US) await files.unlink(join(trash, name))
  }
}

async function oldSegments({ store, files }: RemoveDeps, folder: string, before: number): Promise<string[]> {
  const rows = await store.db
    .selectFrom('journal_segments')
    .select('segment')
    .where('finished_at', '<=', before)
    .orderBy('base_count')
    .orderBy('segment')
    .execute()
  const names = new Set(await files.list(folder))
  const old = rows.map(({ segment }) => segment).filter((segment) => names.has(segment + SEGMENT_SUFFIX))
  // The last one stays: the next run may have to read from it how many clicks the folder has journaled.
  return old.slice(0, -1)
}

/**
 * A commit that waits for the disk takes all commits before it along: the counters that these segments went into. It has
 * to change something, or SQLite writes nothing and waits for nothing; a microsecond of a segment that goes now is enough.
 */
async function makeDurable({ db }: Pick<Store, 'db'>, segment: string): Promise<void> {
  await db
    .updateTable('journal_segments')
    .set((eb) => ({ finished_at: eb('finished_at', '-', 1) }))
    .where('segment', '=', segment)
    .execute()
}
