/** Neighbors of the current page, on each side. */
const NEIGHBORS = 1
/** Up to this many pages, all are shown. */
const PAGES_NAMED_MAX = 7

/** The page numbers to show: first, last, current and its neighbors. null stands for a gap. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  if (last <= PAGES_NAMED_MAX) return numbersFrom(1, last)
  // The same length everywhere, so that buttons do not move.
  const edge = PAGES_NAMED_MAX - 2
  if (current < edge) return [...numbersFrom(1, edge), null, last]
  if (current > last - edge + 1) return [1, null, ...numbersFrom(last - edge + 1, last)]
  return [1, null, ...numbersFrom(current - NEIGHBORS, current + NEIGHBORS), null, last]
}

const numbersFrom = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
