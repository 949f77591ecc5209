import { isObject } from '../../validation/is-object.ts'
import { ClickHistory } from '../files/click-history.ts'
import { itemsIn, memberAt } from '../files/json-pages.ts'
import { type ClickApi, numberAt, textAt } from '../network/source-api.ts'

/** Its names of browsers, and those that they have here. */
export const KUTT_BROWSERS: Record<string, string> = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  ie: 'Internet Explorer',
  opera: 'Opera',
  other: 'Unknown',
  safari: 'Safari',
}
export const KUTT_SYSTEMS: Record<string, string> = {
  android: 'Android',
  ios: 'iOS',
  linux: 'Linux',
  macos: 'macOS',
  other: 'Unknown',
  windows: 'Windows',
}

/** It stores hosts without dots. */
export const kuttReferrer = (name: string): string => (name === 'direct' ? '' : name.replaceAll('[dot]', '.'))

const clicksIn = numberAt('visit_count')
const countIn = numberAt('value')

/** Of the last year. Its days begin at the hour of the request, so they are none of a calendar: only its database has those. */
export const kuttStats: ClickApi = {
  requests: (link) => Number((clicksIn(link) ?? 0) > 0),
  async read({ get }, link) {
    const page = await get({ path: `/api/v2/links/${encodeURIComponent(textAt('id')(link) ?? '')}/stats` })
    const history = new ClickHistory()
    for (const [part, add] of PARTS)
      for (const row of (itemsIn(memberAt('lastYear', 'stats', part)(page)) ?? []).filter(isObject))
        add(history, textAt('name')(row) ?? '', countIn(row) ?? 0)
    return history.clicksBy
  },
}

const PARTS: [part: string, add: (history: ClickHistory, name: string, clicks: number) => void][] = [
  ['browser', (history, name, clicks) => history.add('browsers', KUTT_BROWSERS[name] ?? 'Unknown', clicks)],
  [
    'os',
    (history, name, clicks) => history.add('operating_systems', KUTT_SYSTEMS[name] ?? 'Unknown', clicks),
  ],
  ['country', (history, name, clicks) => history.addCountry(name, clicks)],
  ['referrer', (history, name, clicks) => history.addReferrer(kuttReferrer(name), clicks)],
]
