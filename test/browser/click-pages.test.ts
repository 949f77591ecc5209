import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasNoChromium } from './chromium.ts'
import { axeFindings, type DashboardRig, startDashboardRig } from './dashboard-rig.ts'

const CLICK = {
  short_code: 'launch',
  clicked_at: '2026-11-21T08:00:00.000000Z',
  country_code: 'DE',
  country: 'Germany',
  browser: 'Firefox',
  device: 'desktop',
  referrer: 'news.example.org',
  is_bot: false,
}

describe.skipIf(hasNoChromium)('clicks', () => {
  let rig: DashboardRig
  let page: Page

  beforeAll(async () => {
    rig = await startDashboardRig()
  })

  afterAll(() => rig.stop())

  beforeEach(() => rig.begin())

  const open = async (path: string) => {
    ;({ page } = await rig.open(path))
    await page.locator('.chart canvas').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
  }
  const asked = (line: string) => rig.server.requests.filter((each) => each.line === line).length

  test('show as they come, and the figures follow', async () => {
    await open('/overview')
    const before = asked('GET /analytics/overview')
    rig.server.tellClick(CLICK)
    await page.getByText('Germany · Firefox · news.example.org').waitFor()
    while (asked('GET /analytics/overview') === before) await Bun.sleep(20)
  })

  test('that come in hundreds are listed up to a bound, and ask for the figures once', async () => {
    await open('/links/launch')
    const before = asked('GET /analytics/links/launch')
    for (let clicks = 0; clicks < 300; clicks++) rig.server.tellClick(CLICK)
    while (asked('GET /analytics/links/launch') === before) await Bun.sleep(20)
    expect(asked('GET /analytics/links/launch')).toBe(before + 1)
  })

  test('are said to be live no longer when the stream breaks', async () => {
    await open('/links/launch')
    await rig.begin()
    await page.getByText('Not live').waitFor()
  })

  test('the range and its steps stand in the address', async () => {
    await open('/links/launch')
    await page.getByRole('button', { name: '7 d' }).click()
    await page.getByLabel('Steps').selectOption('hour')
    await page.waitForURL(/\/links\/launch\?period=7d&granularity=hour$/)
    await page.getByRole('button', { name: 'Own', exact: true }).click()
    await page.getByLabel('From').fill('2026-04-01')
    await page.getByLabel('To', { exact: true }).fill('2026-04-20')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/\?from=2026-04-01&to=2026-04-20&granularity=hour$/)
  })

  test('dragging over the chart zooms in, and a double click zooms out', async () => {
    await open('/links/launch')
    const box = (await page.locator('.u-over').boundingBox())!
    await page.mouse.move(box.x + box.width * 0.25, box.y + 80)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 90, { steps: 5 })
    await page.mouse.up()
    await page.waitForURL(/\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
    await page.locator('.u-over').dblclick()
    await page.waitForURL(/\/links\/launch$/)
  })

  test('every card gives its figures as a file', async () => {
    await open('/links/launch')
    for (const [card, name, head] of [
      ['Clicks over time', 'launch-clicks.csv', 'Time,Clicks,Unique visitors'],
      ['Countries', 'launch-countries.csv', 'Countries,Clicks,Share (%)'],
      ['Referrers', 'launch-referrers.csv', 'Referrers,Clicks,Share (%)'],
    ] as const) {
      const waiting = page.waitForEvent('download')
      await page.getByRole('button', { name: `Download CSV: ${card}` }).click()
      const download = await waiting
      expect(download.suggestedFilename()).toBe(name)
      expect(await Bun.file(await download.path()).text()).toStartWith(`${head}\r\n`)
    }
  })

  test('a link that is not there says so, and does not offer to try again', async () => {
    ;({ page } = await rig.open('/links/nothing'))
    await page.getByText('Link not found.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })
})
