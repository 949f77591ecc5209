import type { LiveTotals } from '../../src/http/endpoints/browser-types.ts'

// Responses and the stream both say how many clicks they include. The page loads its data again only when the stream
// includes more.

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

/** The totals of the stream. */
export function onTotals(totals: LiveTotals): void {
  latest = sumOf(totals)
  compare()
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
