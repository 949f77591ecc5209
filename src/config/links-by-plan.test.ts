import { expect, test } from 'bun:test'
import { linksByPlan } from './links-by-plan.ts'

test.each([
  ['', {}],
  ['0', { free: 0, pro: 0, business: 0, enterprise: 0 }],
  ['250', { free: 250, pro: 250, business: 250, enterprise: 250 }],
  ['free=1000', { free: 1000 }],
  ['free=1000, pro=50000', { free: 1000, pro: 50_000 }],
])('%p limits the links of %p', (text, limits) => {
  expect(linksByPlan.read(text)).toEqual(limits)
})

test.each([
  'many',
  '-1',
  '1.5',
  'gold=1',
  'free',
  'free=',
  'free=x',
  'free=1=2',
  'free=1,free=2',
  'free=1,',
  '9'.repeat(13),
])('%p is refused', (text) => {
  expect(linksByPlan.read(text)).toBeUndefined()
})
