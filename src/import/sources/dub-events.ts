import { countryCode } from '../files/country-code.ts'
import type { ClickTable } from '../files/table-of-clicks.ts'
import { browserOf, deviceOf, hostOf, systemOf } from './dub-analytics.ts'

/** The CSV of events with all columns: a row for each click. */
export const dubEvents: Omit<ClickTable, 'code'> = {
  title: 'clicks',
  shortUrl: 'Link',
  destination: 'Destination URL',
  day: 'Date',
  others: ['Country', 'Device', 'Browser', 'OS', 'Referrer', 'Click ID'],
  add(history, cell) {
    history.addCountry(countryCode(cell('Country')), 1)
    history.add('devices', deviceOf(cell('Device')), 1)
    history.add('browsers', browserOf(cell('Browser')), 1)
    history.add('operating_systems', systemOf(cell('OS')), 1)
    history.addReferrer(hostOf(cell('Referrer')), 1)
  },
}
