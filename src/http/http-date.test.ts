import { expect, test } from 'bun:test'
import { manualClock } from '../clock.ts'
import { httpDates } from './http-date.ts'

test('the date of an answer is the clock’s, to the second', () => {
  const clock = manualClock(Date.UTC(2026, 0, 2, 3, 4, 5) * 1000)
  const date = httpDates(clock)
  expect(date()).toBe('Fri, 02 Jan 2026 03:04:05 GMT')
  clock.advance(1_000_000)
  expect(date()).toBe('Fri, 02 Jan 2026 03:04:06 GMT')
})
