import { expect, test } from 'bun:test'
import { rulesErrors } from './rule-errors.ts'
import { formOfRules } from './rule-form.ts'

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
