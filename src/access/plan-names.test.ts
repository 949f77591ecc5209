import { expect, test } from 'bun:test'
import { isPlan, PLAN_NAMES } from './plan-names.ts'

test('only a name on the list is a plan', () => {
  expect(PLAN_NAMES.every(isPlan)).toBe(true)
  for (const name of ['', 'gold', 'Pro', 'constructor', '__proto__', 'toString'])
    expect([name, isPlan(name)]).toEqual([name, false])
})
