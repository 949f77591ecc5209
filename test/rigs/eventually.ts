import { expect } from 'bun:test'

const TURNS_MAX = 10_000

/** Goes on when it is so; the event loop turns meanwhile. */
export async function eventually(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX && !isSo(); turn++)
    await new Promise((resolve) => setImmediate(resolve))
  expect(isSo()).toBe(true)
}
