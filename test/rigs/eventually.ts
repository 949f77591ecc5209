import { expect } from 'bun:test'

const TRIES_MAX = 2_400
const PAUSE_MS_MAX = 25

/**
 * The one way to wait in tests: asks again until the answer is as wanted, for about a minute. Returns the last answer, so
 * that an assertion shows what was wrong with it.
 */
export async function eventually<Value>(
  ask: () => Value | Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  for (let tries = 0; ; tries++) {
    const value = await ask()
    if (isWanted(value) || tries === TRIES_MAX) return value
    // Most conditions hold after a turn or two of the event loop.
    await Bun.sleep(Math.min(tries, PAUSE_MS_MAX))
  }
}

/** Waits until the answer equals this one. */
export async function becomes<Value>(ask: () => Value | Promise<Value>, expected: Value): Promise<void> {
  const last: unknown = await eventually(ask, (value) => Bun.deepEquals(value, expected))
  expect(last).toEqual(expected)
}

/** Waits for a condition, and throws when it never holds. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await eventually(isSo, Boolean))) throw new Error(`Never: ${isSo}`)
}
