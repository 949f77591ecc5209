import type { ClickView } from '../../src/http/endpoints/browser-types.ts'

const MINUTE_MS = 60_000

/** How many clicks a workspace had at a time. */
export type TotalAt = { atMs: number; clicks: number }

/** With one more total. Of those before the last minute, only the latest is kept. */
export function withTotal(totals: readonly TotalAt[], next: TotalAt): TotalAt[] {
  const first = totals.findLastIndex(({ atMs }) => atMs <= next.atMs - MINUTE_MS)
  return [...totals.slice(Math.max(0, first)), next]
}

type LatestClicks = { totals: readonly TotalAt[]; clicks: readonly ClickView[]; clicksMax: number }

/**
 * How many clicks came in the last minute, by the totals. Those reach back to when the page was opened; before that, by the latest clicks,
 * latest first. Undefined if there are too many of them to know.
 */
export function clicksOfLastMinute(
  { totals, clicks, clicksMax }: LatestClicks,
  nowMs: number,
): number | undefined {
  const fromMs = nowMs - MINUTE_MS
  const before = totals.findLast(({ atMs }) => atMs <= fromMs)
  if (before !== undefined) return totals.at(-1)!.clicks - before.clicks
  const latest = clicks.filter(({ clicked_at: at }) => Date.parse(at) > fromMs).length
  return latest < clicksMax ? latest : undefined
}
