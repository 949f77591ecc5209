import { expect, test } from 'bun:test'
import { manualClock } from '../clock.ts'
import { Refusal } from '../refusal.ts'
import { AttemptDelay } from './attempt-delay.ts'

const SECOND_US = 1_000_000
const clock = manualClock(0)

/** Seconds to wait, or 0 when the try is let through. */
function tryWith(delay: AttemptDelay, key: string): number {
  try {
    delay.attempt(key)
    return 0
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    expect((error as Refusal).kind).toBe('too-many')
    return (error as Refusal).retryAfterSeconds!
  }
}

test('five tries are free, then the wait doubles up to a quarter of an hour', () => {
  const delay = new AttemptDelay(clock)
  expect(Array.from({ length: 5 }, () => tryWith(delay, 'a'))).toEqual([0, 0, 0, 0, 0])
  const waits = Array.from({ length: 14 }, () => {
    const wait = tryWith(delay, 'a')
    clock.advance(wait * SECOND_US)
    expect(tryWith(delay, 'a')).toBe(0)
    return wait
  })
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
})

test('of many tries at once no more than the free ones pass', () => {
  const delay = new AttemptDelay(clock)
  expect(Array.from({ length: 300 }, () => tryWith(delay, 'a')).filter((wait) => wait === 0)).toHaveLength(5)
})

test('others are not slowed down, nor is who was right in the end, nor who comes back an hour later', () => {
  const delay = new AttemptDelay(clock)
  for (let i = 0; i < 9; i++) tryWith(delay, 'a')
  expect([tryWith(delay, 'a'), tryWith(delay, 'b')]).toEqual([1, 0])
  delay.succeed('a')
  expect(tryWith(delay, 'a')).toBe(0)
  for (let i = 0; i < 9; i++) tryWith(delay, 'a')
  clock.advance(3_600 * SECOND_US)
  expect(Array.from({ length: 5 }, () => tryWith(delay, 'a'))).toEqual([0, 0, 0, 0, 0])
})

test('it remembers fifty thousand, those who tried last', () => {
  const delay = new AttemptDelay(clock)
  for (let i = 0; i < 6; i++) tryWith(delay, 'first')
  expect(tryWith(delay, 'first')).toBe(1)
  for (let i = 0; i < 49_999; i++) tryWith(delay, `key ${i}`)
  expect(tryWith(delay, 'first')).toBe(1)
  for (let i = 0; i < 50_000; i++) tryWith(delay, `other ${i}`)
  expect(tryWith(delay, 'first')).toBe(0)
})
