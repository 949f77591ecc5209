import { expect, test } from 'bun:test'
import { openGeoLookup } from '../clicks/visitor/geo-location.ts'
import { DAY_US } from '../runtime/clock.ts'
import { checkCountryData } from './check-country-data.ts'

const MADE_US = openGeoLookup().builtAt.getTime() * 1000

test('the country data says its age, and is to be renewed after a year', () => {
  const [young] = checkCountryData(MADE_US + 100 * DAY_US, undefined)
  expect(young).toMatchObject({ severity: 'ok', message: expect.stringContaining(', 100 days old') })
  const [old] = checkCountryData(MADE_US + 400 * DAY_US, undefined)
  expect(old).toMatchObject({ severity: 'warning', message: expect.stringContaining('GEOIP_DB') })
})
