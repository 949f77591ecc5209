/** Everything else that is ready runs first. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Between two steps of work on a list: others get a turn, unless it is short. */
export async function turnAfter({ length }: readonly unknown[], shortLength: number): Promise<void> {
  if (length > shortLength) await nextTurn()
}

/**
 * The items of a list, with a turn for other requests after every `count` of them, so that a long list holds up nobody. In a
 * transaction, `count` is larger: its locks are held while the others run.
 */
export async function* inTurns<Item>(items: Iterable<Item>, count: number): AsyncGenerator<Item, void> {
  let left = count
  for (const item of items) {
    if (left === 0) {
      await nextTurn()
      left = count
    }
    left--
    yield item
  }
}
