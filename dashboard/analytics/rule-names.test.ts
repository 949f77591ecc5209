import { expect, test } from 'bun:test'
import type { AnalyticsView } from '../../src/http/endpoints/browser-types.ts'
import { mayBeChance, shareOfSplit } from './rule-names.ts'

test('chance explains a small difference of few visitors, and not the same one of many', () => {
  expect(mayBeChance(60, 100, 0.5)).toBe(true)
  expect(mayBeChance(600, 1_000, 0.5)).toBe(false)
  expect(mayBeChance(0, 10, 0.5)).toBe(true)
  expect(mayBeChance(0, 20, 0.5)).toBe(false)
  expect(mayBeChance(1, 1_000, 0.01)).toBe(true)
})

test('a share says what it should be, and what the difference means', () => {
  expect(noteOf({ a: 500, b: 500 })).toBe('50% of 50%')
  expect(noteOf({ a: 52, b: 48 })).toBe('52% of 50%, by chance')
  expect(noteOf({ a: 600, b: 400 })).toBe('60% of 50%, not by chance')
  expect(noteOf({ a: 0, b: 0 })).toBeUndefined()
})

test('clicks of one visitor are one draw', () => {
  expect(noteOf({ a: 600, b: 400 }, { visitors: 20 })).toBe('60% of 50%, by chance')
})

function noteOf(clicks: { a: number; b: number }, { visitors = clicks.a + clicks.b } = {}) {
  const rules = [{ id: '00000000', split: [part('a'), part('b')] }] as Parameters<typeof shareOfSplit>[0]
  const variants = Object.entries(clicks).map(([name, count]) => ({ variant: part(name).id, clicks: count }))
  const view = { total_clicks: clicks.a + clicks.b, unique_visitors: visitors, variants }
  return shareOfSplit(rules, part('a').id, view as AnalyticsView)
}

const part = (name: string) => ({ id: name.repeat(8), to: `https://example.com/${name}`, weight: 1 })
