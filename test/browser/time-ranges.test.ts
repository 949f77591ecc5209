import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { DAY_US } from '../../src/runtime/clock.ts'
import { makeHistory } from '../rigs/clicks/click-history.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { analyticsOn } from './pages/analytics-page.ts'
import { stopClock } from './user-pages.ts'

describe.skipIf(hasNoChromium)('a time range', () => {
  const rig = useBrowserRig()
  /** Has an account of 180 days, and links with clicks of up to ninety. */
  let owner: TestUser
  let page: Page
  const { tile, card, pickRange } = analyticsOn(() => page)

  beforeAll(async () => {
    owner = await rig.user()
    await makeHistory(rig, owner)
  })

  test('offers the intervals that it can be shown in, and names the automatic one', async () => {
    await setCreated('insta', 400)
    await open('/links/insta?period=12m&granularity=hour')
    await page.getByText('Automatic (monthly)').waitFor({ state: 'attached' })
    expect(await intervals()).toEqual([
      'Automatic (monthly)',
      'Hourly (shorter ranges only)',
      'Daily',
      'Weekly',
      'Monthly',
    ])
    expect(await interval().locator('option:disabled').count()).toBe(1)
    expect(await interval().inputValue()).toBe('auto')
    await card('Clicks over time').locator('canvas').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await pickRange('7d')
    await page.getByText('Automatic (daily)').waitFor({ state: 'attached' })
    // What was asked for in the first place can be had now.
    expect(await interval().inputValue()).toBe('hour')
    expect(await intervals()).toEqual(['Automatic (daily)', 'Hourly', 'Daily', 'Weekly', 'Monthly'])
  })

  test('that fails shows an error panel and keeps the range menu and the way back', async () => {
    let isBroken = true
    await open('/links')
    await page.route('**/analytics?*', (route) =>
      isBroken
        ? route.fulfill({
            status: 422,
            headers: { 'X-Request-Id': '0196-a1b2' },
            json: {
              success: false,
              code: 'validation_failed',
              message: 'The range cannot be shown.',
              errors: {},
            },
          })
        : route.continue(),
    )
    await page.goto(`${rig.config.baseUrl}/dashboard/links/insta?period=90d`)
    const panel = card('Clicks over time')
    await panel.getByText('The range cannot be shown. Redirects are not affected.').waitFor()
    await panel.getByText('Request 0196-a1b2').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('insta')
    expect(await axeFindings(page)).toEqual([])
    isBroken = false
    await pickRange('7d')
    await tile('Clicks').locator('.tile-change').waitFor()
    isBroken = true
    await pickRange('24h')
    await panel.getByRole('button', { name: 'Try again' }).waitFor()
    isBroken = false
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.locator('canvas').waitFor()
  })

  test('that fails on the overview leaves the other panels alone', async () => {
    await open('/links')
    await page.route('**/top-links?*', (route) =>
      route.fulfill({
        status: 422,
        json: { success: false, code: 'validation_failed', message: 'Not now.', errors: {} },
      }),
    )
    await page.goto(`${rig.config.baseUrl}/dashboard/overview`)
    await card('Top links').getByText('Not now. Redirects are not affected.').waitFor()
    await card('Clicks over time').locator('canvas').waitFor()
    expect(await card('Live clicks').getByRole('listitem').count()).toBeGreaterThan(0)
  })

  test('has its own top links, which open with the same range', async () => {
    await open('/overview?period=7d')
    const top = await ask('/top-links?period=7d&limit=8')
    const all = await ask('/top-links?period=all&limit=8')
    expect(top).not.toEqual(all)
    const rows = card('Top links').getByRole('listitem')
    await rows.nth(top.length - 1).waitFor()
    const shown = await rows.allTextContents()
    for (const [at, { short_code: code, clicks }] of top.entries()) {
      expect(shown[at]).toStartWith(code)
      expect(shown[at]).toContain(String(clicks))
    }
    await rows.first().getByRole('link').click()
    await page.waitForURL(`**/links/${top[0].short_code}?period=7d`)
  })

  test('is requested once, with everything on the page', async () => {
    const { asked, settled } = await watchRequests('/links/insta')
    await settled()
    expect(asked).toEqual({ '/links/insta': 1, '/analytics': 1 })
    const overview = await watchRequests('/overview')
    await overview.settled()
    expect(overview.asked).toEqual({ '/overview': 1, '/analytics': 1, '/top-links': 1 })
    const links = await watchRequests('/')
    await links.settled()
    expect(links.asked).toEqual({ '/list-links': 1 })
  })

  /** How often each endpoint is asked for clicks or links, from the first moment on. */
  async function watchRequests(path: string) {
    await open('/account')
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    const asked: Record<string, number> = {}
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      const endpoint = pathname.split('/dashboard/api')[1]
      // One link is asked for only to count those of a view.
      const isCount = searchParams.get('per_page') === '1'
      if (endpoint !== undefined && /links|analytics|overview/.test(endpoint) && !isCount)
        asked[endpoint] = (asked[endpoint] ?? 0) + 1
    })
    await stopClock(page)
    // What the stream tells, seen where it arrives: a page that asks twice asks after the first totals.
    await page.addInitScript(() => {
      const Native = EventSource
      ;(globalThis as any).totalsHeard = 0
      ;(globalThis as any).EventSource = class extends Native {
        constructor(address: string | URL) {
          super(address)
          this.addEventListener('totals', () => (globalThis as any).totalsHeard++)
        }
      }
    })
    await page.goto(`${rig.config.baseUrl}/dashboard${path}`)
    return {
      asked,
      settled: async () => {
        await page.waitForFunction(() => (globalThis as any).totalsHeard > 0)
        // Whatever was asked for because of them was asked for before this.
        await page.evaluate(() => fetch('/dashboard/api/instance').then((answer) => answer.text()))
      },
    }
  }

  test('of a link created within it starts then, by hour at first and without a comparison', async () => {
    const user = await rig.user()
    await user.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: 'born-now',
    })
    await rig.call('GET', '/born-now', { headers: { 'User-Agent': FIREFOX } })
    await open('/links/born-now', {}, user)
    await tile('Clicks').getByText('1', { exact: true }).waitFor()
    await card('Clicks over time')
      .getByText(/This hour so far, until .*Created/)
      .waitFor()
    expect(await interval().locator('option:checked').textContent()).toBe('Automatic (hourly)')
    const change = await tile('Clicks').locator('.tile-change').textContent()
    expect(['', 'New']).toContain(change!)
    expect(await page.locator('.is-up, .is-down').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  test('is compared by full days only, and not with a period before the link was created', async () => {
    await setCreated('insta', 61)
    await open('/links/insta')
    const { comparison } = await ask('/analytics?short_code=insta&period=30d&compare=previous')
    expect(comparison.points).toBe(29)
    await tile('Clicks').getByText(`from ${comparison.before.clicks}`).hover()
    await page.getByText('Compares the 29 full days with the previous period.').first().waitFor()
    await setCreated('insta', 58)
    await page.reload()
    await tile('Clicks').getByText('New', { exact: true }).waitFor()
    expect(await page.locator('.tile .is-up, .tile .is-down').count()).toBe(0)
  })

  test('on a phone is two native selects on one line', async () => {
    await open('/links/insta', PHONE)
    const period = page.getByRole('combobox', { name: 'Time range' })
    await period.waitFor()
    const [first, second] = [await period.boundingBox(), await interval().boundingBox()]
    expect(first!.y).toBe(second!.y)
    expect(first!.height).toBeGreaterThanOrEqual(44)
    expect(await page.getByRole('group', { name: 'Time range' }).count()).toBe(0)
    await period.selectOption({ label: '7 days' })
    await page.waitForURL(/\?period=7d$/)
    await period.selectOption({ label: 'Custom' })
    await page.getByLabel('From', { exact: true }).waitFor()
    expect(await overflowOf(page)).toBe(0)
    // Figures are pale until those of the new range have come.
    await page.locator('.analytics[aria-busy=true]').waitFor({ state: 'detached' })
    expect(await axeFindings(page)).toEqual([])
  })

  test('is compared with the same time one year before, where that is chosen', async () => {
    await open('/links/insta?period=7d')
    await comparison().selectOption({ label: 'Compared with last year' })
    await page.waitForURL(/\?period=7d&compare=year$/)
    // The link is younger than that.
    await tile('Clicks').getByText('New', { exact: true }).waitFor()
  })

  test('is compared with nothing where that is chosen, on the overview too', async () => {
    for (const path of ['/links/insta', '/overview']) {
      await open(`${path}?period=7d`)
      await tile('Clicks').locator('.change').waitFor()
      await comparison().selectOption({ label: 'No comparison' })
      await page.waitForURL(/\?period=7d&compare=off$/)
      await page.locator('.change').first().waitFor({ state: 'detached' })
      expect(await card('Clicks over time').getByText('Previous period').count()).toBe(0)
      await page.reload()
      await tile('Today so far').getByText('Last click').waitFor()
      expect(await comparison().inputValue()).toBe('off')
      expect(await page.locator('.change').count()).toBe(0)
      expect(await axeFindings(page)).toEqual([])
      await comparison().selectOption({ label: 'Compared with previous period' })
      await page.waitForURL(/\?period=7d$/)
      await tile('Clicks').locator('.change').waitFor()
    }
  })

  test('of weeks has the clicks of each, which begins on Monday, and zooms to whole ones', async () => {
    await setCreated('insta', 400)
    await open('/links/insta')
    await interval().focus()
    await page.keyboard.type('Weekly')
    await page.waitForURL(/\?granularity=week$/)
    const { timeseries: weeks } = await ask('/analytics?short_code=insta&period=30d&granularity=week')
    expect(weeks.length).toBeWithin(5, 7)
    for (const { date } of weeks) expect(new Date(date).getUTCDay()).toBe(1)
    const chart = card('Clicks over time')
    await chart.getByText(/This week so far, until .+, .+/).waitFor()
    await tile('Clicks').getByText('from').hover()
    await page
      .getByText(/Compares the [45] full weeks with the previous period\./)
      .first()
      .waitFor()
    await chart.getByRole('button', { name: 'Show as table' }).click()
    const rows = await chart.getByRole('row').allTextContents()
    expect(rows.slice(1).map((row) => row.slice(0, 10))).toEqual(weeks.map(({ date }: any) => date))
    await chart.getByRole('button', { name: 'Show as chart' }).click()
    const plot = (await chart.locator('.u-over').boundingBox())!
    const middle = plot.y + plot.height / 2
    const step = plot.width / (weeks.length - 1)
    await page.mouse.move(plot.x + 2 * step, middle)
    await page
      .locator('.chart-tip')
      .getByText(/^Week of /)
      .first()
      .waitFor()
    await page.mouse.down()
    await page.mouse.move(plot.x + 3 * step, middle, { steps: 5 })
    await page.mouse.up()
    const sunday = new Date(Date.parse(weeks[3].date) + 6 * 86_400_000).toISOString().slice(0, 10)
    await page.waitForURL((url) => url.search === `?from=${weeks[2].date}&to=${sunday}&granularity=week`)
  })

  test('leaves the current day out of the sparklines', async () => {
    await open('/')
    await page.locator('.sparkline').first().waitFor()
    const shape = await page.locator('.sparkline .line').first().getAttribute('d')
    expect(shape!.split('L').length).toBe(29)
  })

  const open = async (path: string, look: Look = {}, user = owner) => {
    page = await rig.open(path, { user, ...look })
  }

  const interval = () => page.getByLabel('Interval', { exact: true })
  const comparison = () => page.getByRole('combobox', { name: 'Comparison' })
  const intervals = () => interval().locator('option').allTextContents()
  const ask = (path: string) => owner.browser.succeed('GET', `${path}&timezone=Europe/Berlin`)

  const setCreated = (code: string, daysAgo: number) =>
    rig.store.db
      .updateTable('links')
      .set({ created_at: Date.now() * 1000 - daysAgo * DAY_US })
      .where('code', '=', code)
      .execute()
})

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PHONE: Look = { width: 390, height: 844 }
