import { describe, expect, test } from 'bun:test'
import { coveringRule } from './rule-covering.ts'
import { type Conditions, newRule } from './rule-form.ts'

const covered = (...whens: Conditions[]) =>
  coveringRule(
    whens.map((when) => ({ ...newRule(), when })),
    whens.length - 1,
  )
const hours = (from: string, to: string, more: object = {}): Conditions => ({
  hours: { from, to, timezone: 'Europe/Berlin', ...more },
})

describe('a rule is surely covered', () => {
  test.each<[string, Conditions, Conditions]>([
    ['by one for everyone', {}, { country: ['DE'] }],
    ['by one for more values, in any case', { country: ['de', 'AT'] }, { country: ['DE'] }],
    ['by one with fewer conditions', { device: ['mobile'] }, { device: ['mobile'], os: ['iOS'] }],
    ['by any value of a parameter', { query: { a: true } }, { query: { a: 'x', b: true } }],
    ['by the same parameter', { query: { a: 'x' } }, { query: { a: 'x' } }],
    [
      'by a longer time',
      { between: { from: '2026-12-01T00:00:00Z' } },
      { between: { from: '2026-12-01T01:00:00+01:00', to: '2027-01-01T00:00:00Z' } },
    ],
    ['by longer hours', hours('08:00', '18:00'), hours('09:00', '18:00', { days: ['mon', 'sun'] })],
    [
      'by hours over midnight',
      hours('22:00', '03:00', { days: ['sun'] }),
      hours('00:00', '03:00', { days: ['mon'] }),
    ],
  ])('%s', (_, outer, inner) => {
    // Two rules further up: the one that covers is named.
    expect(covered({ browser: ['Opera'] }, outer, inner)).toBe(1)
  })
})

describe('a rule may still match', () => {
  test.each<[string, Conditions, Conditions]>([
    ['without any condition', { country: ['DE'] }, {}],
    ['with another value', { country: ['DE'] }, { country: ['DE', 'FR'] }],
    ['with another condition', { country: ['DE'] }, { device: ['mobile'] }],
    ['next to one without values yet', { country: [] }, { country: [] }],
    ['next to a parameter without a name yet', { query: {} }, { query: { a: true } }],
    ['with any value of a parameter', { query: { a: 'x' } }, { query: { a: true } }],
    ['with a parameter in another case', { query: { A: true } }, { query: { a: true } }],
    ['next to dates not filled in yet', { between: {} }, { between: { from: '2026-12-01T00:00:00Z' } }],
    ['before', { between: { from: '2026-12-01T00:00:00Z' } }, { between: { from: '2026-11-30T00:00:00Z' } }],
    ['after', { between: { to: '2026-12-01T00:00:00Z' } }, { between: { from: '2026-11-30T00:00:00Z' } }],
    ['next to hours without a day yet', hours('09:00', '18:00'), hours('09:00', '18:00', { days: [] })],
    ['next to hours without a time yet', hours('', '18:00'), hours('09:00', '18:00')],
    ['in another zone', hours('08:00', '18:00'), hours('09:00', '10:00', { timezone: 'Asia/Tokyo' })],
    ['in longer hours', hours('09:00', '18:00'), hours('08:00', '18:00')],
    [
      'on another day',
      hours('09:00', '18:00', { days: ['mon'] }),
      hours('09:00', '18:00', { days: ['tue'] }),
    ],
    [
      'on the next morning',
      hours('22:00', '03:00', { days: ['mon'] }),
      hours('00:00', '03:00', { days: ['mon'] }),
    ],
  ])('%s', (_, outer, inner) => {
    expect(covered(outer, inner)).toBe(-1)
  })
})
