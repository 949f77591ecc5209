import { beforeAll, describe, expect, test } from 'bun:test'
import { LINK_STATUSES, type LinkStatus } from '../../src/links/link-status.ts'
import { ARCHIVED } from '../../src/links/lists/list-parameters.ts'
import { DIRECTIONS, LINK_SORTS } from '../../src/links/lists/link-order.ts'
import { type Browser, useDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { invalid, open, statusAndBody } from '../specification/contract-rig.ts'

const rig = useDashboardRig()
let browser: Browser
let key: string

/** All that decides about a status, so that the first that applies must win. */
const SWITCHES = [true, false]
const STARTS = [null, '2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z']
const ENDS = [null, '2020-06-01T00:00:00Z', '2091-01-01T00:00:00Z']
const LIMITS = [null, 1, 2]
const FREE_HOSTS = ['https://free.example', 'https://not-blocked.example/a?b=https://blocked.example/']
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
  ].map((fields, index) => ({
    ...fields,
    title: index % 3 === 0 ? 'Okapi' : 'Zebra',
    archived: index % 4 === 0,
    external_id: `id ${index}`,
  }))
}

type Listed = { short_code: string; status: LinkStatus; archived: boolean; title: string; is_active: boolean }
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

const PLACES = ['/api/links', '/links'] as const

beforeAll(async () => {
  browser = (await rig.user()).browser
  key = (await browser.succeed('POST', '/keys', { name: 'Lists', scopes: ['links:read'] })).key
  const links = combinations()
  for (let from = 0; from < links.length; from += 100)
    await browser.succeed('POST', '/bulk-shorten', { links: links.slice(from, from + 100) })
  await (await rig.user()).browser.succeed('POST', '/links', { original_url: FREE_HOSTS[0] })
  const { links: opened } = await allOf('/api/links', 'archived=include')
  for (const [index, { short_code: code }] of opened.entries()) if (index % 2 === 0) await open(rig, code)
  for (const host of [
    'blocked.example',
    'xn--blcked-xxa.example',
    '8.8.8.8',
    '[2606:4700::1]',
    'unused.example',
  ])
    await browser.succeed('POST', '/admin/blocked-hosts', { host })
})

describe('links with a status', () => {
  test('are those that show it, whatever else narrows the list, and the total is exact', async () => {
    const { links: all, total } = await allOf('/api/links', 'archived=include')
    expect([all.length, total]).toEqual([combinations().length, combinations().length])
    for (const place of PLACES) {
      for (const status of LINK_STATUSES) {
        for (const archived of ARCHIVED) {
          for (const search of ['', 'zebra']) {
            const wanted = all.filter(
              (link) =>
                link.status === status &&
                (archived === 'include' || link.archived === (archived === 'only')) &&
                (search === '' || link.title === 'Zebra'),
            )
            expect(wanted.length).toBeGreaterThan(0)
            const query = `status=${status}&archived=${archived}&search=${search}`
            const { links, total } = await allOf(place, query)
            expect([place, query, codesOf(links), total]).toEqual([
              place,
              query,
              codesOf(wanted),
              wanted.length,
            ])
          }
        }
      }
    }
  })

  test('are sorted as any other links', async () => {
    const { links: all } = await allOf('/links', 'archived=include')
    for (const status of LINK_STATUSES) {
      const wanted = all.filter((link) => link.status === status)
      for (const [sort, order] of LINK_SORTS.flatMap((sort) => DIRECTIONS.map((way) => [sort, way]))) {
        const query = `status=${status}&sort=${sort}&order=${order}&archived=include`
        const { links, total } = await allOf('/links', query)
        const codes = codesOf(links)
        const expected = codesOf(wanted)
        if (sort !== 'created_at' || order === 'asc') for (const list of [codes, expected]) list.sort()
        expect([query, codes, total]).toEqual([query, expected, wanted.length])
      }
    }
  })

  test('are found by their external ID as well', async () => {
    const { links } = await allOf('/api/links', 'archived=include&external_id=id 5')
    const [{ status, archived }] = links as [Listed]
    expect(archived).toBe(false)
    for (const each of LINK_STATUSES) {
      const found = await allOf('/api/links', `external_id=id 5&status=${each}`)
      expect([codesOf(found.links), found.total]).toEqual(each === status ? [codesOf(links), 1] : [[], 0])
    }
  })

  test.each(['none', 'Active', '%00'])('are not there for an unknown one: %s', async (status) => {
    const errors = { status: [`The status must be one of ${LINK_STATUSES.join(', ')}.`] }
    expect(statusAndBody(await rig.call('GET', `/api/links?status=${status}`, { key }))).toEqual({
      status: 422,
      body: invalid(errors),
    })
    expect((await browser.request('GET', `/links?status=${status}`)).body.errors).toEqual(errors)
  })
})
