import { beforeAll, describe, expect, test } from 'bun:test'
import { makeHistory } from '../rigs/clicks/click-history.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { analyticsOn } from './pages/analytics-page.ts'
import { shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('imported clicks', () => {
  const rig = useBrowserRig()
  let user: TestUser

  beforeAll(importOne)

  test.each(['light', 'dark'] as const)('are marked in totals, chart and panels, in %s', async (theme) => {
    const page = await rig.open('/links/imported?period=90d', { user, theme })
    const { tile, card } = analyticsOn(() => page)
    await tile('Clicks').getByText('of these, 402 imported').waitFor()
    const chart = card('Clicks over time')
    await chart.getByText('Imported clicks', { exact: true }).waitFor()
    await shown(page, '2 imported clicks have no day, so the chart does not show them.')
    expect(await chart.getByText(/of these 400 imported/).count()).toBe(1)
    await card('Countries').getByTitle('300, of these 300 imported').waitFor()
    await card('Sources').getByTitle('20, of these 20 imported').waitFor()
    await card('Technology').getByTitle('390, of these 390 imported').waitFor()
    const plot = chart.getByRole('img')
    const { width = 0, height = 0 } = (await plot.boundingBox()) ?? {}
    await plot.hover({ position: { x: width / 2, y: height / 2 } })
    await chart.getByText('Of these, imported').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test.each(['light', 'dark'] as const)(
    'stand in the list of links below exact ones, in %s',
    async (theme) => {
      const page = await rig.open('/?search=imported', { user, theme })
      const row = page.getByRole('row').filter({ hasText: 'imported' }).first()
      await row.getByText('+ 402 imported').waitFor()
      await row.getByTitle('402 clicks that another program had counted').waitFor()
      expect(await axeFindings(page)).toEqual([])
    },
  )

  test('stand on the overview beside exact ones', async () => {
    const page = await rig.open('/overview?period=90d', { user })
    const { tile } = analyticsOn(() => page)
    await tile('Clicks').getByText('of these, 402 imported').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('are left out by filters that cannot reach them, and the page says so', async () => {
    const page = await rig.open('/links/imported?period=90d&country=DE', { user })
    await shown(page, '402 imported clicks are left out: these filters cannot reach them.')
    expect(await page.getByText('Imported clicks', { exact: true }).count()).toBe(0)
  })

  async function importOne(): Promise<void> {
    user = await rig.user()
    await makeHistory(rig, user)
    const dayOf = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
    const clicks = {
      total: 402,
      days: Array.from({ length: 40 }, (_, at) => ({ day: dayOf(at + 20), clicks: 10 })),
      countries: [
        { name: 'DE', clicks: 300 },
        { name: 'AT', clicks: 100 },
      ],
      browsers: [{ name: 'Firefox', clicks: 390 }],
      referrers: [{ name: 'www.facebook.com', clicks: 20 }],
    }
    const link = {
      original_url: 'https://example.com/imported',
      custom_code: 'imported',
      created_at: `${dayOf(70)}T00:00:00Z`,
      clicks,
    }
    await user.browser.succeed('POST', '/links/import', { links: [link] })
  }
})

const DAY_MS = 86_400_000
