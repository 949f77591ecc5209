import { referrerHost } from '../../clicks/visitor/referrer-host.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { isObject } from '../../validation/is-object.ts'
import { ClickHistory } from '../files/click-history.ts'
import { itemsIn, type JsonObject, memberAt } from '../files/json-pages.ts'
import { readTime } from '../files/read-date.ts'
import { type ClickApi, numberAt, textAt } from '../network/source-api.ts'

/** Of one link: the newest ones. What is older comes along without its day. */
const VISITS_MAX = 100_000
/** About 3 MB. */
const VISITS_OF_PAGE = 5_000

const visitsIn = memberAt('visits', 'data')
const pageCount = numberAt('visits', 'pagination', 'pagesCount')
const humansIn = numberAt('visitsSummary', 'nonBots')
const visitsOf = numberAt('visitsCount')

/** A request for each link, and another one for every 5,000 visits. */
export const shlinkVisits: ClickApi = {
  requests: (link) => Math.ceil(Math.min(humansIn(link) ?? visitsOf(link) ?? 0, VISITS_MAX) / VISITS_OF_PAGE),
  async read({ get, nowUs }, link) {
    const history = new ClickHistory()
    let count = 0
    for (let page = 1, last = 1; page <= last && count < VISITS_MAX; page++) {
      const answer = await get(visitsRequest(link, page, nowUs))
      const visits = (itemsIn(visitsIn(answer)) ?? []).filter(isObject)
      if (visits.length === 0) break
      for (const visit of visits) addVisit(history, visit)
      count += visits.length
      last = pageCount(answer) ?? 1
    }
    return history.clicksBy
  },
}

/** The newest are first, so those that come while pages are read would move others to the next page. */
const visitsRequest = (link: JsonObject, page: number, nowUs: number) => {
  const domain = textAt('domain')(link)
  return {
    path: `/rest/v3/short-urls/${(textAt('shortCode')(link) ?? '').split('/').map(encodeURIComponent).join('/')}/visits`,
    query: {
      ...(domain && { domain }),
      page: String(page),
      itemsPerPage: String(VISITS_OF_PAGE),
      excludeBots: 'true',
      endDate: isoMicroseconds(nowUs),
    },
  }
}

function addVisit(history: ClickHistory, visit: JsonObject): void {
  // Versions that do not know `excludeBots` send them too.
  if (visit.potentialBot === true) return
  history.addDay(readTime(textAt('date')(visit) ?? '', []) ?? '', 1)
  history.addCountry(textAt('countryCode')(visit.visitLocation) ?? '', 1)
  history.addReferrer(referrerHost(textAt('referer')(visit) ?? ''), 1)
  history.addVisitor(textAt('userAgent')(visit) ?? '')
}
