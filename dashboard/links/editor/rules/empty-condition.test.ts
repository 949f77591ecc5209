import { expect, test } from 'bun:test'
import { emptyCondition, exchanged } from './empty-condition.ts'

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
