import { expect, test } from 'bun:test'
import { PLAN_NAMES } from '../access/plan-names.ts'
import { hourlyAllowance, limitOrNull, PLANS, planOf, UNLIMITED } from './plans.ts'

test('a plan allows more than the one before it, and the smallest what the specification says', () => {
  const limits = PLAN_NAMES.map((name) => PLANS[name].requestsPerHour)
  expect(limits[0]).toBe(100)
  expect(limits).toEqual(limits.toSorted((a, b) => a - b))
})

test('a name that is no plan counts as the smallest', () => {
  for (const name of ['', 'gold', 'Pro', 'constructor', '__proto__', 'toString']) {
    expect([name, planOf(name)]).toEqual([name, PLANS.free])
  }
  expect(planOf('pro')).toBe(PLANS.pro)
})

test('a key may make what the plan allows, unless its workspace was given another limit', () => {
  expect(hourlyAllowance({ plan: 'free', rateLimit: null })).toBe(100)
  expect(hourlyAllowance({ plan: 'pro', rateLimit: null })).toBe(1_000)
  expect(hourlyAllowance({ plan: 'pro', rateLimit: 7 })).toBe(7)
})

test('the highest limit is shown as none', () => {
  expect([UNLIMITED, UNLIMITED - 1, 100].map(limitOrNull)).toEqual([null, UNLIMITED - 1, 100])
})
