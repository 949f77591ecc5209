import { expect, test } from 'bun:test'
import { manualClock } from '../../runtime/clock.ts'
import { Refusal } from '../../errors/refusal.ts'
import { AttemptDelay } from './attempt-delay.ts'

const SECOND_US = 1_000_000
const clock = manualClock(0)

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
  delay.succeed(keysOf(['a']))
  expect(tryWith(delay, 'a')).toBe(0)
  for (let i = 0; i < 9; i++) tryWith(delay, 'a')
  clock.advance(3_600 * SECOND_US)
  expect(Array.from({ length: 5 }, () => tryWith(delay, 'a'))).toEqual([0, 0, 0, 0, 0])
})

test('a network has sixteen times the tries of one address, and then waits as a whole', () => {
  const delay = new AttemptDelay(clock)
  const answers = Array.from({ length: 65_536 }, (_, i) => tryWith(delay, `address ${i}`, 'network'))
  expect(answers.filter((wait) => wait === 0)).toHaveLength(80)
  expect([
    tryWith(delay, 'another address', 'network'),
    tryWith(delay, 'address 1', 'other network'),
  ]).toEqual([1, 0])
})

test('who was right is forgiven in the network as well, but not what others there got wrong', () => {
  const delay = new AttemptDelay(clock)
  for (let i = 0; i < 75; i++) tryWith(delay, `address ${i}`, 'network')
  for (let i = 0; i < 4; i++) tryWith(delay, 'owner', 'network')
  expect(tryWith(delay, 'owner', 'network')).toBe(0)
  expect(tryWith(delay, 'stranger', 'network')).toBe(1)
  delay.succeed(keysOf(['owner', 'network']))
  expect(Array.from({ length: 6 }, (_, i) => tryWith(delay, `stranger ${i}`, 'network'))).toEqual([
    0, 0, 0, 0, 0, 1,
  ])
})

test('it remembers the twenty thousand who tried last, and networks apart from addresses', () => {
  const delay = new AttemptDelay(clock)
  for (let i = 0; i < 6; i++) tryWith(delay, 'first')
  expect(tryWith(delay, 'first')).toBe(1)
  for (let i = 0; i < 19_990; i++) tryWith(delay, `key ${i}`)
  expect(tryWith(delay, 'first')).toBe(1)
  for (let i = 0; i < 80; i++) tryWith(delay, `address ${i}`, 'network')
  for (let i = 0; i < 40_000; i++) tryWith(delay, `other ${i}`)
  expect(tryWith(delay, 'first')).toBe(0)
  expect(tryWith(delay, 'one more', 'network')).toBe(1)
})

/** The narrowest first; each is sixteen times as wide as the one before. */
const keysOf = (names: string[]) => names.map((key, i) => ({ key, times: 16 ** i }))

/** Seconds to wait, or 0 when the try is let through. */
function tryWith(delay: AttemptDelay, ...names: string[]): number {
  try {
    delay.attempt(keysOf(names))
    return 0
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    expect((error as Refusal).kind).toBe('too-many')
    return (error as Refusal).retryAfterSeconds!
  }
}
