import type { AnalyticsView } from '../../src/http/endpoints/browser-types.ts'
import type { Bar } from './bar-list.tsx'

/** Imported clicks by the values of filters. */
type ImportedRow = { value: string; label: string; clicks: number }

/** The rows of a panel with the imported clicks of each, which were counted apart from all others; most clicks first. */
export function withImported(
  bars: readonly Bar[],
  rows: readonly ImportedRow[],
  { total_clicks: exact, imported }: AnalyticsView,
): Bar[] {
  if (rows.length === 0 || imported === null) return [...bars]
  const all = exact + imported.clicks
  const importedOf = new Map(rows.map(({ value, clicks }) => [value, clicks]))
  const known = new Set(bars.map(({ value }) => value))
  // Where a list of exact clicks is full, a value that is not in it may still have some.
  const others = bars.length >= FULL ? [] : rows.filter(({ value }) => !known.has(value))
  return [
    ...bars,
    ...others.map(({ value, label }) => ({ value, label, clicks: 0, percentage: 0, isPlain: true })),
  ]
    .map((bar) => {
      const ofBar = importedOf.get(bar.value) ?? 0
      const clicks = bar.clicks + ofBar
      return { ...bar, clicks, percentage: (clicks / all) * 100, imported: ofBar }
    })
    .toSorted((one, other) => other.clicks - one.clicks)
}

/** As many rows as the page requests. */
const FULL = 100
