import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { storePath } from '../store/open-sqlite-store.ts'
import type { StorePlace } from '../store/open-store.ts'
import { openPointRead } from '../store/point-read.ts'
import { openPostgresReader } from '../store/postgres-reader.ts'
import { readBlockList } from './block-host.ts'
import type { BlockList } from './blocks.ts'
import { TARGET_SQL, type TargetRow, type TargetRows } from './link-cache.ts'
import { RemoteTargets } from './remote-targets.ts'
import { ChangeWatch } from './watch-changes.ts'

/** Where redirects read links, and hear of what others have changed. */
export type TargetSource = {
  rows: TargetRows
  /** Links cannot be read just now. */
  isAway(): boolean
  /** To be called before anything is kept of what is read. */
  watch(hearer: OthersHearer): void
  close(): Promise<void>
}

/** What other nodes have changed. */
export type OthersHearer = {
  onLinks(codes: readonly string[]): void
  /** What is blocked; every link is to be looked at anew. */
  onBlocks(list: BlockList): void
}

type SourceDeps = { clock: Pick<Clock, 'monotonicMs'>; log: Log }

export function openTargetSource({ dataDir, databaseUrl }: StorePlace, deps: SourceDeps): TargetSource {
  return databaseUrl === undefined ? ownFile(dataDir) : database(databaseUrl, deps)
}

/** Nobody else changes it: who does, in this process, says so. */
function ownFile(dataDir: string): TargetSource {
  const read = openPointRead<TargetRow>(storePath(dataDir), TARGET_SQL)
  return {
    rows: { get: read.get, forget() {} },
    isAway: () => false,
    watch() {},
    close: async () => read.close(),
  }
}

function database(url: string, { clock, log }: SourceDeps): TargetSource {
  const reader = openPostgresReader(url)
  const rows = new RemoteTargets(reader.db, clock)
  let watch: ChangeWatch | undefined
  return {
    rows,
    isAway: () => rows.isAway || watch?.isAway === true,
    watch({ onLinks, onBlocks }) {
      const lookAnew = async () => onBlocks(await readBlockList(reader.db))
      watch = new ChangeWatch({ reader, clock, log }, { onLinks, onBlocks: lookAnew, onAll: lookAnew })
    },
    async close() {
      await watch?.stop()
      await reader.close()
    },
  }
}
