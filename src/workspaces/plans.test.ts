import { expect, test } from 'bun:test'
import { hourlyAllowance, isPlan, limitOrNull, PLAN_NAMES, PLANS, planOf, UNLIMITED } from './plans.ts'

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

test('an operator has no limit, unless the account was given one or put on a plan', () => {
  const operator = { plan: 'free', rateLimit: null, role: 'admin' } as const
  expect(hourlyAllowance(operator)).toBe(UNLIMITED)
  expect(hourlyAllowance({ ...operator, rateLimit: 7 })).toBe(7)
  expect(hourlyAllowance({ ...operator, plan: 'pro' })).toBe(1_000)
  expect(hourlyAllowance({ ...operator, role: 'user' })).toBe(100)
  expect([UNLIMITED, UNLIMITED - 1, 100].map(limitOrNull)).toEqual([null, UNLIMITED - 1, 100])
})
