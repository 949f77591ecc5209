import { expect, test } from 'bun:test'
import { DAY_US, MINUTE_US } from '../runtime/clock.ts'
import { checkClock } from './check-clock.ts'

/** 2026-11-21 */
const NOW_US = 1_795_219_200_000_000

const verdicts = (fileUs: number, clickUs: number, nowUs = NOW_US) =>
  checkClock(nowUs, { fileUs, clickUs }).map(({ severity: verdict }) => verdict)

test('a clock that is behind nothing that was written is well', () => {
  expect(verdicts(NOW_US - DAY_US, 0)).toEqual(['ok'])
  expect(verdicts(NOW_US + 4 * MINUTE_US, NOW_US + 4 * MINUTE_US)).toEqual(['ok'])
})

test('a clock behind the files, behind the last click, or behind both is reported', () => {
  expect(verdicts(NOW_US + 6 * MINUTE_US, 0)).toEqual(['warning'])
  expect(verdicts(0, NOW_US + 6 * MINUTE_US)).toEqual(['warning'])
  expect(verdicts(NOW_US + DAY_US, NOW_US + DAY_US)).toEqual(['warning', 'warning'])
})

test('a clock from before this version is a fault', () => {
  expect(verdicts(0, 0, DAY_US)).toEqual(['fault'])
})
