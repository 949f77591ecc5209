import { expect, test } from 'bun:test'
import { isPlan, PLAN_NAMES, PLANS, planOf } from './plans.ts'

test('a plan allows more than the one before it, and the smallest what the specification says', () => {
  const limits = PLAN_NAMES.map((name) => PLANS[name].requestsPerHour)
  expect(limits[0]).toBe(100)
  expect(limits).toEqual(limits.toSorted((a, b) => a - b))
})

test('only a name on the list is a plan, and any other counts as the smallest', () => {
  expect(PLAN_NAMES.every(isPlan)).toBe(true)
  for (const name of ['', 'gold', 'Pro', 'constructor', '__proto__', 'toString']) {
    expect([name, isPlan(name), planOf(name)]).toEqual([name, false, PLANS.free])
  }
  expect(planOf('pro')).toBe(PLANS.pro)
})
