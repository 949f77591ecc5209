/** The list with one element at another place. */
export function moved<Element>(list: readonly Element[], from: number, to: number): Element[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from]!)
}

/** Where something is dragged to: past each neighbor whose middle the pointer has crossed. */
export function draggedTo(middles: readonly number[], from: number, pointer: number): number {
  const before = middles.findIndex((middle, at) => at < from && pointer < middle)
  if (before >= 0) return before
  return Math.max(
    from,
    middles.findLastIndex((middle, at) => at > from && pointer > middle),
  )
}
