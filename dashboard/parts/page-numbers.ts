/** Pages beside the current one, on either side. */
const NEIGHBORS = 1
/** All of them are named while there are no more. */
const PAGES_NAMED_MAX = 7

/** The pages to name: the first, the last, the current one and its neighbors. null: some are left out here. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  if (last <= PAGES_NAMED_MAX) return numbersFrom(1, last)
  // Near an end the row is as long as in the middle, so that its buttons do not move.
  const edge = PAGES_NAMED_MAX - 2
  if (current < edge) return [...numbersFrom(1, edge), null, last]
  if (current > last - edge + 1) return [1, null, ...numbersFrom(last - edge + 1, last)]
  return [1, null, ...numbersFrom(current - NEIGHBORS, current + NEIGHBORS), null, last]
}

const numbersFrom = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
