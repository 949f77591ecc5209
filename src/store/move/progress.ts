import type { Clock } from '../../runtime/clock.ts'
import type { RowStream } from './move-endpoint.ts'
import type { MovedTable } from './moved-tables.ts'

export type MoveProgress =
  { step: 'copy' | 'compare'; table: MovedTable; rows: number; of: number } | { step: 'indexes' | 'filled' }

/** The move waits for it. */
export type ReportProgress = (progress: MoveProgress) => void | Promise<void>

const LINE_FEED = 0x0a

/** Passes the chunks on, and counts their rows. */
export async function* counted(
  lines: RowStream,
  onRows: (rows: number) => void | Promise<void>,
): AsyncGenerator<Uint8Array> {
  let rows = 0
  for await (const some of lines) {
    rows += lineFeeds(some)
    await onRows(rows)
    yield some
  }
}

export function lineFeeds(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}

const REPORT_EVERY_MS = 2_000

/** Reports every few seconds, and when a step begins. */
export function throttleProgress(clock: Pick<Clock, 'monotonicMs'>, report: ReportProgress): ReportProgress {
  let reportedMs = clock.monotonicMs()
  return (progress) => {
    const nowMs = clock.monotonicMs()
    if ('table' in progress && nowMs - reportedMs < REPORT_EVERY_MS) return
    reportedMs = nowMs
    return report(progress)
  }
}
