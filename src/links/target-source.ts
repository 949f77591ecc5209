import type { Clock } from '../clock.ts'
import { describeError, type Log } from '../log.ts'
import { storePath } from '../store/open-sqlite-store.ts'
import type { StorePlace } from '../store/open-store.ts'
import { openPointRead } from '../store/point-read.ts'
import { openPostgresReader } from '../store/postgres-reader.ts'
import { readBlockList } from './block-host.ts'
import type { BlockList } from './blocks.ts'
import { keepSaving, KnownLinks, knownLinksPath, renewKnownLinks } from './known-links.ts'
import { type LinkCache, TARGET_SQL, type TargetRow, type TargetRows } from './link-cache.ts'
import { RemoteTargets } from './remote-targets.ts'
import { ChangeWatch } from './watch-changes.ts'

/** Where redirects read links, and what keeps their cache right. */
export type TargetSource = {
  rows: TargetRows
  /** What was known when the program last ran; of use while the rows cannot be read. */
  known?: KnownLinks
  /** Links cannot be read just now. */
  isAway(): boolean
  /** To be called before anything is kept of what is read: tells what other nodes change. */
  follow(cache: LinkCache, hearer: OthersHearer): void
  close(): Promise<void>
}

export type OthersHearer = {
  /** What is blocked; every link is to be looked at anew. */
  onBlocks(list: BlockList): void
  /** Another server may have taken over, which lacks the last commits of the one before. */
  onAnotherServer(): void
}

type SourceDeps = { clock: Pick<Clock, 'monotonicMs'>; log: Log }

export async function openTargetSource(place: StorePlace, deps: SourceDeps): Promise<TargetSource> {
  return place.databaseUrl === undefined ? ownFile(place) : database(place.databaseUrl, place, deps)
}

/** Nobody else changes it: who does, in this process, says so. */
function ownFile({ dataDir }: StorePlace): TargetSource {
  const read = openPointRead<TargetRow>(storePath(dataDir), TARGET_SQL)
  return {
    rows: { get: read.get, forget() {} },
    isAway: () => false,
    follow() {},
    close: async () => read.close(),
  }
}

async function database(
  url: string,
  { dataDir }: StorePlace,
  { clock, log }: SourceDeps,
): Promise<TargetSource> {
  const reader = openPostgresReader(url)
  const rows = new RemoteTargets(reader.db, clock)
  const path = knownLinksPath(dataDir)
  const known = await KnownLinks.load(path)
  let watch: ChangeWatch | undefined
  let saving: ReturnType<typeof keepSaving> | undefined
  return {
    rows,
    known,
    isAway: () => rows.isAway || watch?.isAway === true,
    follow(cache, hearer) {
      const onBlocks = async () => hearer.onBlocks(await readBlockList(reader.db))
      const onAll = async () => {
        await onBlocks()
        hearer.onAnotherServer()
        // Behind it: visitors need not wait until all are there again.
        renewKnownLinks(cache, known).catch((error) =>
          log.warn('Could not refresh the known links.', describeError(error)),
        )
      }
      watch = new ChangeWatch(
        { reader, clock, log },
        { onLinks: (codes) => cache.forget(codes), onBlocks, onAll },
      )
      // Those of before as well, as long as they have not been looked up again.
      saving = keepSaving(path, [known, cache], clock)
    },
    async close() {
      await watch?.stop()
      await saving?.stop()
      await reader.close()
    },
  }
}
