import type { Caller } from '../access/caller.ts'
import { Refusal } from '../errors/refusal.ts'
import type { LinkKey } from '../links/link-key.ts'
import { describeError, type Log } from '../runtime/log.ts'
import type { DestinationPages } from './destination-pages.ts'
import { isStoreUnavailable } from '../store/store-errors.ts'
import { WorkspacePlaces } from '../limits/workspace-places.ts'

/** For each workspace, four requests with a hundred links each may wait. */
const PLACES = { running: 4, runningOfOne: 2, waiting: 2_000, waitingOfOne: 400 }

export type UntitledLink = { key: LinkKey; originalUrl: string }

export type TitleQueueDeps = {
  /** Undefined: titles stay empty. */
  pages: Pick<DestinationPages, 'look'> | undefined
  /** Stores the title of a link, if that is still empty. */
  fillTitle(caller: Caller, link: UntitledLink & { title: string }): Promise<void>
  log: Log
}

/**
 * Gives links the titles of their pages, after the response to their creation. In memory: what is waiting when the program ends
 * is not done, and those titles stay empty.
 */
export class TitleQueue {
  readonly #deps: TitleQueueDeps
  readonly #places = new WorkspacePlaces(PLACES, 'Too many titles are being fetched.')
  readonly #jobs = new Set<Promise<void>>()

  constructor(deps: TitleQueueDeps) {
    this.#deps = deps
  }

  add(caller: Caller, links: readonly UntitledLink[]): void {
    const { pages } = this.#deps
    if (pages === undefined) return
    for (const link of links) {
      const job = this.#places.run(caller.workspaceId, () => this.#fill(pages, caller, link))
      const noted = job.catch((error) => this.#note(error)).finally(() => this.#jobs.delete(noted))
      this.#jobs.add(noted)
    }
  }

  /** Resolves when nothing is waiting or under way; soon after `DestinationPages.close`. */
  async settle(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.all(this.#jobs)
  }

  async #fill(pages: Pick<DestinationPages, 'look'>, caller: Caller, link: UntitledLink): Promise<void> {
    const { title } = await pages.look(caller.workspaceId, link.originalUrl)
    if (title !== undefined) await this.#deps.fillTitle(caller, { ...link, title })
  }

  /** Over a limit, the link is gone, or the store is not available: nothing to do about. */
  #note(error: unknown): void {
    if (!(error instanceof Refusal) && !isStoreUnavailable(error))
      this.#deps.log.error('Could not fill a title.', describeError(error))
  }
}
