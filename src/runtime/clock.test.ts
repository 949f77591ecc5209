import { describe, expect, test } from 'bun:test'
import { DAY_US, MINUTE_US, steadyClock, systemClock } from './clock.ts'

/** Reads, one after the other, what the wall clock says then. */
function reads(...wall: number[]): number[] {
  const times = wall.values()
  const nowUs = steadyClock(() => times.next().value!)
  return wall.map(() => nowUs())
}

describe('the time', () => {
  test('is that of the wall clock, and follows it forwards however far', () => {
    expect(reads(1, 2, 3 + 40 * DAY_US)).toEqual([1, 2, 3 + 40 * DAY_US])
  })

  test('stands still while the wall clock makes up for a small step back', () => {
    expect(reads(DAY_US, DAY_US - 1, DAY_US - MINUTE_US, DAY_US + 1)).toEqual([
      DAY_US,
      DAY_US,
      DAY_US,
      DAY_US + 1,
    ])
  })

  test('follows the wall clock when that is corrected by more than a minute', () => {
    const corrected = DAY_US - MINUTE_US - 1
    expect(reads(DAY_US, corrected, corrected + 5)).toEqual([DAY_US, corrected, corrected + 5])
  })

  test('of the system has microseconds and does not run backwards', () => {
    const stamps = Array.from({ length: 1000 }, () => systemClock.nowUs())
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b))
    expect(stamps.some((us) => us % 1000 !== 0)).toBe(true)
  })
})
