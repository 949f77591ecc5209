import { expect, test } from 'bun:test'
import { endErrors } from './end-errors.ts'

const [START, LATER] = ['2026-09-03T07:00:00Z', '2026-09-03T07:01:00Z']
const REFUSED = ['The end must be after the start.']
const errors = (starts_at: string, expires_at: string) =>
  endErrors(REFUSED, { starts_at, expires_at }, 'Europe/Berlin')

test('an end that is not after the start is refused with the time of the start, in the zone of the form', () => {
  // Before AM, some engines write a narrow space.
  const withTime = expect.stringMatching(/^The end must be after the start, Sep 3, 2026, 9:00\sAM\.$/)
  expect(errors(START, '2026-09-01T07:00:00Z')).toEqual([withTime])
  expect(errors(START, START)).toEqual([withTime])
})

test('other errors about the end stay as they are, and none becomes none', () => {
  expect(errors(START, LATER)).toEqual(REFUSED)
  expect(errors('', LATER)).toEqual(REFUSED)
  expect(errors(START, '')).toEqual(REFUSED)
  expect(endErrors(undefined, { starts_at: LATER, expires_at: START }, 'UTC')).toBeUndefined()
})
