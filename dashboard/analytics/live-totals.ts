import type { LiveTotals } from '../../src/http/endpoints/browser-types.ts'

// Responses and the stream both say how many clicks they include. The page loads its data again only when the stream
// includes more, or fewer than before.

let latest = 0
/** Undefined until the first response. */
let total: number | undefined
let whenBehind: () => void = () => {}

const sumOf = ({ total_clicks: clicks, bot_clicks: bots }: LiveTotals) => clicks + bots

const compare = () => {
  if (total !== undefined && latest > total) whenBehind()
}

/** The totals of a response. */
export function noteTotals(totals: LiveTotals): void {
  total = sumOf(totals)
  compare()
}

/** The totals of the stream. True if there are fewer than before: clicks were deleted, and the page loads its data again. */
export function onTotals(totals: LiveTotals): boolean {
  const isFewer = sumOf(totals) < latest
  latest = sumOf(totals)
  if (isFewer) whenBehind()
  else compare()
  return isFewer
}

/** `refresh` is called when the stream includes more than the page shows. Returns a function that unsubscribes. */
export function followTotals(refresh: () => void): () => void {
  // The previous user had other totals.
  latest = 0
  whenBehind = refresh
  return () => {
    whenBehind = () => {}
  }
}
