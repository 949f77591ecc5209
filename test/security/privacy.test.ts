import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rawRequest, sendRaw } from '../rigs/raw-http.ts'
import { eventually, type ServiceRig, startServiceRig, type TestCaller } from '../rigs/service-rig.ts'

// T11 behind a proxy that is trusted, and visitors who ask not to be told apart.

let rig: ServiceRig
let caller: TestCaller

beforeAll(async () => {
  rig = await startServiceRig({ TRUSTED_PROXIES: '127.0.0.1' })
  caller = await rig.makeCaller()
})

afterAll(() => rig.stop())

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
  const data = await eventually(read, ({ total_clicks }) => total_clicks === visits.length)
  expect(data.total_clicks).toBe(visits.length)
  return data
}

const rowsOf = async (linkId: number) =>
  rig.store.db.selectFrom('clicks').select(['visitor', 'is_bot']).where('link_id', '=', linkId).execute()

test('visitors are told apart by what a trusted proxy says of them', async () => {
  const data = await afterVisits('by-proxy', [
    ['X-Forwarded-For: 203.0.113.1'],
    ['X-Forwarded-For: 203.0.113.2'],
    ['X-Forwarded-For: 203.0.113.2'],
  ])
  expect(data.unique_visitors).toBe(2)
})

test('what stands left of the last hop that nobody trusts is anybody’s invention', async () => {
  const data = await afterVisits('invented', [
    ['X-Forwarded-For: 198.51.100.1, 203.0.113.1'],
    ['X-Forwarded-For: 198.51.100.2, 203.0.113.1'],
    ['X-Forwarded-For: 198.51.100.3', 'X-Forwarded-For: 203.0.113.1'],
    ['X-Forwarded-For: 198.51.100.4, 203.0.113.1, 127.0.0.1'],
    ['X-Forwarded-For: x, 203.0.113.1:4711'],
  ])
  expect(data.unique_visitors).toBe(1)
})

test('a peer that is not trusted is believed nothing', async () => {
  const visits = Array.from({ length: 5 }, (_, i) => [
    `X-Forwarded-For: 203.0.113.${i}`,
    `Forwarded: for=203.0.113.${i}`,
  ])
  const data = await afterVisits('untrusted', visits, '127.0.0.9')
  expect(data.unique_visitors).toBe(1)
})

test('guesses of one IPv6 network are counted together, and beside those of its neighbour', async () => {
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
])('a visitor who asks by %s is counted, but not told apart', async (code, visits) => {
  const data = await afterVisits(code, visits)
  expect([data.total_clicks, data.unique_visitors]).toEqual([1, 0])
  expect(await rowsOf(data.link.id)).toEqual([{ visitor: null, is_bot: 0 }])
})

test.each([
  ['gpc-other', [['Sec-GPC: 10']]],
  ['gpc-zero', [['Sec-GPC: 0']]],
  ['gpc-word', [['Sec-GPC: true']]],
  ['dnt-zero', [['DNT: 0']]],
])('a visitor who does not ask, %s, is', async (code, visits) => {
  const data = await afterVisits(code, visits)
  expect([data.total_clicks, data.unique_visitors]).toEqual([1, 1])
})

test('of the page that held the link only the host is kept', async () => {
  const referer = 'Referer: https://me:secret@news.example.org:8443/private/path?token=4711#part'
  const data = await afterVisits('referred', [[referer]])
  expect(data.referrers).toEqual([expect.objectContaining({ referrer: 'news.example.org', clicks: 1 })])
  expect(JSON.stringify(data)).not.toMatch(/secret|4711|private/)
})

test('a page fetched in case somebody goes there is no click, and neither is HEAD', async () => {
  await afterVisits('fetched', [[]])
  const ask = (method: string, headers: string[] = []) =>
    sendRaw(rig.url, rawRequest(method, '/fetched', { headers }))
  for (const headers of [
    ['Sec-Purpose: prefetch'],
    ['Sec-Purpose: prefetch;prerender'],
    ['Purpose: prefetch'],
    ['X-Moz: prefetch'],
  ]) {
    const answer = await ask('GET', headers)
    expect([answer.status, answer.headers['cache-control']]).toEqual([302, 'private, no-store'])
  }
  const [head, get] = [await ask('HEAD'), await ask('GET')]
  const { date: _, ...sameOfGet } = get.headers
  expect(head.headers).toMatchObject(sameOfGet)
  expect(head.body).toBe('')
  const read = async () =>
    (await rig.call('GET', '/api/links/fetched', { key: caller.key })).body.data.click_count
  expect(await eventually(read, (count) => count === 2)).toBe(2)
})
