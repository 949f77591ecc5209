import { type Clock, DAY_US } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Store } from '../../store/open-store.ts'
import { transact } from '../../store/transact.ts'
import type { ClickKeeper } from '../click-keeper.ts'
import { type ClosingSizes, lastToClose } from '../facts/last-to-close.ts'
import type { Files } from '../journal/files.ts'
import {
  deleteRemovedFiles,
  enterClosed,
  enterRewritten,
  listClickFiles,
  nothingForgotten,
  OpenClicksChanged,
  readForgottenLinks,
} from './click-files.ts'
import type { CallEngine } from './engine-calls.ts'
import type { EngineProcess } from './engine-process.ts'
import { planRewrites, type PlanSizes } from './plan-rewrites.ts'
import type { Rewriting } from './rewrite-files.ts'

export type ClickFileEngine = Pick<EngineProcess, 'call' | 'isSupported' | 'close'>

type KeeperDeps = {
  store: Pick<Store, 'db' | 'relaxedDb'>
  files: Pick<Files, 'unlink'>
  /** Of the files. */
  folder: string
  /** One starts with its first call. */
  openEngine(): ClickFileEngine
  clock: Clock
  log: Log
  /** How long replaced files stay, for an older database that is restored. */
  retentionUs: number
  /** How long the exact times of clicks are kept. */
  rawClickDays: number
  /** Of small histories. */
  sizes?: ClosingSizes & PlanSizes
}

/** Moves clicks from the table into files, and keeps these few. One call at a time. */
export class ClickFilesKeeper implements ClickKeeper {
  readonly #deps: KeeperDeps
  #engine: ClickFileEngine | undefined
  #isSupported = true
  #isClosed = false

  constructor(deps: KeeperDeps) {
    this.#deps = deps
  }

  /** Removes deleted clicks from files, closes clicks when they are many, writes the files of days and months that are over into one, removes those replaced long ago. */
  async run(): Promise<void> {
    const { store, files, folder, clock, retentionUs } = this.#deps
    await this.#withEngine(async () => {
      await this.#removeForgotten()
      while (await this.#closeSome());
      for (const rewriting of await this.#rewritings()) await this.#rewrite(rewriting)
    })
    const beforeUs = clock.nowUs() - retentionUs
    await deleteRemovedFiles(store.db, { files, folder, beforeUs })
  }

  /** Writes the files with clicks of these workspaces once more without them. */
  async forgetWorkspaces(workspaceIds: readonly number[]): Promise<void> {
    const names = (await listClickFiles(this.#deps.store.db)).map(({ name }) => name)
    if (names.length === 0) return
    await this.#withEngine(async () => {
      for (const name of await this.#call('filesWith', { names, workspaceIds, linkIds: [] }))
        await this.#rewrite({ names: [name], withoutWorkspaces: workspaceIds })
    })
  }

  /** Writes the files with clicks that were deleted once more without them. */
  async #removeForgotten(): Promise<void> {
    const { relaxedDb } = this.#deps.store
    for (const [name, linkIds] of Object.entries(await readForgottenLinks(relaxedDb))) {
      const [holder] = await this.#call('filesWith', { names: [name], linkIds, workspaceIds: [] })
      if (holder !== undefined) await this.#rewrite({ names: [name] })
      else await transact(relaxedDb, (tx) => nothingForgotten(tx, name, linkIds))
    }
  }

  /** What is under way is given up; the next start removes what it has left. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#engine?.close()
  }

  /** The engine runs only as long as there is something for it to do. */
  async #withEngine(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!this.#isClosed) throw error
    } finally {
      await this.#engine?.close()
      this.#engine = undefined
    }
  }

  readonly #call: CallEngine = (name, input) => this.#startedEngine().call(name, input)

  #startedEngine(): ClickFileEngine {
    return (this.#engine ??= this.#deps.openEngine())
  }

  /** False when few enough are open, or nothing can be written. */
  async #closeSome(): Promise<boolean> {
    if (this.#isClosed || !this.#isSupported) return false
    const { store, sizes } = this.#deps
    const upToId = await lastToClose(store.db, sizes)
    if (upToId === undefined || !(await this.#isEngineSupported())) return false
    const files = await this.#call('closeClicks', { upToId })
    try {
      await transact(store.relaxedDb, (tx) => enterClosed(tx, { upToId, files }))
    } catch (error) {
      // The next run does it again; the next start removes the files.
      if (error instanceof OpenClicksChanged) return false
      throw error
    }
    return true
  }

  async #isEngineSupported(): Promise<boolean> {
    this.#isSupported = await this.#startedEngine().isSupported()
    if (!this.#isSupported)
      this.#deps.log.info('DuckDB does not run on this platform, so all clicks stay in the database.')
    return this.#isSupported
  }

  async #rewritings(): Promise<Rewriting[]> {
    const { store, clock, rawClickDays, sizes } = this.#deps
    const nowUs = clock.nowUs()
    const coarseBeforeUs = nowUs - rawClickDays * DAY_US
    return planRewrites(await listClickFiles(store.db), { ...sizes, nowUs, coarseBeforeUs })
  }

  async #rewrite(rewriting: Rewriting): Promise<void> {
    const { store, clock } = this.#deps
    const forgotten = await readForgottenLinks(store.relaxedDb)
    const file = await this.#call('rewriteFiles', { ...rewriting, forgotten })
    const { names } = rewriting
    await transact(store.relaxedDb, (tx) =>
      enterRewritten(tx, { names, file, nowUs: clock.nowUs(), forgotten }),
    )
  }
}
