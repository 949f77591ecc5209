import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { type TestCaller, useCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, open, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

describe('the clicks of an imported link', () => {
  test('are kept apart from its own, and exported as they were sent', async () => {
    const sent = link('counted', { clicks: CLICKS, max_clicks: 1 })
    expect(await outcomes([sent], { dry_run: true })).toEqual(['created'])
    expect(await outcomes([sent])).toEqual(['created'])
    expect(await imported('counted')).toEqual(CLICKS)
    const { data } = (await ask('GET', '/api/links/counted')).body
    expect([data.click_count, data.status]).toEqual([0, 'active'])
    expect((await open(rig, '/counted')).status).toBe(302)
    expect((await ask('GET', '/api/analytics/overview')).body.data.overview.total_clicks).toBeLessThan(400)
  })

  test('are imported once, and replaced by others only where that is wanted', async () => {
    const sent = link('again', { clicks: CLICKS })
    const more = link('again', { clicks: { ...CLICKS, total: 500 } })
    expect(await outcomes([sent])).toEqual(['created'])
    expect(await outcomes([sent], { on_conflict: 'replace' })).toEqual(['equal'])
    const { body } = await ask('POST', '/api/links/import', { links: [more] })
    expect(body.data[0]).toMatchObject({
      result: 'skipped',
      differences: { clicks: { here: 402, imported: 500 } },
    })
    expect(await outcomes([more], { on_conflict: 'keep' })).toEqual(['kept'])
    expect((await imported('again')).total).toBe(402)
    expect(await outcomes([more], { on_conflict: 'replace', dry_run: true })).toEqual(['replaced'])
    expect((await imported('again')).total).toBe(402)
    expect(await outcomes([more], { on_conflict: 'replace' })).toEqual(['replaced'])
    expect((await imported('again')).total).toBe(500)
    expect(await outcomes([link('again')])).toEqual(['equal'])
  })

  test('are added to a link that is here without them', async () => {
    await outcomes([link('late')])
    expect(await imported('late')).toBeNull()
    expect(await outcomes([link('late', { clicks: CLICKS })])).toEqual(['skipped'])
    expect(await outcomes([link('late', { clicks: CLICKS })], { on_conflict: 'keep' })).toEqual(['kept'])
    expect(await imported('late')).toEqual(CLICKS)
    const { custom_code: _, ...withoutCode } = link('', {
      clicks: CLICKS,
      original_url: `${DESTINATION}?one`,
    })
    expect(await outcomes([withoutCode])).toEqual(['created'])
    expect(await outcomes([withoutCode])).toEqual(['equal'])
  })

  test.each([
    [{ total: -1 }, { 'clicks.total': ['The total must be a whole number, and not negative.'] }],
    [{ total: 1, days: [{ day: '2025-02-29', clicks: 1 }] }, { 'clicks.days.0.day': [NOT_A_DAY] }],
    [{ total: 1, days: [{ day: '2025-02-28', clicks: 2 }] }, { 'clicks.days': [MORE('days')] }],
    [{ total: 1, browsers: [{ name: 'Firefox', clicks: 2 }] }, { 'clicks.browsers': [MORE('browsers')] }],
    [
      { total: 9, countries: [{ name: 'Germany', clicks: 2 }] },
      { 'clicks.countries.0.name': ['The name must be a code of two letters, such as DE, or unknown.'] },
    ],
  ])('are refused if they cannot be: %j', async (clicks, errors) => {
    const { body } = await ask('POST', '/api/links/import', { links: [link('refused', { clicks })] })
    expect(body.data).toMatchObject([{ result: 'refused', errors }])
  })

  test('are deleted with its own', async () => {
    await outcomes([link('deleted', { clicks: CLICKS })])
    const { body } = await ask('DELETE', '/api/links/deleted/clicks')
    expect(body.data).toEqual({ clicks: 0, bots: 0, imported_clicks: 402 })
    expect(await imported('deleted')).toBeNull()
  })

  test('are gone with a link that is deleted for good', async () => {
    await outcomes([link('purged', { clicks: CLICKS })])
    const { id } = (await ask('GET', '/api/links/purged')).body.data
    const rows = () =>
      rig.store.db.selectFrom('imported_clicks').selectAll().where('link_id', '=', id).execute()
    await ask('DELETE', '/api/links/purged')
    expect(await rows()).not.toEqual([])
    expect((await ask('DELETE', '/api/trash/purged')).status).toBe(200)
    expect(await rows()).toEqual([])
  })

  test('go to the trash by an undo, and come back with the next import', async () => {
    const { id } = (await ask('POST', '/api/imports', { source: 'csv' })).body.data
    await outcomes([link('undone', { clicks: CLICKS })], { import_id: id })
    expect((await ask('POST', `/api/imports/${id}/undo`, {})).status).toBe(200)
    await eventually(
      async () => (await ask('GET', `/api/imports/${id}`)).body.data.state,
      (state) => state === 'undone',
    )
    expect(await imported('undone')).toBeUndefined()
    const more = { ...CLICKS, total: 403 }
    expect(await outcomes([link('undone', { clicks: more })])).toEqual(['created'])
    expect(await imported('undone')).toEqual(more)
  })

  test('are in an export, which another workspace imports with the exact ones, and its own knows', async () => {
    await outcomes([link('moved', { clicks: CLICKS })])
    const line = await exported('moved')
    const copy = { ...line, clicks: { ...line.imported_clicks, total: 410 }, custom_code: 'moved' }
    expect(await outcomes([copy], { on_conflict: 'replace' })).toEqual(['equal'])
    const { domain: _, ...elsewhere } = { ...copy, custom_code: 'moved-2' }
    const other = await rig.makeCaller()
    expect(await outcomes([elsewhere], {}, other)).toEqual(['created'])
    expect((await exported('moved-2', other)).imported_clicks.total).toBe(410)
  })
})

const NOT_A_DAY = 'The day must be a day since 1970, such as 2026-11-20.'
const MORE = (part: string) => `The ${part} may not have more clicks than the total.`

const CLICKS = {
  total: 402,
  days: [
    { day: '2025-10-15', clicks: 100 },
    { day: '2026-01-01', clicks: 12 },
  ],
  countries: [
    { name: 'DE', clicks: 300 },
    { name: 'unknown', clicks: 2 },
  ],
  devices: [{ name: 'mobile', clicks: 5 }],
  browsers: [{ name: 'Firefox', clicks: 400 }],
  operating_systems: [{ name: 'Android', clicks: 7 }],
  referrers: [
    { name: 'news.example.org', clicks: 20 },
    { name: 'none', clicks: 1 },
  ],
}

const link = (custom_code: string, fields: object = {}) => ({
  original_url: DESTINATION,
  custom_code,
  ...fields,
})

const ask = (method: string, path: string, body?: unknown, { key }: Pick<TestCaller, 'key'> = caller) =>
  rig.call(method, path, { key, body })

async function outcomes(links: unknown[], options: object = {}, by?: TestCaller): Promise<string[]> {
  const { body } = await ask('POST', '/api/links/import', { links, ...options }, by)
  return body.data.map(({ result }: { result: string }) => result)
}

async function exported(code: string, by?: TestCaller): Promise<any> {
  const { text } = await ask('GET', '/api/export/links?format=ndjson', undefined, by)
  const lines = text.trim().split('\n')
  return lines.map((line: string) => JSON.parse(line)).find(({ short_code }: any) => short_code === code)
}

const imported = async (code: string) => (await exported(code))?.imported_clicks
