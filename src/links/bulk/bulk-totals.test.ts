import { describe, expect, test } from 'bun:test'
import { overTotals } from './bulk-totals.ts'

const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)
const link = (rules: unknown) => ({ original_url: 'https://example.com/', rules })
const to = 'https://example.com/'

describe('the totals of a request', () => {
  test.each<[what: string, most: unknown[], one: unknown, sentence: string]>([
    [
      'rules',
      times(50, link(times(20, { when: { hours: {} } }))),
      link([{}]),
      'The links have 1,001 rules; a request may have at most 1,000.',
    ],
    [
      'values',
      times(100, link(times(2, { when: { country: times(48, 'DE'), query: { a: true, b: true } } }))),
      link([{ when: { hours: null } }]),
      'The links have 10,001 values of conditions; a request may have at most 10,000.',
    ],
    [
      'destinations',
      times(100, link([{ to }, { to: null }, { split: times(10, {}) }, { split: times(8, {}) }])),
      link([{ to }]),
      'The links have 2,001 destinations in their rules; a request may have at most 2,000.',
    ],
  ])('%s: as many as allowed, and one more', (_, most, one, sentence) => {
    expect(overTotals(most)).toEqual([])
    expect(overTotals([...most, one])).toEqual([sentence])
  })

  test('are those of the rules only, whatever is sent', () => {
    const sent = [
      null,
      7,
      'text',
      [],
      {},
      link(null),
      link('rules'),
      link({ length: 9_999 }),
      link([null, 7, []]),
    ]
    expect(overTotals(sent)).toEqual([])
    expect(overTotals([link([{ when: 'x'.repeat(20_000) }, { when: null, split: {} }])])).toEqual([])
  })

  test('are each named if several are passed', () => {
    const rule = { when: { country: times(20, 'DE') }, split: times(3, { to }) }
    expect(overTotals([link(times(1_001, rule))])).toHaveLength(3)
  })
})
