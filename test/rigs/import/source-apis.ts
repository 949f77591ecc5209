import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { fixture } from '../import-fixtures.ts'
import { bitlyMetrics, dubAnalytics, kuttStats, shlinkVisits } from './click-answers.ts'
import { json, type Respond, type SourceRequest, statusOnly } from './source-server.ts'

type Item = Record<string, any>

/** How the API of a program answers. `files`: where its links are. */
type SourceApi = {
  source: string
  title: string
  files: readonly string[]
  list(page: any): Item[]
  /** Of a wrong key. */
  refused: number
  isAllowed(request: SourceRequest): boolean
  /** A page of some of the links; undefined where the program has none. */
  page(request: SourceRequest, links: readonly Item[]): unknown
}

export const KEY = 'secret-key/of=the-source'
/** Fewer than programs send, so that few links have several pages. */
const PAGE = 15

const header = (name: string, value: string) => ({
  isAllowed: ({ headers }: SourceRequest) => headers[name] === value,
})
const bearer = header('authorization', `Bearer ${KEY}`)
const pages = (source: string, name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${source}/${name}-${at + 1}.json`)

/** What follows an item with this ID: nothing, if it is not there. */
function after(links: readonly Item[], id: string | null): Item[] {
  const place = links.findIndex((link) => link.id === id)
  if (id !== null && place === -1) return []
  return links.slice(place + 1, place + 1 + PAGE)
}

export const SOURCE_APIS: SourceApi[] = [
  {
    source: 'kutt',
    title: 'Kutt',
    files: pages('kutt', 'links-page', 3),
    list: (page) => page.data,
    refused: 401,
    ...header('x-api-key', KEY),
    page(request, links) {
      const { url } = request
      if (url.pathname !== '/api/v2/links') return kuttStats(request, links)
      const skip = Number(url.searchParams.get('skip'))
      return { total: links.length, limit: PAGE, skip, data: links.slice(skip, skip + PAGE) }
    },
  },
  {
    source: 'shlink',
    title: 'Shlink',
    files: pages('shlink', 'short-urls-page', 3),
    list: (page) => page.shortUrls.data,
    refused: 401,
    ...header('x-api-key', KEY),
    page(request, links) {
      const { url } = request
      if (url.pathname !== '/rest/v3/short-urls') return shlinkVisits(request)
      const currentPage = Number(url.searchParams.get('page'))
      const data = links.slice((currentPage - 1) * PAGE, currentPage * PAGE)
      const pagesCount = Math.ceil(links.length / PAGE)
      return { shortUrls: { data, pagination: { currentPage, pagesCount, totalItems: links.length } } }
    },
  },
  {
    source: 'dub',
    title: 'Dub',
    files: pages('dub', 'links-page', 2),
    list: (page) => page,
    refused: 401,
    ...bearer,
    page(request, links) {
      const { pathname, searchParams } = request.url
      const areAll = pathname === '/links' && searchParams.get('showArchived') === 'true'
      return areAll ? after(links, searchParams.get('startingAfter')) : dubAnalytics(request, links)
    },
  },
  {
    source: 'bitly',
    title: 'Bitly',
    files: pages('bitly', 'bitlinks-page', 2),
    list: (page) => page.links,
    refused: 403,
    ...bearer,
    page: (request, links) => bitlyPage(request.url, links) ?? bitlyMetrics(request),
  },
  {
    source: 'rebrandly',
    title: 'Rebrandly',
    files: pages('rebrandly', 'links-page', 2),
    list: (page) => page,
    refused: 401,
    ...header('apikey', KEY),
    page({ url: { pathname, searchParams }, headers }, links) {
      const last = searchParams.get('last')
      if (pathname === '/v1/workspaces') return after([{ id: 'w0' }, { id: 'w1' }], last)
      if (pathname !== '/v1/links') return undefined
      const ofWorkspace = links.filter(({ id }) => headers.workspace === `w${Number(id < '2')}`)
      return after(ofWorkspace, last)
    },
  },
  {
    source: 'shortio',
    title: 'Short.io',
    files: pages('shortio', 'links-page', 2),
    list: (page) => page.links,
    refused: 401,
    ...header('authorization', KEY),
    page({ url: { pathname, searchParams } }, links) {
      if (pathname === '/api/domains')
        return [...new Set(links.map(({ DomainId }) => DomainId))].map((id) => ({
          id,
          hostname: 'a.example',
        }))
      const ofDomain = links.filter(({ DomainId }) => String(DomainId) === searchParams.get('domain_id'))
      const start = Number(searchParams.get('pageToken'))
      const end = start + PAGE
      const token = end < ofDomain.length ? { nextPageToken: String(end) } : {}
      return { count: PAGE, links: ofDomain.slice(start, end), ...token }
    },
  },
  {
    source: 'tinyurl',
    title: 'TinyURL',
    files: ['tinyurl/links.json'],
    list: (page) => page.data,
    refused: 401,
    ...bearer,
    page({ url: { pathname } }, links) {
      const isArchived = pathname === '/urls/archived'
      const data = links.filter(({ archived }) => archived === isArchived)
      return pathname.startsWith('/urls/') ? { data, code: 0, errors: [] } : undefined
    },
  },
  {
    source: 'yourls',
    title: 'YOURLS',
    files: ['yourls/api-stats-last-all.json'],
    list: (page) => Object.values(page.links),
    refused: 403,
    isAllowed: ({ url }) => url.searchParams.get('signature') === KEY,
    page({ url: { pathname, searchParams } }, links) {
      if (pathname !== '/yourls-api.php' || searchParams.get('format') !== 'json') return undefined
      const start = Number(searchParams.get('start'))
      const some = links.slice(start, start + PAGE)
      const named = Object.fromEntries(some.map((link, at) => [`link_${at + 1}`, link]))
      const list = some.length === 0 ? {} : { links: named }
      return { ...list, stats: { total_links: String(links.length) }, statusCode: '200' }
    },
  },
]

const BITLY_GROUPS = [
  { guid: 'Bn7k2Lm9QxZ', name: 'fixtureuser' },
  { guid: 'Bempty00000', name: 'Without links' },
]

function bitlyPage({ pathname, searchParams }: URL, links: readonly Item[]): unknown {
  if (pathname === '/v4/groups') return { groups: BITLY_GROUPS }
  if (pathname === `/v4/groups/${BITLY_GROUPS[1]!.guid}/bitlinks`)
    return { links: [], pagination: { next: '' } }
  const path = '/v4/groups/Bn7k2Lm9QxZ/bitlinks'
  if (pathname !== path || searchParams.get('archived') !== 'both') return undefined
  const start = Number(searchParams.get('search_after'))
  const end = start + PAGE
  // The whole URL, as Bitly says it.
  const next =
    end < links.length ? `https://api-ssl.bitly.com${path}?archived=both&size=100&search_after=${end}` : ''
  return { links: links.slice(start, end), pagination: { next, total: links.length } }
}

/** All links in the files of a program. */
export const linksIn = ({ files, list }: SourceApi): Item[] =>
  files.flatMap((file) => list(JSON.parse(readFileSync(fixture(file), 'utf8'))))

/** Answers as the program does with these links. */
export const serviceOf =
  (api: SourceApi, links: () => readonly Item[]): Respond =>
  (request: SourceRequest, response: ServerResponse) => {
    if (!api.isAllowed(request)) return statusOnly(api.refused)(request, response)
    const page = api.page(request, links())
    return page === undefined ? statusOnly(404)(request, response) : json(page)(request, response)
  }
