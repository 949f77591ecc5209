import { describe, expect, test } from 'bun:test'
import { checkCounters } from '../../src/clicks/repair/check-counters.ts'
import { eventually } from '../rigs/eventually.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import {
  GOOGLEBOT,
  LINK_NOT_FOUND,
  makeLink,
  open,
  statusAndBody,
  useOwnContractRig,
} from './contract-rig.ts'

const rig = useOwnContractRig()
const caller = useCaller(rig)
const stranger = useCaller(rig)

describe('deleting the clicks of a link', () => {
  test('answers how many there were, and then none, and leaves the link as it is', async () => {
    const link = await clicked({ people: 3, bots: 2 })
    const before = await read(link.short_code)
    expect(await remove(link.short_code)).toEqual({
      status: 200,
      body: { success: true, message: 'Clicks deleted.', data: { clicks: 3, bots: 2, imported_clicks: 0 } },
    })
    expect(await remove(link.short_code)).toMatchObject({
      status: 200,
      body: { data: { clicks: 0, bots: 0 } },
    })
    const zeros = { click_count: 0, bot_click_count: 0, last_clicked_at: null }
    expect(await read(link.short_code)).toEqual({ ...before, ...known(zeros, before) })
    expect((await open(rig, link.short_code)).status).toBe(302)
    await hasClicks(link.short_code, 1)
  })

  test('leaves every report as if they had never been', async () => {
    const other = await clicked({ people: 2, bots: 1 })
    const reports = ['clicks', 'countries', 'browsers', 'referrers', 'bots', 'links', 'sources', 'domains']
    const all = () =>
      Promise.all([
        ...reports.map((name) => answered(`/api/analytics/${name}?period=7d`)),
        answered('/api/analytics/overview'),
        answered(`/api/analytics/export?period=7d&format=ndjson`),
      ])
    const link = await makeLink(rig, caller)
    const before = await all()
    await visit(link.short_code, { people: 4, bots: 3 })
    expect(await all()).not.toEqual(before)
    await remove(link.short_code)
    expect(await all()).toEqual(before)
    expect(await answered(`/api/analytics/links/${link.short_code}?period=7d`)).toMatchObject({
      data: { total_clicks: 0 },
    })
    await hasClicks(other.short_code, 2)
    expect((await checkCounters(rig.store.db)).filter(({ broken }) => broken.length > 0)).toEqual([])
  })

  test('never opens a limit that is reached, and deleted clicks do not count against a later one', async () => {
    const link = await makeLink(rig, caller, { max_clicks: 2 })
    const status = async () => (await open(rig, link.short_code)).status
    expect([await status(), await status(), await status()]).toEqual([302, 302, 410])
    await hasClicks(link.short_code, 2)
    await remove(link.short_code)
    expect([await status(), (await read(link.short_code)).status]).toEqual([410, 'limit_reached'])
    const later = await clicked({ people: 2 })
    await remove(later.short_code)
    await rig.call('PUT', `/api/links/${later.short_code}`, { key: caller.key, body: { max_clicks: 1 } })
    const statuses = [await open(rig, later.short_code), await open(rig, later.short_code)]
    expect(statuses.map(({ status }) => status)).toEqual([302, 410])
  })

  test('is in the audit log with both numbers, and only if there were any', async () => {
    const link = await clicked({ people: 1, bots: 1 })
    await remove(link.short_code)
    await remove(link.short_code)
    const { data } = await answered(`/api/audit-log?target=${link.short_code}&action=link.clicks_deleted`)
    expect(data.map(({ changes }: any) => changes)).toEqual([
      { clicks: { from: 1, to: 0 }, bots: { from: 1, to: 0 } },
    ])
  })

  test('takes an alias, and no link of others or in the trash', async () => {
    const link = await clicked({ people: 1 }, { aliases: [`alias-${Date.now()}`] })
    expect(statusAndBody(await rig.call('DELETE', path(link.short_code), { key: stranger.key }))).toEqual({
      status: 404,
      body: LINK_NOT_FOUND,
    })
    expect(await remove(link.aliases[0])).toMatchObject({ body: { data: { clicks: 1, bots: 0 } } })
    await rig.call('DELETE', `/api/links/${link.short_code}`, { key: caller.key })
    expect(await remove(link.short_code)).toEqual({ status: 404, body: LINK_NOT_FOUND })
  })
})

const path = (code: string) => `/api/links/${code}/clicks`

const remove = async (code: string) =>
  statusAndBody(await rig.call('DELETE', path(code), { key: caller.key }))

const answered = async (url: string): Promise<any> => (await rig.call('GET', url, { key: caller.key })).body

const read = async (code: string) => (await answered(`/api/links/${code}`)).data

/** Those of the values whose fields a link has. */
const known = (values: Record<string, unknown>, link: object) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in link))

const hasClicks = async (code: string, clicks: number) =>
  expect(
    await eventually(
      async () => (await read(code)).click_count,
      (count) => count === clicks,
    ),
  ).toBe(clicks)

type Visits = { people: number; bots?: number }

/** A link whose visits are counted. */
async function clicked(visits: Visits, fields = {}) {
  const link = await makeLink(rig, caller, fields)
  await visit(link.short_code, visits)
  return link
}

async function visit(code: string, { people, bots = 0 }: Visits): Promise<void> {
  for (let each = 0; each < bots; each++) await open(rig, code, { 'User-Agent': GOOGLEBOT })
  for (let each = 0; each < people; each++) expect((await open(rig, code)).status).toBe(302)
  await hasClicks(code, people)
}
