/** Everything else that is ready runs first. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

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
