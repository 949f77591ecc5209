import { dayOf, isoDay } from '../../runtime/clock.ts'
import { isObject } from '../../validation/is-object.ts'
import { ClickHistory } from '../files/click-history.ts'
import { itemsIn, type JsonObject } from '../files/json-pages.ts'
import { PageRefusal } from '../network/page-client.ts'
import { type ClickApi, type ClickPages, numberAt, textAt } from '../network/source-api.ts'

/** For more, Dub answers by months. */
const DAYS_OF_REQUEST = 90
/** Eleven years. */
const PERIODS_MAX = 45

const clicksIn = numberAt('clicks')

/** A request for every 90 days, and one for each part. */
export const dubAnalytics: ClickApi = {
  requests: (link, nowUs) => (countIn(link) === 0 ? 0 : periodsOf(link, nowUs) + PARTS.length),
  async read(pages, link) {
    const history = new ClickHistory()
    const range = await addDays(history, pages, link)
    for (const [groupBy, add] of PARTS)
      for (const row of await rowsOf(pages, link, { groupBy, ...range })) add(history, row, countIn(row))
    return history.clicksBy
  },
}

const countIn = (row: JsonObject): number => clicksIn(row) ?? 0
const nameIn = (row: JsonObject, field: string): string => textAt(field)(row) ?? ''

type AddRow = (history: ClickHistory, row: JsonObject, clicks: number) => void

const PARTS: [groupBy: string, add: AddRow][] = [
  ['countries', (history, row, clicks) => history.addCountry(nameIn(row, 'country'), clicks)],
  ['devices', (history, row, clicks) => history.add('devices', deviceOf(nameIn(row, 'device')), clicks)],
  ['browsers', (history, row, clicks) => history.add('browsers', browserOf(nameIn(row, 'browser')), clicks)],
  ['os', (history, row, clicks) => history.add('operating_systems', systemOf(nameIn(row, 'os')), clicks)],
  ['referers', (history, row, clicks) => history.addReferrer(hostOf(nameIn(row, 'referer')), clicks)],
]

export const deviceOf = (name: string): string => name.toLowerCase() || 'other'
export const browserOf = (name: string): string => name.replace(/^Mobile (?=Safari|Chrome)/, '') || 'Unknown'
export const systemOf = (name: string): string => name.replace(/^Mac OS$/, 'macOS') || 'Unknown'
export const hostOf = (referer: string): string => (referer === '(direct)' ? '' : referer)

/** Those from its creation to now. */
function periodsOf(link: JsonObject, nowUs: number): number {
  const createdUs = Date.parse(textAt('createdAt')(link) ?? '') * 1000
  const days = Number.isNaN(createdUs) ? 1 : dayOf(nowUs) - dayOf(createdUs) + 1
  return Math.min(Math.max(Math.ceil(days / DAYS_OF_REQUEST), 1), PERIODS_MAX)
}

/** From today back, until all clicks have their day. The plan of the key may end it earlier. Gives what was read. */
async function addDays(history: ClickHistory, pages: ClickPages, link: JsonObject): Promise<Range> {
  const lastDay = dayOf(pages.nowUs)
  const periods = periodsOf(link, pages.nowUs)
  let all: Range | undefined
  for (let period = 0; period < periods && history.dated < countIn(link); period++) {
    const endDay = lastDay - period * DAYS_OF_REQUEST
    const range = {
      start: `${isoDay(endDay - DAYS_OF_REQUEST + 1)}T00:00:00.000Z`,
      end: `${isoDay(endDay)}T23:59:59.999Z`,
    }
    try {
      for (const row of await rowsOf(pages, link, { groupBy: 'timeseries', ...range }))
        history.addDay(nameIn(row, 'start'), countIn(row))
    } catch (error) {
      if (all !== undefined && error instanceof PageRefusal) return all
      throw error
    }
    all = { start: range.start, end: all?.end ?? range.end }
  }
  return all!
}

type Range = { start: string; end: string }

async function rowsOf(
  { get }: ClickPages,
  link: JsonObject,
  query: Record<string, string>,
): Promise<JsonObject[]> {
  const linkId = textAt('id')(link) ?? ''
  const page = await get({ path: '/analytics', query: { event: 'clicks', linkId, ...query } })
  return (itemsIn(page) ?? []).filter(isObject)
}
