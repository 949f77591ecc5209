import { describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import type { TestCaller } from '../rigs/service/service-rig.ts'
import { DESTINATION, makeLink, open, useContractRig } from './contract-rig.ts'

const rig = useContractRig()

const get = (path: string, { key }: TestCaller) => rig.call('GET', `/api/analytics/${path}`, { key })

describe('the overview', () => {
  test('keeps the clicks of a deleted link in its totals, but does not list the link', async () => {
    const owner = await rig.makeCaller()
    const gone = await makeLink(rig, owner)
    await open(rig, gone.short_code)
    const read = async () => (await get('overview', owner)).body.data
    await eventually(read, ({ overview: { total_clicks } }) => total_clicks === 1)
    await rig.call('DELETE', `/api/links/${gone.short_code}`, { key: owner.key })
    expect(await read()).toEqual({
      overview: { total_links: 0, total_clicks: 1, active_links: 0, clicks_today: 1 },
      top_links: [],
    })
    expect((await get('countries', owner)).body.meta.total).toBe(1)
  })

  test('counts links and active links as they are created, changed and deleted', async () => {
    const owner = await rig.makeCaller()
    const totals = async () => {
      const { total_links, active_links } = (await get('overview', owner)).body.data.overview
      return [total_links, active_links]
    }
    expect(await totals()).toEqual([0, 0])
    const { short_code } = await makeLink(rig, owner)
    await makeLink(rig, owner, { is_active: false })
    expect(await totals()).toEqual([2, 1])
    await rig.call('PUT', `/api/links/${short_code}`, { key: owner.key, body: { is_active: false } })
    expect(await totals()).toEqual([2, 0])
    await rig.call('DELETE', `/api/links/${short_code}`, { key: owner.key })
    expect(await totals()).toEqual([1, 0])
  })

  test('counts a link as active while visitors are led to its destination', async () => {
    const owner = await rig.makeCaller()
    const counts = async () => {
      const { active_links, total_links } = (await get('overview', owner)).body.data.overview
      const listed = await rig.call('GET', '/api/links?status=active&archived=include', { key: owner.key })
      return [total_links, active_links, listed.body.meta.total]
    }
    const active = async () => {
      const [total, active, listed] = await counts()
      expect(listed).toBe(active)
      return [total, active]
    }
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    await makeLink(rig, owner, { starts_at: at(3_600_000) })
    await makeLink(rig, owner, { is_active: false, starts_at: at(3_600_000) })
    await makeLink(rig, owner, { expires_at: at(3_600_000) })
    await makeLink(rig, owner, { is_archived: true })
    const limited = await makeLink(rig, owner, { max_clicks: 1 })
    await makeLink(rig, owner, { original_url: 'https://bad.example.net/' })
    await makeLink(rig, owner, { original_url: 'https://bad.example.net/', is_active: false })
    expect(await active()).toEqual([7, 4])
    const soon = await makeLink(rig, owner, { expires_at: at(300) })
    await eventually(counts, ([, active, listed]) => active === 4 && listed === 4)
    expect((await open(rig, soon.short_code)).status).toBe(410)
    await open(rig, limited.short_code)
    expect(await active()).toEqual([8, 3])
    await rig.store.db
      .insertInto('blocked_hosts')
      .values({ host: 'example.net', reason: 'Phishing', created_at: 1 })
      .execute()
    expect(await active()).toEqual([8, 2])
    await rig.store.db.deleteFrom('blocked_hosts').where('host', '=', 'example.net').execute()
    expect(await active()).toEqual([8, 3])
  })

  test('names the ten links with the most clicks', async () => {
    const owner = await rig.makeCaller()
    const body = {
      links: Array.from({ length: 12 }, (_, i) => ({ original_url: DESTINATION, title: `${i}` })),
    }
    const made = (await rig.call('POST', '/api/bulk-shorten', { key: owner.key, body })).body.data
    for (const [i, link] of made.entries())
      await Promise.all(Array.from({ length: i + 1 }, () => open(rig, link.short_code)))
    const read = async () => (await get('overview', owner)).body.data
    await eventually(read, (data) => data.overview.total_clicks === 78)
    // Its parts are read one after the other, and the last clicks may be counted in between.
    const { top_links } = await read()
    expect(top_links.map(({ title }: { title: string }) => title)).toEqual([
      '11',
      '10',
      '9',
      '8',
      '7',
      '6',
      '5',
      '4',
      '3',
      '2',
    ])
  })
})
