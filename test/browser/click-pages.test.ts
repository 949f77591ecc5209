import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type History, makeHistory } from '../rigs/clicks/click-history.ts'
import { becomes, eventually } from '../rigs/eventually.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { analyticsOn } from './pages/analytics-page.ts'
import { chooseFrom } from './user-pages.ts'

describe.skipIf(hasNoChromium)('clicks', () => {
  const rig = useBrowserRig()
  /** Has links with clicks of ninety days; tests that click have a user of their own. */
  let owner: TestUser
  let history: History
  let page: Page
  const { tile, card, pickRange } = analyticsOn(() => page)

  beforeAll(addUser)

  describe('of ninety days', () => {
    test('match the service’s analytics, with the change from the previous period', async () => {
      await open('/links/insta?period=all')
      await shows('Clicks', history.clicksOf.get('insta')!)
      await pickRange('7d')
      const week = await analytics('short_code=insta&period=7d')
      await shows('Clicks', week.total_clicks)
      await shows('Unique visitors', week.unique_visitors)
      await shows('Bots', week.bot_clicks)
      const { now, before } = week.comparison
      const ratio = now.clicks / before.clicks - 1
      expect(await tile('Clicks').textContent()).toContain(
        Math.abs(ratio) < 0.01
          ? 'No change'
          : `${ratio > 0 ? '+' : '-'}${Math.round(Math.abs(ratio) * 100)}%from ${before.clicks.toLocaleString('en-GB')}`,
      )
      await tile('Today so far').getByText('Last click').waitFor()
      await card('Sources')
        .getByText(week.sources[0].source ?? 'Direct or unknown', { exact: true })
        .waitFor()
      expect(await axeFindings(page)).toEqual([])
    })

    test('of all links are on the overview, with the links that are clicked most', async () => {
      await open('/overview?period=all')
      await page
        .getByText(`${history.clicks.toLocaleString('en-GB')} clicks so far · 20 links, 18 active`)
        .waitFor()
      await shows('Clicks', history.clicks)
      await shows('Bots', history.bots)
      const [best] = [...history.clicksOf].sort(([, a], [, b]) => b - a)[0]!
      const first = card('Top links').getByRole('listitem').first()
      expect(
        await eventually(
          () => first.textContent(),
          (text) => text !== '',
        ),
      ).toContain(best)
      const { recent_clicks: recent } = await owner.browser.succeed('GET', '/overview')
      const list = await card('Live clicks').getByRole('listitem').allTextContents()
      expect(list).toHaveLength(6)
      for (const [at, text] of list.entries()) expect(text).toContain(recent[at].short_code)
      expect(await axeFindings(page)).toEqual([])
    })

    test('have their change in the rows of the overview, readable in each state of a row', async () => {
      await open('/overview?period=7d')
      const rows = card('Top links').getByRole('listitem')
      await rows.first().locator('.change').waitFor()
      await rows.first().hover()
      expect(await axeFindings(page)).toEqual([])
      await card('Top links').getByRole('tab', { name: 'Domains', exact: true }).click()
      await rows.getByRole('button').click()
      await card('Top links').locator('[aria-pressed="true"] .change').waitFor()
      await page.locator('.analytics[aria-busy="false"]').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('heading', { name: 'Top links', exact: true }).hover()
      expect(await axeFindings(page)).toEqual([])
    })

    test('have their range and interval in the URL', async () => {
      await open('/links/insta')
      await pickRange('7d')
      await page.getByLabel('Interval').selectOption('hour')
      await page.waitForURL(/\/links\/insta\?period=7d&granularity=hour$/)
      await page.getByRole('button', { name: 'Custom', exact: true }).click()
      const [from, to] = [daysAgo(40), daysAgo(30)]
      await page.getByLabel('From').fill(from)
      await page.getByLabel('To', { exact: true }).fill(to)
      await page.getByRole('button', { name: 'Apply', exact: true }).click()
      await page.waitForURL((url) => url.search === `?from=${from}&to=${to}&granularity=hour`)
      const { total_clicks: total } = await analytics(`short_code=insta&from=${from}&to=${to}`)
      await shows('Clicks', total)
      await page.reload()
      await shows('Clicks', total)
    })

    test('are zoomed by dragging, twice, and a double click zooms out again', async () => {
      await open('/links/insta?period=90d')
      await page.locator('.chart canvas').waitFor()
      const drag = async (from: number, to: number) => {
        const box = (await page.locator('.u-over').boundingBox())!
        await page.mouse.move(box.x + box.width * from, box.y + 80)
        await page.mouse.down()
        await page.mouse.move(box.x + box.width * to, box.y + 90, { steps: 5 })
        await page.mouse.up()
      }
      await drag(0.25, 0.75)
      await page.waitForURL(/\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/)
      const once = new URL(page.url()).searchParams
      const { total_clicks: total, timeseries } = await analytics(`short_code=insta&${once}`)
      await shows('Clicks', total)
      expect(timeseries.length).toBeWithin(40, 50)
      await drag(0.2, 0.6)
      await page.waitForURL((url) => url.searchParams.get('from') !== once.get('from'))
      await page.locator('.u-over').dblclick()
      await page.waitForURL((url) => url.search === `?${once}`)
      await page.locator('.u-over').dblclick()
      await page.waitForURL(/\?period=90d$/)
    })

    test('are also tables, for users who cannot see the chart', async () => {
      await open('/links/insta?period=7d')
      const { total_clicks: total, timeseries, countries } = await analytics('short_code=insta&period=7d')
      const summed = new RegExp(`^Clicks, .*: ${total.toLocaleString('en-GB')}\\.$`)
      await card('Clicks over time').getByText(summed).waitFor({ state: 'attached' })
      const legend = card('Clicks over time').locator('.chart-legend')
      await legend.filter({ hasText: /Today so far, until \d+:\d\d/ }).waitFor()
      await page.getByRole('button', { name: 'Show as table: Clicks over time' }).click()
      await card('Clicks over time').locator('tbody tr').first().waitFor()
      const rows = await card('Clicks over time').locator('tbody tr').allTextContents()
      expect(rows).toEqual(
        timeseries.map(
          ({ date, clicks, unique_visitors: visitors, qr_scans: scans, bots, previous }: any) =>
            `${date}${clicks}${visitors}${scans}${bots}${previous?.clicks ?? ''}`,
        ),
      )
      await page.getByRole('button', { name: 'Show as table: Countries' }).click()
      expect(await card('Countries').locator('tbody tr').allTextContents()).toEqual(
        countries.map((each: any) => `${each.country}${each.clicks}${each.percentage}`),
      )
      expect(await axeFindings(page)).toEqual([])
    })

    test('are on the map, reachable by keyboard, with a list of all countries', async () => {
      await open('/overview?period=90d')
      const { countries } = await analytics('period=90d')
      await page.locator('.map path[tabindex="0"]').focus()
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toStartWith(
        `${countries[0].country}: ${countries[0].clicks.toLocaleString('en-GB')} clicks`,
      )
      expect(await page.locator('.map .chart-tip').textContent()).toContain(countries[0].country)
      await page.keyboard.press('ArrowRight')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toStartWith(
        countries[1].country,
      )
      const list = page.getByRole('list', { name: 'Countries' }).getByRole('listitem')
      expect(await list.count()).toBe(12)
      await page.getByRole('button', { name: `Show all ${countries.length}` }).click()
      const all = page.getByRole('dialog', { name: 'Countries' })
      expect(await all.getByRole('listitem').count()).toBe(countries.length)
      await all.getByRole('button', { name: 'By name' }).click()
      const names = await all.locator('li .cut').allTextContents()
      expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)))
      expect(await axeFindings(page)).toEqual([])
      await all.getByLabel('Search').fill(countries[2].country.toUpperCase())
      await all.getByRole('listitem').getByRole('button').click()
      await page.getByRole('button', { name: `Country: ${countries[2].country}`, exact: true }).waitFor()
      expect(await all.count()).toBe(0)
    })

    test('are drawn with those of the previous period, and each tile draws its own', async () => {
      await open('/links/insta?period=30d')
      const legend = card('Clicks over time').locator('.chart-legend')
      await legend.getByText('Clicks', { exact: true }).waitFor()
      await legend.getByText('Previous period').waitFor()
      await tile('Unique visitors').getByRole('button', { name: 'Unique visitors', exact: true }).click()
      await legend.getByText('Unique visitors', { exact: true }).waitFor()
      expect(new URL(page.url()).searchParams.get('chart')).toBe('unique_visitors')
      const { unique_visitors: visitors } = await analytics('short_code=insta&period=30d')
      await card('Clicks over time')
        .getByText(new RegExp(`^Unique visitors, .*: ${visitors.toLocaleString('en-GB')}\\.$`))
        .waitFor({ state: 'attached' })
      await page.reload()
      await tile('Unique visitors').getByRole('button', { pressed: true }).waitFor()
      await page.locator('.u-over').hover({ position: { x: 40, y: 40 } })
      await page.locator('.chart-tip').getByText('Clicks', { exact: true }).waitFor()
      const [own, before] = await page.locator('.chart-tip dt').allTextContents()
      expect([own, before]).toEqual(['Unique visitors', expect.stringMatching(/\d/)])
      await page.goBack()
      await tile('Clicks').getByRole('button', { pressed: true }).waitFor()
    })

    test('are broken down by browser, operating system and device', async () => {
      await open('/links/insta?period=90d')
      const all = await analytics('short_code=insta&period=90d')
      for (const [tab, names] of [
        ['Browsers', all.browsers.map(({ browser }: any) => browser)],
        ['Systems', all.operating_systems.map(({ operating_system }: any) => operating_system)],
        ['Devices', ['Mobile', 'Desktop', 'Tablet']],
      ]) {
        await page.getByRole('tab', { name: tab }).click()
        for (const name of names.slice(0, 3))
          await page.getByRole('list', { name: tab }).getByText(name, { exact: true }).waitFor()
      }
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tab', { selected: true, name: 'Languages' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tab', { selected: true, name: 'Browsers' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tab', { selected: true, name: 'Systems' }).waitFor()
    })

    test('can be downloaded from every card, with a line for each row', async () => {
      await open('/links/insta?period=90d')
      const all = await analytics('short_code=insta&period=90d')
      await shows('Clicks', all.total_clicks)
      const clicks = await downloaded('Clicks over time')
      expect([clicks.name, clicks.lines[0], clicks.lines.length]).toEqual([
        'insta-clicks.csv',
        'Time,Clicks,Unique visitors,QR scans,Bots,Clicks before',
        91,
      ])
      const countries = await downloaded('Countries')
      expect([countries.name, countries.lines[0]]).toEqual([
        'insta-countries.csv',
        'Country,Clicks,Share (%)',
      ])
      expect(countries.lines[1]).toBe(
        `${all.countries[0].country},${all.countries[0].clicks},${all.countries[0].percentage}`,
      )
      expect((await downloaded('Sources')).lines[0]).toBe('Kind,Name,Clicks,Share (%)')
      const programs = await downloaded('Technology')
      expect([programs.name, programs.lines[0]]).toEqual([
        'insta-technology.csv',
        'Kind,Name,Clicks,Share (%)',
      ])
      expect(programs.lines).toContain(
        `Browsers,${all.browsers[0].browser},${all.browsers[0].clicks},${all.browsers[0].percentage}`,
      )
      const panels = await saved(() => chooseFrom(page, 'Export', 'All panels as CSV'))
      expect([panels.name, panels.lines[0]]).toEqual(['insta-panels.csv', 'Kind,Name,Clicks,Share (%)'])
      for (const [kind, { clicks, percentage }] of [
        ['Country', all.countries[0]],
        ['Source', all.sources[0]],
        ['Language', all.languages[0]],
      ] as const)
        expect(
          panels.lines.filter(
            (line) => line.startsWith(`${kind},`) && line.endsWith(`,${clicks},${percentage}`),
          ),
        ).not.toBeEmpty()
    })
  })

  describe('live clicks', () => {
    let user: TestUser
    let code: string
    let tests = 0

    beforeEach(async () => {
      user = await rig.user()
      code = `live-${++tests}`
      await user.browser.succeed('POST', '/links', {
        original_url: 'https://example.com/',
        custom_code: code,
      })
    })

    test('start on a page that explains them, and appear there without a reload', async () => {
      await open(`/links/${code}`, user)
      await page.getByText('No clicks yet').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await shown('Live')
      expect((await visit(code, { Referer: 'https://news.example.org/today' })).status).toBe(302)
      await shows('Clicks', 1)
      await shows('Today so far', 1)
      await card('Sources').getByText('news.example.org').waitFor()
      await visit(code)
      await shows('Clicks', 2)
      await shows('Today so far', 2)
      await shows('Unique visitors', 1)
    })

    test('of bots are counted separately', async () => {
      await open(`/links/${code}`, user)
      await shown('Live')
      await visit(code, { 'User-Agent': GOOGLEBOT })
      await shows('Bots', 1)
      await card('Bots and previews').getByText('Googlebot').waitFor()
      await visit(code)
      await shows('Clicks', 1)
      await shows('Bots', 1)
    })

    test('are listed on the overview as they arrive', async () => {
      await open('/overview', user)
      await shown('Live')
      await page.getByText('Clicks appear here while this page is open.').waitFor()
      await visit(code, { Referer: 'https://news.example.org/' })
      const live = card('Live clicks')
      await live.getByText('Linux · news.example.org').waitFor()
      await page.getByText('1 click so far').waitFor()
      // Bots are no clicks.
      await visit(code, { 'User-Agent': GOOGLEBOT })
      await shows('Bots', 1)
      expect(await live.getByRole('listitem').count()).toBe(1)
      await live.getByText('1 in the last minute').waitFor()
      await page.getByText('1 new click', { exact: true }).waitFor({ state: 'attached' })
    })

    test('stand still while they are paused or pointed at', async () => {
      await visit(code)
      await open('/overview', user)
      const live = card('Live clicks')
      const rows = live.getByRole('listitem')
      await becomes(() => rows.count(), 1)
      await live.getByRole('button', { name: 'Pause' }).click()
      await visit(code)
      await shows('Clicks', 2)
      expect(await rows.count()).toBe(1)
      await live.getByRole('button', { name: 'Resume' }).click()
      await becomes(() => rows.count(), 2)
      await rows.first().hover()
      await visit(code)
      await shows('Clicks', 3)
      expect(await rows.count()).toBe(2)
      await live.getByRole('heading').hover()
      await becomes(() => rows.count(), 3)
    })

    test('are requested again when a stream breaks, and the page says so until they arrive', async () => {
      await open('/keys', user)
      await page.route(LIVE, (route) => route.abort('connectionreset'))
      await page.getByRole('link', { name: 'Overview' }).first().click()
      await shown('Reconnecting')
      expect(await axeFindings(page)).toEqual([])
      await page.unroute(LIVE)
      await shown('Live')
      await visit(code)
      await shows('Clicks', 1)
    })

    test('have a stream only while the page is open and visible', async () => {
      const streams: string[] = []
      await open('/overview', user)
      await shown('Live')
      page.on('request', (request) => LIVE.test(request.url()) && streams.push('open'))
      page.on('requestfailed', (request) => LIVE.test(request.url()) && streams.push('closed'))
      await page.getByRole('link', { name: 'Keys' }).first().click()
      await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
      await page.getByRole('link', { name: 'Overview' }).first().click()
      await shown('Live')
      expect(streams).toEqual(['closed', 'open'])
    })

    test('from hosts that look like formulas are text in a downloaded file', async () => {
      await visit(code, { Referer: 'https://-2-3.example.org/' })
      await open(`/links/${code}`, user)
      await card('Sources').getByText('-2-3.example.org').waitFor()
      expect((await downloaded('Sources')).lines).toEqual([
        'Kind,Name,Clicks,Share (%)',
        "Sources,'-2-3.example.org,1,100",
        "Referrers,'-2-3.example.org,1,100",
      ])
    })
  })

  test('of a missing link are missing too, without an offer to try again', async () => {
    await open('/links/nothing')
    await page.getByText('Link not found').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  test('before the first one, the overview shows the next step', async () => {
    await open('/overview', await rig.user())
    await page.getByText('No clicks yet').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Create link' }).click()
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Paste a long URL',
    )
  })

  async function addUser(): Promise<void> {
    owner = await rig.user()
    history = await makeHistory(rig, owner)
  }

  const open = async (path: string, user = owner) => {
    page = await rig.open(path, { user })
  }

  const shown = (text: string) => page.getByText(text, { exact: true }).first().waitFor()

  /** The tile once it shows this number. */
  const shows = (label: string, figure: number) =>
    tile(label)
      .locator('.tile-figure')
      .filter({ hasText: new RegExp(`^${figure.toLocaleString('en-GB')}$`) })
      .waitFor()

  const visit = (code: string, headers: Record<string, string> = {}) =>
    rig.call('GET', `/${code}`, { headers: { 'User-Agent': FIREFOX, ...headers } })

  const downloaded = (title: string) =>
    saved(() => page.getByRole('button', { name: `Download CSV: ${title}` }).click())

  const saved = async (act: () => Promise<unknown>) => {
    const waiting = page.waitForEvent('download')
    await act()
    const download = await waiting
    const text = await Bun.file(await download.path()).text()
    return { name: download.suggestedFilename(), lines: text.replace('\uFEFF', '').trim().split('\r\n') }
  }

  const zone = 'timezone=Europe/Berlin'
  const analytics = (query: string) =>
    owner.browser.succeed('GET', `/analytics?${zone}&limit=100&compare=previous&${query}`)
})

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** The stream of clicks. */
const LIVE = /\/api\/live\?/

/** A day in Berlin, where the browser is. */
const daysAgo = (days: number): string =>
  Temporal.Now.plainDateISO('Europe/Berlin').subtract({ days }).toString()
