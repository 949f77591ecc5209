import { isObject } from '../../validation/is-object.ts'
import { ClickHistory } from '../files/click-history.ts'
import { itemsIn, type JsonObject, memberAt } from '../files/json-pages.ts'
import { type ClickApi, type ClickPages, numberAt, textAt } from '../network/source-api.ts'

const PARTS = ['countries', 'referring_domains']

/** The days, and one request more for each part of a bitlink that was clicked. */
export const bitlyMetrics: ClickApi = {
  requests: () => 1 + PARTS.length,
  async read(pages, link) {
    const history = new ClickHistory()
    for (const row of await rowsOf(pages, link, { part: 'clicks', list: 'link_clicks' }))
      history.addDay(textAt('date')(row) ?? '', clicksIn(row) ?? 0)
    if (history.dated === 0) return history.clicksBy
    for (const part of PARTS)
      for (const row of await rowsOf(pages, link, { part, list: 'metrics' })) {
        const value = textAt('value')(row) ?? ''
        const clicks = clicksIn(row) ?? 0
        if (part === 'countries') history.addCountry(value, clicks)
        else history.addReferrer(value === 'direct' ? '' : value, clicks)
      }
    return history.clicksBy
  },
}

const clicksIn = numberAt('clicks')

/** Of all time, as far as the plan of the key has it. */
async function rowsOf(
  { get }: ClickPages,
  link: JsonObject,
  { part, list }: { part: string; list: string },
): Promise<JsonObject[]> {
  const path = (textAt('id')(link) ?? '').split('/').map(encodeURIComponent).join('/')
  const page = await get({ path: `/v4/bitlinks/${path}/${part}`, query: { unit: 'day', units: '-1' } })
  return (itemsIn(memberAt(list)(page)) ?? []).filter(isObject)
}
