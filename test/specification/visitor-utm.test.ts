import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { FIREFOX, GOOGLEBOT, makeLink, open, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)
const DESTINATION = 'https://example.com/?utm_source=newsletter&utm_campaign=spring'
let code: string

beforeAll(openLinks)

describe('UTM parameters with which a short URL is opened', () => {
  test('count instead of those of the destination, if there are some', async () => {
    expect(await rowsOf('source')).toEqual({ newsletter: 3, poster: 2, 'Straße 1': 1 })
    expect(await rowsOf('campaign')).toEqual({ spring: 3, null: 2, summer: 1 })
  })

  test.each([
    ['utm_source=newsletter', 3],
    ['utm_source=poster', 2],
    ['utm_source=poster&utm_source=newsletter', 5],
    ['utm_source=not:poster', 4],
    ['utm_source=not:newsletter', 3],
    ['utm_campaign=spring', 3],
    ['utm_campaign=summer&utm_source=poster', 1],
    ['utm_campaign=not:summer&utm_source=poster', 1],
    ['utm_source=nothing', 0],
    ['utm_source=poster&tag=printed', 2],
    ['utm_source=poster&tag=not:printed', 0],
  ])('are found by filters, as those of destinations: %s', async (filter, clicks) => {
    const { meta } = await get(`/api/analytics/clicks?${filter}`)
    expect(meta.total).toBe(clicks)
    const { text } = await rig.call('GET', `/api/analytics/export?format=ndjson&${filter}`, caller)
    const rows = text.split('\n').filter((line) => line !== '' && JSON.parse(line).clicks > 0)
    expect(rows).toHaveLength(clicks)
    if (filter.includes('tag=')) return
    const { data } = await get(`/api/analytics/links/${code}?${filter}`)
    expect(data.total_clicks).toBe(clicks)
    const ofLink = await get(`/api/analytics/clicks?short_code=${code}&${filter}`)
    expect(ofLink.meta.total).toBe(clicks)
  })

  test('are in the export, each by itself', async () => {
    const { text } = await rig.call('GET', '/api/analytics/export?format=ndjson', caller)
    const rows = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
    expect(rows.filter(({ utm_source: source }) => source !== null)).toHaveLength(3)
    expect(rows).toContainEqual(
      expect.objectContaining({ utm_source: 'poster', utm_medium: null, utm_campaign: 'summer' }),
    )
  })

  test('are unknown of bots, which are found by the links', async () => {
    expect((await get('/api/analytics/bots?utm_source=newsletter')).meta.total).toBe(1)
    expect((await get('/api/analytics/bots?utm_source=poster')).meta.total).toBe(0)
  })

  test('stay those of the clicks of a deleted link, unlike those of its destination', async () => {
    await rig.call('DELETE', `/api/links/${code}`, caller)
    expect(await rowsOf('source')).toEqual({ poster: 2, 'Straße 1': 1 })
    expect(await rowsOf('campaign')).toEqual({ null: 2, summer: 1 })
    expect((await get('/api/analytics/clicks?utm_source=poster')).meta.total).toBe(2)
    expect((await get('/api/analytics/clicks?utm_source=newsletter')).meta.total).toBe(0)
  })
})

/** The setting reaches the redirect thread with its change, so the clicks before it have no parameters of their own. */
async function openLinks(): Promise<void> {
  code = (await makeLink(rig, caller, { original_url: DESTINATION, tags: ['Printed'] })).short_code
  const visit = async (query: string, headers = { 'User-Agent': FIREFOX }) => {
    const answer = await open(rig, code + query, headers)
    expect(answer.headers.get('location')).toBe(DESTINATION)
  }
  await visit('?utm_source=poster')
  await rig.call('PUT', '/api/workspace/settings', { ...caller, body: { count_visitor_utm: true } })
  await visit('?utm_source=poster')
  await visit('?utm_campaign=summer&utm_source=poster&a=1')
  await visit('?utm_source=Stra%C3%9Fe+1')
  await visit('?a=1&source=poster')
  await visit('?utm_source=poster', { 'User-Agent': GOOGLEBOT })
  await rig.call('PUT', '/api/workspace/settings', { ...caller, body: { count_visitor_utm: false } })
  await visit('?utm_source=poster')
  await eventually(
    () => get('/api/analytics/clicks'),
    ({ meta }) => meta.total === 6,
  )
}

async function rowsOf(name: string): Promise<Record<string, number>> {
  const { data } = await get(`/api/analytics/utm?by=${name}`)
  return Object.fromEntries(data.map(({ value, clicks }: any) => [String(value), clicks]))
}

async function get(path: string): Promise<any> {
  const { status, body } = await rig.call('GET', path, caller)
  expect({ path, status }).toEqual({ path, status: 200 })
  return body
}
