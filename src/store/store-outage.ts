import type { Clock } from '../runtime/clock.ts'
import type { Log, LogFields } from '../runtime/log.ts'
import { postgresComplaint } from './postgres/postgres-complaint.ts'
import { isStoreUnavailable, isTimeLimit, refusesChanges } from './store-errors.ts'

/** One success between failures does not end it. */
const QUIET_MS = 2_000
/** A locked table only fails what needs it, and only after a while. */
const QUIET_AFTER_LOCK_MS = 10_000
const PROBE_EVERY_MS = 1_000

type OutageDeps = {
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
  /** Statements that failed. */
  errors: { add(): void }
  /** 1 during an outage. */
  unavailable: { set(value: number): void }
}

type Outage = { sinceMs: number; lastMs: number; quietMs: number; failures: number; isOfChanges: boolean }

/**
 * Whether a thread can use the store: at all, and for changes. However many statements fail, the log has one line when that begins
 * and one when it is over.
 */
export class StoreOutage {
  readonly #deps: OutageDeps
  #outage: Outage | undefined
  #probe: (() => Promise<unknown>) | undefined
  #timer: Timer | undefined

  constructor(deps: OutageDeps) {
    this.#deps = deps
  }

  /** A change that is tried now and then until the outage is over: nobody else may try one. */
  probeWith(probe: () => Promise<unknown>): void {
    this.#probe = probe
  }

  /** Any error of a statement; `isChange`: it would have changed something. */
  failed(error: unknown, isChange: boolean): void {
    if (!isStoreUnavailable(error)) return
    this.#deps.errors.add()
    const nowMs = this.#deps.clock.monotonicMs()
    this.#outage ??= this.#begin(error, refusesChanges(error, isChange))
    this.#outage.failures++
    this.#outage.lastMs = nowMs
  }

  succeeded(isChange: boolean): void {
    const outage = this.#outage
    if (outage === undefined || (outage.isOfChanges && !isChange)) return
    const nowMs = this.#deps.clock.monotonicMs()
    if (nowMs - outage.lastMs < outage.quietMs) return
    const seconds = Math.round((outage.lastMs - outage.sinceMs) / 100) / 10
    this.close()
    this.#deps.log.warn(
      outage.isOfChanges ? 'The database accepts changes again.' : 'The database can be used again.',
      { seconds, failures: outage.failures },
    )
  }

  close(): void {
    clearInterval(this.#timer)
    this.#outage = undefined
    this.#deps.unavailable.set(0)
  }

  #begin(error: unknown, isOfChanges: boolean): Outage {
    const nowMs = this.#deps.clock.monotonicMs()
    this.#deps.unavailable.set(1)
    this.#deps.log.error(
      isOfChanges
        ? 'The database refuses changes; this is logged again when it is over.'
        : 'The database cannot be used; this is logged again when it is over.',
      withReason(error),
    )
    this.#timer = setInterval(() => void this.#probe?.().catch(() => {}), PROBE_EVERY_MS)
    const quietMs = isTimeLimit(error) ? QUIET_AFTER_LOCK_MS : QUIET_MS
    return { sinceMs: nowMs, lastMs: nowMs, quietMs, failures: 0, isOfChanges }
  }
}

/** Without the stack: it says where a statement was sent, not why it failed. */
export function withReason(error: unknown): LogFields {
  const { name, message, cause } = error instanceof Error ? error : new Error(String(error))
  const reason = postgresComplaint(error) ?? postgresComplaint(cause)
  return { error: `${name}: ${message}`, ...(reason === undefined ? {} : { reason }) }
}
