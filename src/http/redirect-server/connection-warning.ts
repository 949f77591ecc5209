import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'

const WARN_EVERY_MS = 60_000

/** Logs, once a minute at most, that connections are closed to make room. */
export function connectionWarning({ log, clock }: { log: Log; clock: Clock }, filesMax: number): () => void {
  let warnedAtMs = -Infinity
  return () => {
    const nowMs = clock.monotonicMs()
    if (nowMs - warnedAtMs < WARN_EVERY_MS) return
    warnedAtMs = nowMs
    log.warn(
      'No room for more connections: those that were not answered for longest are closed. Raise the limit of open files (ulimit -n).',
      { files_of_connections: filesMax },
    )
  }
}
