import { expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { rawRequest, sendRaw } from '../rigs/http/raw-http.ts'
import { useCaller, useOwnServiceRig } from '../rigs/service/service-rig.ts'

// T11 behind a trusted proxy, and visitors who opt out of identification.

const rig = useOwnServiceRig({ TRUSTED_PROXIES: '127.0.0.1' })
const caller = useCaller(rig)

test('visitors are distinguished by what a trusted proxy reports', async () => {
  const data = await afterVisits('by-proxy', [
    ['X-Forwarded-For: 203.0.113.1'],
    ['X-Forwarded-For: 203.0.113.2'],
    ['X-Forwarded-For: 203.0.113.2'],
  ])
  expect(data.unique_visitors).toBe(2)
})

test('entries left of the last untrusted hop are ignored', async () => {
  const data = await afterVisits('invented', [
    ['X-Forwarded-For: 198.51.100.1, 203.0.113.1'],
    ['X-Forwarded-For: 198.51.100.2, 203.0.113.1'],
    ['X-Forwarded-For: 198.51.100.3', 'X-Forwarded-For: 203.0.113.1'],
    ['X-Forwarded-For: 198.51.100.4, 203.0.113.1, 127.0.0.1'],
    ['X-Forwarded-For: x, 203.0.113.1:4711'],
  ])
  expect(data.unique_visitors).toBe(1)
})

test('headers of an untrusted peer are ignored', async () => {
  const visits = Array.from({ length: 5 }, (_, i) => [
    `X-Forwarded-For: 203.0.113.${i}`,
    `Forwarded: for=203.0.113.${i}`,
  ])
  const data = await afterVisits('untrusted', visits, '127.0.0.9')
  expect(data.unique_visitors).toBe(1)
})

test('guesses from one IPv6 network are counted together, separate from its neighbor', async () => {
  const guess = (ip: string) =>
    rig.call('GET', '/guessed', { headers: { 'X-Forwarded-For': ip } }).then(({ status }) => status)
  const guesses = await Promise.all(
    Array.from({ length: 310 }, (_, i) => guess(`2001:db8:1:2::${(i + 1).toString(16)}`)),
  )
  expect(guesses.filter((status) => status === 429)).toHaveLength(10)
  expect(await guess('2001:db8:1:3::1')).toBe(404)
})

test.each([
  ['gpc', [['Sec-GPC: 1']]],
  ['dnt', [['DNT: 1']]],
  ['gpc-twice', [['Sec-GPC: 0', 'Sec-GPC: 1']]],
  ['gpc-first', [['Sec-GPC: 1', 'Sec-GPC: 0']]],
  ['both', [['DNT: 0', 'Sec-GPC: 1']]],
])('a visitor who opts out with %s is counted, but not identified', async (code, visits) => {
  const data = await afterVisits(code, visits)
  expect([data.total_clicks, data.unique_visitors]).toEqual([1, 0])
  expect(await rowsOf(data.link.id)).toEqual([{ clicks: 1, visitors: 0, workspace_visitors: 0 }])
})

test.each([
  ['gpc-other', [['Sec-GPC: 10']]],
  ['gpc-zero', [['Sec-GPC: 0']]],
  ['gpc-word', [['Sec-GPC: true']]],
  ['dnt-zero', [['DNT: 0']]],
])('a visitor who does not opt out, %s, is identified', async (code, visits) => {
  const data = await afterVisits(code, visits)
  expect([data.total_clicks, data.unique_visitors]).toEqual([1, 1])
})

test('only the host of the referrer is stored', async () => {
  const referer = 'Referer: https://me:secret@news.example.org:8443/private/path?token=4711#part'
  const data = await afterVisits('referred', [[referer]])
  expect(data.referrers).toEqual([expect.objectContaining({ referrer: 'news.example.org', clicks: 1 })])
  expect(JSON.stringify(data)).not.toMatch(/secret|4711|private/)
})

/** A new link, opened once with each set of header lines, and what is known of it then. */
async function afterVisits(code: string, visits: string[][], peer = '127.0.0.1') {
  const body = { original_url: 'https://example.com/', custom_code: code }
  await rig.call('POST', '/api/links', { key: caller.key, body })
  for (const headers of visits) {
    const { status } = await sendRaw(rig.url, rawRequest('GET', `/${code}`, { headers }), { from: peer })
    expect(status).toBe(302)
  }
  const read = async () =>
    (await rig.call('GET', `/api/analytics/links/${code}`, { key: caller.key })).body.data
  // Sums and breakdowns are read side by side, so a click that is just being counted may be in one of them only.
  const inBreakdowns = ({ devices }: any) => devices.reduce((sum: number, each: any) => sum + each.clicks, 0)
  const data = await eventually(
    read,
    (all) => all.total_clicks === visits.length && inBreakdowns(all) === visits.length,
  )
  expect([data.total_clicks, inBreakdowns(data)]).toEqual([visits.length, visits.length])
  return data
}

const rowsOf = async (linkId: number) =>
  rig.store.db
    .selectFrom('clicks')
    .select(['clicks', 'visitors', 'workspace_visitors'])
    .where('link_id', '=', linkId)
    .execute()
