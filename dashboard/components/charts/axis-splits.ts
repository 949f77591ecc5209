/** Space between two labels. */
const GAP = 24

/** Indexes of as many points as have space for a label. The last point always has one. */
export function splitsOf(
  count: number,
  { width, labelWidth }: { width: number; labelWidth: number },
): number[] {
  const fitting = Math.max(2, Math.floor(width / (labelWidth + GAP)))
  const every = Math.max(1, Math.ceil(count / fitting))
  const splits: number[] = []
  for (let at = count - 1; at >= 0; at -= every) splits.unshift(at)
  return splits
}
