import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { eventually } from '../rigs/eventually.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { analyticsOn } from './pages/analytics-page.ts'
import { press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('clicks under filters', () => {
  const rig = useBrowserRig()
  let owner: TestUser
  let page: Page
  const { tile, card } = analyticsOn(() => page)

  beforeAll(async () => {
    owner = await rig.user()
    await addClicks()
  })

  test('are those of a row that is clicked, which the URL keeps and the back button undoes', async () => {
    await open('/links/filtered')
    await shows('Clicks', 6)
    await row('Countries', 'Germany').click()
    await pill('Country: Germany').waitFor()
    await shows('Clicks', 4)
    await shown(page, '4 of 6 clicks match')
    await row('Sources', 'Facebook').click()
    await shown(page, '2 of 6 clicks match')
    expect(new URL(page.url()).search).toBe('?country=DE&source=Facebook')
    // When the last click was, is known of all of them only.
    expect(await tile('Today so far').textContent()).not.toContain('Last click')
    // Nothing is known of bots that a filter could find.
    expect(await tile('Bots').locator('.tile-figure').textContent()).toBe('–')
    expect(await axeFindings(page)).toEqual([])
    await page.reload()
    await shown(page, '2 of 6 clicks match')
    await page.goBack()
    await shown(page, '4 of 6 clicks match')
    await row('Countries', 'Germany').click()
    await shows('Clicks', 6)
    await shows('Bots', 1)
  })

  test('are those of values that are chosen from a list, with their counts under the other filters', async () => {
    await open('/links/filtered?source=Facebook')
    await pill('How they came').click()
    const option = page.getByRole('option', { name: /^QR code/ })
    expect(await option.textContent()).toContain('1')
    await option.click()
    await page.keyboard.press('Escape')
    await pill('How they came: QR code').waitFor()
    await shown(page, '1 of 6 clicks match')
    await press(page, 'Clear')
    await shows('Clicks', 6)
    expect(new URL(page.url()).search).toBe('')
  })

  test('may be those of a country that is chosen on the map, by key too', async () => {
    await open('/links/filtered')
    const country = page.getByRole('button', { name: /^Germany: / })
    await country.focus()
    await page.keyboard.press('Enter')
    await pill('Country: Germany').waitFor()
    await shows('Clicks', 4)
  })

  test('may be none, which is said, with a way back', async () => {
    await open('/links/filtered?country=JP')
    await shown(page, 'No clicks match these filters')
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Clear filters')
    await shows('Clicks', 6)
  })

  test('of rules are named by their place, with the share that a part of a split got beside the one that it should', async () => {
    await open('/links/filtered')
    await row('Rules and variants', 'Rule 1 → example.com/de').waitFor()
    expect(await row('Rules and variants', /^Rule 2\/[ab] → example.com\/[ab]/).textContent()).toContain(
      '100% of 50%',
    )
    await row('Rules and variants', 'No rule matched').click()
    await pill('Rule: No rule matched').waitFor()
    await shown(page, '1 of 6 clicks match')
  })

  test('of all links are on the overview, without rules, whose places say nothing there', async () => {
    await open('/overview')
    await shows('Clicks', 7)
    await row('Countries', 'Germany').click()
    await shown(page, '4 of 7 clicks match')
    await card('Top links').getByRole('link', { name: 'filtered' }).click()
    // The page of the link has the same filters.
    await shown(page, '4 of 6 clicks match')
    await page.goBack()
    expect(await card('Rules and variants').count()).toBe(0)
  })

  test('of all links may be those of a tag, a folder or a campaign, down to a single link', async () => {
    await open('/overview')
    await shows('Clicks', 7)
    await pill('Tag').waitFor()
    await openTab('Tags')
    await row('Top links', 'Winter').click()
    await pill('Tag: Winter').waitFor()
    await shown(page, '1 of 7 clicks match')
    await row('Campaigns', 'newsletter').click()
    await pill('UTM source: newsletter').waitFor()
    expect(new URL(page.url()).search).toBe('?tag=Winter&utm_source=newsletter')
    // The figures of before are paler until the new ones are there.
    await page.locator('.analytics[aria-busy="false"]').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await openTab('Links')
    await card('Top links').getByRole('link', { name: 'unfiltered' }).click()
    // Of a single link there is nothing to choose by these.
    await shows('Clicks', 1)
    expect(await pill('Tag: Winter').count()).toBe(0)
    expect(await pill('Tag').count()).toBe(0)
    await page.goBack()
    await page.getByRole('button', { name: 'Tag: Winter', exact: true }).click()
    const option = page.getByRole('option', { name: /^Winter/ })
    expect(await option.textContent()).toContain('1')
  })

  const openTab = (name: string) => page.getByRole('tab', { name, exact: true }).click()
  const open = async (path: string) => {
    page = await rig.open(path, { user: owner })
  }
  /** The map has buttons too. */
  const row = (panel: string, label: string | RegExp) =>
    card(panel).getByRole('listitem').getByRole('button', { name: label })
  const pill = (name: string) => page.getByRole('button', { name, exact: true })
  const shows = (label: string, figure: number) =>
    tile(label)
      .locator('.tile-figure')
      .filter({ hasText: new RegExp(`^${figure}$`) })
      .waitFor()

  async function addClicks(): Promise<void> {
    const rules = [
      { when: { language: ['de'] }, to: 'https://example.com/de' },
      {
        when: { device: ['mobile'] },
        split: [
          { to: 'https://example.com/a', weight: 50 },
          { to: 'https://example.com/b', weight: 50 },
        ],
      },
    ]
    const make = (custom_code: string, fields = {}) =>
      owner.browser.succeed('POST', '/links', {
        original_url: 'https://example.com/',
        custom_code,
        ...fields,
      })
    await make('filtered', { rules })
    await make('unfiltered', {
      original_url: 'https://example.com/?utm_source=newsletter',
      tags: ['Winter'],
    })
    for (const [path, headers] of VISITS) await rig.call('GET', path, { headers })
    await eventually(
      () => owner.browser.succeed('GET', '/analytics'),
      ({ total_clicks: clicks, bot_clicks: bots }) => clicks === 7 && bots === 1,
    )
  }
})

const GERMANY = { 'X-Forwarded-For': '5.9.0.1' }
const USA = { 'X-Forwarded-For': '8.8.8.8' }
const FACEBOOK = { Referer: 'https://l.facebook.com/' }
const GERMAN = { 'Accept-Language': 'de' }
const AT_A_DESK = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const ON_A_PHONE = {
  'User-Agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
}

/** One visitor is on a phone, who keeps a part of the split for the day. */
const VISITS: [path: string, headers: Record<string, string>][] = [
  ['/filtered', { ...GERMANY, ...FACEBOOK, ...GERMAN, ...AT_A_DESK }],
  ['/filtered?qr', { ...GERMANY, ...FACEBOOK, ...GERMAN, ...AT_A_DESK }],
  ['/filtered', { ...GERMANY, ...GERMAN, ...AT_A_DESK }],
  ['/filtered', { ...GERMANY, ...GERMAN, ...ON_A_PHONE, Referer: 'https://news.example.org/' }],
  ['/filtered', { ...USA, ...ON_A_PHONE }],
  ['/filtered', { ...USA, ...AT_A_DESK }],
  ['/filtered', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
  ['/unfiltered', { ...USA, ...AT_A_DESK }],
]
