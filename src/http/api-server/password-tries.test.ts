import { expect, test } from 'bun:test'
import { manualClock, MINUTE_US } from '../../runtime/clock.ts'
import { FREE_TRIES, PasswordTries } from './password-tries.ts'

test('after several wrong passwords the wait grows up to a bound, for this page, and ends with the hour', () => {
  const clock = manualClock(0)
  const tries = new PasswordTries(clock)
  for (let i = 0; i < FREE_TRIES; i++) expect(tries.begin('a')).toBe(0)
  const waits: number[] = []
  for (let i = 0; i < 5; i++) {
    const seconds = tries.begin('a')
    waits.push(seconds / 60)
    clock.advance(seconds * 1_000_000 - 1)
    expect(tries.begin('a')).toBe(1)
    clock.advance(1)
    expect(tries.begin('a')).toBe(0)
  }
  // The sixth would begin after 30 minutes and wait for 15, and so on: the hour ends in between.
  expect(waits).toEqual([1, 2, 4, 8, 15])
  expect(tries.begin('b')).toBe(0)
  clock.advance(30 * MINUTE_US)
  for (let i = 0; i < FREE_TRIES; i++) expect(tries.begin('a')).toBe(0)
  expect(tries.begin('a')).toBe(60)
})

test('a right password, and one that was not checked, is no wrong one', () => {
  const tries = new PasswordTries(manualClock(0))
  for (let i = 0; i < 2 * FREE_TRIES; i++) {
    expect(tries.begin('a')).toBe(0)
    tries.takeBack('a')
  }
  for (let i = 0; i < FREE_TRIES; i++) expect(tries.begin('a')).toBe(0)
  expect(tries.begin('a')).toBe(60)
})
