import { beforeAll, expect, test } from 'bun:test'
import { LINK_STATUSES, type LinkStatus } from '../../src/links/link-status.ts'
import { type Browser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { open } from '../specification/contract-rig.ts'

const rig = useOwnDashboardRig()
let browser: Browser
let key: string

beforeAll(makeLinks)

test.each(LINK_STATUSES)(
  'links with the status %s are those that show it, and all are counted',
  async (status) => {
    const { links: all } = await allOf('/api/links', '')
    const codes = codesOf(all.filter((link) => link.status === status))
    expect(codes.length).toBeGreaterThan(0)
    for (const place of PLACES) {
      const { links, total } = await allOf(place, `status=${status}`)
      expect([place, codesOf(links), total]).toEqual([place, codes, codes.length])
    }
  },
)

async function makeLinks(): Promise<void> {
  browser = (await rig.user()).browser
  key = (await browser.succeed('POST', '/keys', { name: 'Lists', scopes: ['links:read'] })).key
  const links = combinations()
  for (let from = 0; from < links.length; from += 100)
    await browser.succeed('POST', '/bulk-shorten', { links: links.slice(from, from + 100) })
  await (await rig.user()).browser.succeed('POST', '/links', { original_url: FREE_HOSTS[0] })
  const { links: opened } = await allOf('/api/links', '')
  for (const [index, { short_code: code }] of opened.entries()) if (index % 2 === 0) await open(rig, code)
  for (const host of [
    'blocked.example',
    'xn--blcked-xxa.example',
    '8.8.8.8',
    '[2606:4700::1]',
    'unused.example',
  ])
    await browser.succeed('POST', '/admin/blocked-hosts', { host })
}

/** All that decides about a status, so that the first that applies must win. */
const SWITCHES = [true, false]

const STARTS = [null, '2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z']
const ENDS = [null, '2020-06-01T00:00:00Z', '2091-01-01T00:00:00Z']
const LIMITS = [null, 1, 2]
const FREE_HOSTS = ['https://free.example', 'https://not-blocked.example/a?b=https://blocked.example/']
const PLACES = ['/api/links', '/links'] as const

const OTHER_HOSTS = [
  'https://blocked.example',
  'http://Sub.BLOCKED.example.:8080/a',
  'https://bl%C3%B6cked.example?a=/',
  'http://8.8.8.8:81/a',
  'http://[2606:4700::1]:81/a',
  'https://free.example/blocked.example',
  'https://blocked.example.org/',
]

function combinations(): Record<string, unknown>[] {
  const options = SWITCHES.flatMap((is_active) =>
    STARTS.flatMap((starts_at) =>
      ENDS.flatMap((expires_at) =>
        LIMITS.map((max_clicks) => ({ is_active, starts_at, expires_at, max_clicks })),
      ),
    ),
  ).filter(({ starts_at: from, expires_at: to }) => from === null || to === null || from < to)
  return [
    ...FREE_HOSTS.flatMap((original_url) => options.map((each) => ({ ...each, original_url }))),
    ...OTHER_HOSTS.flatMap((original_url) => options.slice(0, 5).map((each) => ({ ...each, original_url }))),
  ]
}

type Listed = { short_code: string; status: LinkStatus }
type List = { links: Listed[]; total: number }

/** All pages of a list. */
async function allOf(path: string, query: string): Promise<List> {
  const links: Listed[] = []
  for (let page = 1; ; page++) {
    const { status, body } = path.startsWith('/api')
      ? await rig.call('GET', `${path}?per_page=100&page=${page}&${query}`, { key })
      : await browser.request('GET', `${path}?per_page=100&page=${page}&${query}`)
    expect([query, status]).toEqual([query, 200])
    links.push(...body.data)
    if (page >= body.meta.last_page) return { links, total: body.meta.total }
  }
}

const codesOf = (links: readonly Listed[]) => links.map(({ short_code: code }) => code)
