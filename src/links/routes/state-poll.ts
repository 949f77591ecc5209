import { sql } from 'kysely'
import { describeError, type Log } from '../../runtime/log.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import type { CurrentDb } from '../../store/handles.ts'

const POLL_EVERY_MS = 1_000

type PollDeps = { db: CurrentDb; log: Pick<Log, 'warn'> }

/**
 * Reports that the redirect state in SQLite has changed, which a command does in a process of its own while the server runs.
 * Triggers count the changes, in the transactions that make them. On PostgreSQL, `ChangeWatch` reports them.
 */
export class StatePoll {
  readonly #deps: PollDeps
  readonly #onState: () => Promise<void>
  readonly #timer: Timer
  /** How many changes there were when the state was read; undefined: it may have changed since it was read first. */
  #changes: number | undefined
  #polling: Promise<void> | undefined
  #isFailing = false

  constructor(deps: PollDeps, onState: () => Promise<void>) {
    this.#deps = deps
    this.#onState = onState
    this.#timer = setInterval(() => this.#pollSoon(), POLL_EVERY_MS)
    this.#pollSoon()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#polling
  }

  #pollSoon(): void {
    this.#polling ??= this.#pollOnce().finally(() => (this.#polling = undefined))
  }

  async #pollOnce(): Promise<void> {
    try {
      const changes = await countChanges(this.#deps.db)
      if (changes !== this.#changes) await this.#onState()
      // Counted before the state was read: what changes in between is reported at the next poll.
      this.#changes = changes
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing && !isStoreUnavailable(error))
        this.#deps.log.warn('Could not read what commands have changed; trying again.', describeError(error))
      this.#isFailing = true
    }
  }
}

async function countChanges(db: CurrentDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count FROM redirect_state_changes`.execute(db)
  return rows[0]!.count
}
