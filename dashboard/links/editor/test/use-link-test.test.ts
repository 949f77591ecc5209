import { expect, test } from 'bun:test'
import { dayAndTime } from '../../../later-format.ts'
import { NOBODY, shortText, visitOf, visitorChoices } from './use-link-test.ts'

test('only what is known of a visitor is sent, with a time that has a zone', () => {
  expect(visitOf(NOBODY)).toEqual({})
  expect(visitOf({ ...NOBODY, country: 'DE', at: '2026-12-01T09:00' })).toEqual({
    country: 'DE',
    at: new Date('2026-12-01T09:00').toISOString(),
  })
})

test('the choices have names, in their order, and begin with what is not known', () => {
  const choices = visitorChoices({
    country: ['AT', 'DE', 'AF'],
    device: ['desktop', 'mobile'],
    os: ['iOS'],
    browser: ['Safari'],
  })
  expect(choices.country.map(({ label }) => label)).toEqual(['Unknown', 'Afghanistan', 'Austria', 'Germany'])
  expect(choices.device.map(({ label }) => label)).toEqual(['Unknown', 'Desktop', 'Phone'])
  expect(choices.os).toEqual([
    { value: '', label: 'Unknown' },
    { value: 'iOS', label: 'iOS' },
  ])
  expect(choices.language).toContainEqual({ value: 'de', label: 'German (de)' })
  expect(visitorChoices(undefined).country).toEqual([{ value: '', label: 'Unknown' }])
})

test('sentences of the server lose their period, and get times of this zone', () => {
  const time = '2026-09-03T07:00:00.000000Z'
  expect(shortText('Rule 1 matches.')).toBe('Rule 1 matches')
  expect(shortText(`It started ${time}. It ends ${time}.`)).toBe(
    `It started ${dayAndTime(time)}. It ends ${dayAndTime(time)}`,
  )
})
