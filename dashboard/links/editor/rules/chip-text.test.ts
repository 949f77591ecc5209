import { describe, expect, test } from 'bun:test'
import { headingOf, nameOf, operatorOf, valueText } from './chip-text.ts'
import type { Conditions } from './rule-form.ts'

const hours = (more: object) => ({
  hours: { from: '10:00', to: '19:00', timezone: 'Europe/Berlin', ...more },
})

describe('a rule is called by its values', () => {
  test.each<[Conditions, string]>([
    [{}, 'Everyone'],
    [{ country: [] }, 'Everyone'],
    [{ country: ['JP'] }, 'Japan'],
    [{ country: ['de', 'AT', 'CH'], device: ['mobile'] }, 'Germany + 2, phone'],
    [{ device: ['tablet'], os: ['iOS'] }, 'Tablet, iOS'],
    [{ os: ['iOS'], device: ['tablet'] }, 'iOS, tablet'],
    [
      { language: ['pt-BR'], query: { partner: true, a: 'b' } },
      'Brazilian Portuguese, partner (any value) + 1',
    ],
    [hours({ days: ['wed', 'mon', 'tue'] }), 'Mon–Wed'],
    [hours({ days: ['sat', 'sun'] }), 'Sat, Sun'],
    [hours({}), 'Every day'],
    [hours({ days: [] }), '…'],
  ])('%j: %s', (when, heading) => {
    expect(headingOf(when)).toBe(heading)
  })
})

test('a condition says what it compares, and counts the values that do not fit', () => {
  const when = { country: ['DE', 'AT', 'CH', 'FR'], ...hours({ to: '24:00', from: '00:00' }) }
  expect(operatorOf('country', when)).toBe('is any of')
  expect(operatorOf('country', { country: ['DE'] })).toBe('is')
  expect(valueText('country', when, 3)).toBe('Germany, Austria, Switzerland + 1')
  expect(valueText('hours', when, 3)).toBe('every day, all day')
  expect(valueText('between', { between: {} }, 3)).toBe('')
  expect(valueText('between', { between: { from: '2026-12-01T00:00:00Z' } }, 3)).toMatch(/^from .*2026/)
  expect(valueText('query', { query: { a: '' } }, 3)).toBe('a=')
})

test('a value without a name is shown as it is', () => {
  expect(nameOf('country', '??')).toBe('??')
  expect(nameOf('language', '-')).toBe('-')
  expect(nameOf('os', 'ios')).toBe('ios')
})
