import type { Clock } from '../../clock.ts'
import type { Lines } from './move-side.ts'
import type { MovedTable } from './moved-tables.ts'

export type MoveProgress =
  { step: 'copy' | 'compare'; table: MovedTable; rows: number; of: number } | { step: 'indexes' | 'filled' }

/** The move waits for whoever is told. */
export type TellProgress = (progress: MoveProgress) => void | Promise<void>

const LINE_FEED = 0x0a

/** Hands on what comes, and counts its lines. */
export async function* counted(
  lines: Lines,
  hear: (rows: number) => void | Promise<void>,
): AsyncGenerator<Uint8Array> {
  let rows = 0
  for await (const some of lines) {
    rows += lineFeeds(some)
    await hear(rows)
    yield some
  }
}

export function lineFeeds(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}

const TELL_EVERY_MS = 2_000

/** Hears often and tells every few seconds, and when a step begins. */
export function tellSeldom(clock: Pick<Clock, 'monotonicMs'>, tell: TellProgress): TellProgress {
  let toldMs = clock.monotonicMs()
  return (progress) => {
    const nowMs = clock.monotonicMs()
    if ('table' in progress && nowMs - toldMs < TELL_EVERY_MS) return
    toldMs = nowMs
    return tell(progress)
  }
}
