import { describe, expect, test } from 'bun:test'
import {
  type ApiRule,
  areSameRules,
  copyOf,
  emptyCondition,
  exchanged,
  formOfRules,
  newRule,
  rulesErrors,
  rulesInput,
  withSplit,
  withUrls,
} from './rule-form.ts'

describe('rules in a form', () => {
  const form = formOfRules(RULES)

  test('are sent as they came, with weights that do not add up to 100 too', () => {
    expect(rulesInput(form)).toEqual(RULES)
    expect(formOfRules(null)).toEqual([])
    expect(rulesInput([])).toBeNull()
  })

  test('get a scheme, and no conditions that they do not have', () => {
    expect(rulesInput([{ ...newRule(), to: ' example.com/new ' }])).toEqual([
      { to: 'https://example.com/new' },
    ])
    expect(rulesInput([newRule()])).toEqual([{ to: '' }])
  })

  test('are changed if what is sent would be', () => {
    expect(areSameRules(form, formOfRules(RULES))).toBe(true)
    expect(areSameRules(form, form.toReversed())).toBe(false)
    expect(areSameRules(form, [{ ...form[0]!, to: 'https://example.com/x' }, form[1]!])).toBe(false)
  })

  test('a copy is a rule of its own', () => {
    const copy = copyOf(form[1]!)
    expect(copy.key).not.toBe(form[1]!.key)
    expect(rulesInput([copy])).toEqual([
      { split: RULES[1]!.split!.map(({ to, weight }) => ({ to, weight })) },
    ])
  })

  test('a URL becomes the first half of a split, and comes back', () => {
    const split = withSplit(form[0]!, true)
    expect(split.split).toMatchObject([
      { to: 'https://example.com/', weight: 50 },
      { to: '', weight: 50 },
    ])
    expect(rulesInput([withSplit(split, false)])).toEqual([RULES[0]!])
    expect(withSplit(form[1]!, true)).toBe(form[1]!)
  })

  test('all their URLs can be changed, except for those that are not there yet', () => {
    const changed = withUrls([...form, withSplit(newRule(), true)], (url) => `${url}?x`)
    expect(rulesInput(changed)).toEqual([
      { ...RULES[0]!, to: 'https://example.com/?x' },
      { ...RULES[1]!, split: RULES[1]!.split!.map((part) => ({ ...part, to: `${part.to}?x` })) },
      {
        split: [
          { to: '', weight: 50 },
          { to: '', weight: 50 },
        ],
      },
    ])
  })
})

test('hours begin with those of an office in this zone, everything else with nothing', () => {
  expect(emptyCondition('hours')).toEqual({
    hours: {
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      from: '09:00',
      to: '18:00',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  })
  expect(emptyCondition('country')).toEqual({ country: [] })
  expect(emptyCondition('query')).toEqual({ query: {} })
})

test('a condition of another kind takes the place of one', () => {
  const when = exchanged({ country: ['DE'], os: ['iOS'] }, 'country', 'between')
  expect(Object.entries(when)).toEqual([
    ['between', {}],
    ['os', ['iOS']],
  ])
})

const sent = formOfRules([
  { when: { country: ['DE', 'XX'] }, to: 'https://example.com/' },
  {
    when: { hours: { from: '09:00', to: '09:00', timezone: 'Europe/Berlin' } },
    split: [
      { to: 'nowhere', weight: 50 },
      { to: '', weight: 50 },
    ],
  },
])
const [first, second] = sent as [(typeof sent)[0], (typeof sent)[0]]
const FIELDS = {
  'rules.0.when.country.1': ['No country.'],
  'rules.1.when.hours.to': ['The same.'],
  'rules.1.split.0.to': ['No URL.'],
  'rules.1.split.1.to': ['Required.'],
  title: ['Too long.'],
}

test('each error stands at the part of the rule that it is about', () => {
  const errors = rulesErrors(FIELDS, sent, sent)
  expect(errors.ofRule(first)).toEqual({ 'when.country': ['No country.'] })
  expect(errors.ofRule(second)).toEqual({
    'when.hours': ['The same.'],
    'split.0': ['No URL.'],
    'split.1': ['Required.'],
  })
  expect(errors.count).toBe(4)
  expect(errors.list).toEqual([])
})

test('an error follows its rule, and goes when its part is edited', () => {
  const edited = {
    ...second,
    split: second.split!.with(0, { ...second.split![0]!, to: 'https://example.com/a' }),
  }
  const errors = rulesErrors(FIELDS, sent, [edited, first])
  expect(Object.keys(errors.ofRule(edited))).toEqual(['when.hours', 'split.1'])
  expect(Object.keys(errors.ofRule(first))).toEqual(['when.country'])
  expect(rulesErrors(FIELDS, sent, [second]).count).toBe(3)
  expect(rulesErrors(FIELDS, undefined, sent).count).toBe(0)
})

test('an error of all rules together is shown until any of them is edited', () => {
  const fields = { rules: ['Too many.'] }
  expect(rulesErrors(fields, sent, sent)).toMatchObject({ list: ['Too many.'], count: 1 })
  expect(rulesErrors(fields, sent, [first])).toMatchObject({ list: [], count: 0 })
})

const RULES: ApiRule[] = [
  {
    id: '0000000a',
    when: {
      country: ['de', 'AT'],
      query: { a: true, b: 'c' },
      between: { from: '2026-12-01T09:00:00.123+01:00' },
      hours: { from: '22:00', to: '02:00', timezone: 'Europe/Berlin' },
    },
    to: 'https://example.com/',
  },
  {
    id: '0000000b',
    split: [
      { id: '0000000c', to: 'https://example.com/a', weight: 1 },
      { id: '0000000d', to: 'https://example.com/b', weight: 2 },
    ],
  },
]
