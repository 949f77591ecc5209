import { readdirSync, readFileSync } from 'node:fs'
import { fixture } from '../import-fixtures.ts'
import type { SourceRequest } from './source-server.ts'

type Json = Record<string, any>

const parsed = (path: string): any => JSON.parse(readFileSync(fixture(path), 'utf8'))

// What the APIs answer of the clicks of one link: undefined if the request is not about that.

/** The visits of a link of Shlink, newest first, bots among them. */
export function shlinkVisitsOf(code: string, domain: string | null): Json[] {
  const name = `${domain === null ? '' : `${domain}_`}${code}-page-`
  return readdirSync(fixture('shlink/visits'))
    .filter((file) => file.startsWith(name))
    .sort()
    .flatMap((file) => parsed(`shlink/visits/${file}`).visits.data)
}

const VISITS = /^\/rest\/v3\/short-urls\/(.+)\/visits$/
const VISITS_OF_PAGE = 50

export function shlinkVisits({ url: { pathname, searchParams } }: SourceRequest): unknown {
  const code = VISITS.exec(pathname)?.[1]
  if (code === undefined) return undefined
  const areHumans = searchParams.get('excludeBots') === 'true'
  const end = Date.parse(searchParams.get('endDate')!)
  const visits = shlinkVisitsOf(decodeURIComponent(code), searchParams.get('domain')).filter(
    ({ potentialBot, date }) => !(areHumans && potentialBot) && Date.parse(date) <= end,
  )
  const page = Number(searchParams.get('page'))
  return {
    visits: {
      data: visits.slice((page - 1) * VISITS_OF_PAGE, page * VISITS_OF_PAGE),
      pagination: { currentPage: page, pagesCount: Math.ceil(visits.length / VISITS_OF_PAGE) },
    },
  }
}

/** Of other links, Kutt says that they were not clicked in the last year. */
export function kuttStats({ url }: SourceRequest, links: readonly Json[]): unknown {
  const id = /^\/api\/v2\/links\/(.+)\/stats$/.exec(url.pathname)?.[1]
  if (id === undefined) return undefined
  const { address, domain } = links.find((link) => link.id === id)!
  const name = `${domain === null ? '' : `${domain}_`}${address}.json`
  const isThere = readdirSync(fixture('kutt/stats')).includes(name)
  return isThere ? parsed(`kutt/stats/${name}`) : { lastYear: { stats: {}, views: [], total: 0 } }
}

export function bitlyMetrics({ url }: SourceRequest): unknown {
  const [, link, part] = /^\/v4\/bitlinks\/([^/]+\/[^/]+)\/(.+)$/.exec(url.pathname) ?? []
  if (link === undefined) return undefined
  const replies = parsed('bitly/metrics.json').replies[decodeURIComponent(link)]
  return replies?.[part + url.search] ?? { link_clicks: [], metrics: [] }
}

export function dubAnalytics({ url }: SourceRequest, links: readonly Json[]): unknown {
  const { pathname, searchParams } = url
  if (pathname !== '/analytics' || searchParams.get('event') !== 'clicks') return undefined
  const { shortLink } = links.find(({ id }) => id === searchParams.get('linkId'))!
  const rows: Json[] = parsed('dub/analytics.json').replies[shortLink]?.[searchParams.get('groupBy')!] ?? []
  const [start, end] = [searchParams.get('start')!, searchParams.get('end')!]
  return rows.filter((row) => row.start === undefined || (row.start >= start && row.start <= end))
}
