import type { LiveTotals } from '../src/http/dashboard-api/dashboard-types.ts'

// Answers and the stream both tell how many clicks they know of: what a page has asked for as it opened is asked for
// again only when the stream knows of more.

let heard = 0
/** Undefined until the first answer: until then there is nothing to compare with. */
let read: number | undefined
let whenBehind: () => void = () => {}

const sumOf = ({ total_clicks: clicks, bot_clicks: bots }: LiveTotals) => clicks + bots

const compare = () => {
  if (read !== undefined && heard > read) whenBehind()
}

/** What an answer was read with. */
export function noteTotals(totals: LiveTotals): void {
  read = sumOf(totals)
  compare()
}

/** What the stream tells. */
export function hearTotals(totals: LiveTotals): void {
  heard = sumOf(totals)
  compare()
}

/** `refresh`: called whenever the page shows less than the stream knows. The answer ends that. */
export function followTotals(refresh: () => void): () => void {
  // Whoever was signed in before had other totals.
  heard = 0
  whenBehind = refresh
  return () => {
    whenBehind = () => {}
  }
}
