import { afterEach, expect, test } from 'bun:test'
import { KEY } from '../../../test/rigs/import/source-apis.ts'
import { json, type SourceServer, startSourceServer } from '../../../test/rigs/import/source-server.ts'
import type { SourceItem } from '../source.ts'
import { readSource } from './read-source.ts'

let server: SourceServer | undefined
afterEach(() => server?.stop())

test('a link whose clicks came from more referrers than a group has room for comes along, with the first of them', async () => {
  server = await startSourceServer((request, response) =>
    json(request.url.pathname.endsWith('/visits') ? VISITS : LIST)(request, response),
  )
  const client = { baseUrl: 'http://localhost', reachableIps: ['127.0.0.1'], reachesAnyPort: true }
  const choices = { clicks: 'history' as const, selection: {} }
  const opening = { source: 'shlink', url: server.url, key: KEY, ...choices, client }
  const groups = await Array.fromAsync(readSource(opening, { described() {}, said() {}, waits() {} }))
  const [item] = groups.flatMap(({ links }) => JSON.parse(links) as SourceItem[])
  expect(item).toMatchObject({ link: { clicks: VISITED, clicksBy: { days: [{ clicks: VISITED }] } } })
  // One more than come along, so that the report says that some do not.
  expect((item as { link: { clicksBy: { referrers: unknown[] } } }).link.clicksBy.referrers).toHaveLength(501)
})

const VISITED = 30_000
const visit = (_: unknown, at: number) => ({
  date: '2026-11-20T10:00:00+01:00',
  referer: `https://spam-${at}.referrers.example/`,
  userAgent: '',
  visitLocation: null,
  potentialBot: false,
})
const VISITS = { visits: { data: Array.from({ length: VISITED }, visit), pagination: { pagesCount: 1 } } }
const LINK = {
  shortUrl: 'https://s.example/spam',
  shortCode: 'spam',
  longUrl: 'https://example.com/',
  visitsSummary: { total: VISITED, nonBots: VISITED, bots: 0 },
}
const LIST = { shortUrls: { data: [LINK], pagination: { pagesCount: 1 } } }
