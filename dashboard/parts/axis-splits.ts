/** Between two labels. */
const GAP = 24

/** The places of as many labels as fit beside each other, the last point always among them. */
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
