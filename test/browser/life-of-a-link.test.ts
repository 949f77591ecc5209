import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { SAFARI_ON_IPHONE, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Visitor } from './chromium.ts'
import { dialogIs, fill, heading, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('a link with a schedule, a limit, rules, a split and a password', () => {
  const rig = useBrowserRig()
  let user: TestUser
  /** The dashboard. */
  let page: Page

  beforeAll(async () => {
    user = await rig.user()
  })

  test('leads each visitor its way, from its start to its end, while it is edited, restored, archived and deleted', async () => {
    await create()
    await testAndSave()
    await waitsForItsStart()
    await isOpenedByFive()
    await editAndRestore()
    await archiveAndBack()
    await deleteAndBack()
    await endsAndIsUsedUp()
    expect(rig.takeFaults()).toEqual([])
  }, 240_000)

  const label = (name: string) => page.getByLabel(name, { exact: true })
  const panel = () => page.locator('dialog.panel')
  const visitorIs = (name: string) => page.locator('.link-test').getByLabel(name, { exact: true })
  const answers = (text: string | RegExp) => page.locator('.test-answer').filter({ hasText: text }).waitFor()
  const row = () => page.getByRole('link', { name: /\/winter$/ })

  const keys = async (...names: string[]) => {
    for (const name of names) await page.keyboard.press(name)
  }

  const isFocused = (locator: ReturnType<typeof label>) =>
    locator.and(page.locator(':focus')).waitFor({ state: 'attached' })

  /** By keyboard, where it opens things. */
  const enter = async (locator: ReturnType<typeof label>) => {
    await locator.focus()
    await keys('Enter')
  }

  const unfold = (section: string) => enter(panel().locator('summary').filter({ hasText: section }))

  const choose = async (item: string) => {
    // Disabled until menus are loaded.
    await enter(page.getByRole('button', { name: 'More actions for winter', disabled: false }))
    await enter(page.getByRole('menuitem', { name: item, exact: true }))
  }

  const addCondition = async (rule: number, kind: string, value: string) => {
    await enter(page.getByRole('button', { name: `Add a condition to rule ${rule}` }))
    await enter(page.getByRole('menuitem', { name: kind, exact: true }))
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    await page.keyboard.type(value)
    await keys('Enter', 'Escape')
    await page.locator('.floating').waitFor({ state: 'detached' })
  }

  const isSaved = async () => {
    await keys('ControlOrMeta+Enter')
    await panel().waitFor({ state: 'detached' })
  }

  const openLinks = async () => {
    await page.getByRole('link', { name: 'Links' }).first().click()
    await heading(page, 'Links')
  }

  /** Browsers of their own, which keep their cookies for the next time. */
  const visitors = new Map<string, Page>()

  async function visit(name: string, visitor: Visitor = {}, width = 1280): Promise<Page> {
    const known = visitors.get(name)
    // Fails where the destination has no server.
    if (known) await known.goto(`${rig.config.baseUrl}/winter`).catch(() => {})
    else visitors.set(name, await rig.open('/../winter', { visitor, width }))
    return visitors.get(name)!
  }

  async function gives(visitor: Page, word: string): Promise<void> {
    await heading(visitor, 'This link needs a password')
    await visitor.keyboard.type(word)
    await visitor.keyboard.press('Enter')
  }

  /** Where the browser is led by what is done. */
  async function ledBy(visitor: Page, act: () => Promise<unknown>): Promise<string> {
    const arrives = visitor.waitForRequest((request) => request.url().startsWith(SHOP))
    await act()
    return (await arrives).url()
  }

  /** A visitor who gave the password before. */
  const leads = (name: string) => ledBy(visitors.get(name)!, () => visit(name))

  const countsOf = async (clicks: number) => {
    const ask = () => user.browser.succeed('GET', '/analytics?period=all&short_code=winter')
    const figures = await eventually(ask, ({ total_clicks: total }) => total >= clicks)
    const { total_clicks, unique_visitors, bot_clicks, countries, devices } = figures
    const counts = (list: any[], name: string) => list.map((each) => [each[name], each.clicks])
    return [
      [total_clicks, unique_visitors, bot_clicks],
      counts(countries, 'country_code'),
      counts(devices, 'device'),
    ]
  }

  async function create(): Promise<void> {
    page = await rig.open('/', { user, width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Bulk create' }).focus()
    await keys('Shift+C')
    await dialogIs(page, 'New link')
    await page.keyboard.type(`${SHOP}/winter`)
    await fill(page, 'Custom code', 'winter')
    await unfold('Schedule')
    await label('End date').fill('2099-12-01')
    await label('Click limit').fill('250')
    await unfold('Redirect rules')
    await enter(page.getByRole('button', { name: 'Add rule', exact: true }))
    await isFocused(page.getByRole('button', { name: 'Add a condition to rule 1' }))
    await addCondition(1, 'Country', 'germ')
    await addCondition(1, 'Device', 'pho')
    await label('Where rule 1 goes').selectOption('split')
    await label('URL of variant A').fill(`${SHOP}/de/jacken`)
    await label('URL of variant B').fill(`${SHOP}/de/schnee`)
    await enter(page.getByRole('button', { name: 'Add rule', exact: true }))
    await addCondition(2, 'Language', 'fren')
    await label('URL of rule 2').fill(`${SHOP}/fr`)
  }

  async function testAndSave(): Promise<void> {
    await visitorIs('Country').selectOption('DE')
    await visitorIs('Device').selectOption('mobile')
    await answers(/^302 · this visitor goes toshop\.invalid\/de\/(jacken|schnee)$/)
    const matched = () => panel().locator('.rule.is-matched h3').allTextContents()
    expect(await matched()).toEqual(['Rule 1: Germany, phone'])
    await visitorIs('Device').selectOption('desktop')
    await visitorIs('Language').selectOption('fr')
    await answers('302 · this visitor goes toshop.invalid/fr')
    expect(await matched()).toEqual(['Rule 2: French'])
    await unfold('Password')
    await page.getByRole('switch', { name: 'Ask for a password' }).focus()
    await keys('Space')
    await page.keyboard.type(WORD)
    await answers('403 · this visitor sees a noticeAsks for the password')
    expect(await matched()).toEqual([])
    await unfold('Social preview')
    await page.getByText('Custom', { exact: true }).click()
    await fill(page, 'Preview title', 'Winter is coming')
    await label('Start date').fill('2099-10-01')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await answers('404 · this visitor sees a noticeThe link is not active yet')
    await isSaved()
    await row().waitFor()
    expect(await user.browser.succeed('GET', '/links/winter')).toMatchObject({
      status: 'scheduled',
      starts_at: expect.stringMatching(/^2099-10-01T/),
      expires_at: expect.stringMatching(/^2099-12-01T/),
      max_clicks: 250,
      has_password: true,
      click_count: 0,
    })
  }

  /** In the list, where time passes by editing the link. */
  async function reschedule(fields: Record<string, string>): Promise<void> {
    await choose('Edit')
    await unfold('Schedule')
    for (const [name, text] of Object.entries(fields)) await label(name).fill(text)
    await isSaved()
  }

  /** Every visitor, also with the password. */
  async function meets(name: string, title: string, status: number): Promise<void> {
    await heading(await visit(name, { ip: BRITAIN, userAgent: FIREFOX }), title)
    expect((await rig.call('GET', '/winter')).status).toBe(status)
  }

  async function waitsForItsStart(): Promise<void> {
    await meets('early', 'This link is not active yet', 404)
    await reschedule({ 'Start date': '2020-01-01' })
    await heading(await visit('early'), 'This link needs a password')
  }

  async function isOpenedByFive(): Promise<void> {
    const bot = { 'User-Agent': 'facebookexternalhit/1.1', 'X-Forwarded-For': GERMANY }
    const card = await rig.call('GET', '/winter', { headers: bot })
    expect([card.status, card.headers.get('location')]).toEqual([200, null])
    expect(card.text).toContain('<meta property="og:title" content="Winter is coming" />')
    expect(card.text).not.toContain('shop.invalid')
    const stranger = await visit('stranger', { ip: BRITAIN, userAgent: FIREFOX })
    await gives(stranger, 'last snow')
    await shown(stranger, 'Wrong password. 9 attempts are left.')
    const iPhone = { ip: GERMANY, userAgent: SAFARI_ON_IPHONE, locale: 'de-DE' }
    const phone = await visit('phone', iPhone, 390)
    const variant = await ledBy(phone, () => gives(phone, WORD))
    expect(variant).toMatch(/^https:\/\/shop\.invalid\/de\/(jacken|schnee)$/)
    // The variant stays, and the password is not asked for again.
    expect(await leads('phone')).toBe(variant)
    const french = await visit('french', { ip: FRANCE, userAgent: FIREFOX, locale: 'fr-FR' })
    expect(await ledBy(french, () => gives(french, WORD))).toBe(`${SHOP}/fr`)
    const desktop = await visit('desktop', { ip: GERMANY, userAgent: FIREFOX, locale: 'de-DE' })
    expect(await ledBy(desktop, () => gives(desktop, WORD))).toBe(`${SHOP}/winter`)
    const [germany, france] = [
      ['DE', 3],
      ['FR', 1],
    ]
    const devices = [
      ['desktop', 2],
      ['mobile', 2],
    ]
    expect(await countsOf(4)).toEqual([[4, 3, 0], [germany, france], devices])
  }

  async function editAndRestore(): Promise<void> {
    await row().click()
    await page.getByRole('group', { name: 'Clicks', exact: true }).getByText('4', { exact: true }).waitFor()
    await keys('e')
    await isFocused(label('Destination'))
    await keys('ControlOrMeta+A')
    await page.keyboard.type(`${SHOP}/spring`)
    await isSaved()
    expect(await leads('desktop')).toBe(`${SHOP}/spring`)
    expect(await leads('french')).toBe(`${SHOP}/fr`)
    await enter(page.getByRole('tab', { name: 'History' }))
    const entries = page.locator('.version')
    await entries.nth(1).waitFor()
    const before = await entries.count()
    await enter(entries.nth(1).getByRole('button', { name: /^Restore/ }))
    await shown(page, 'Visitors go to shop.invalid/winter from now on.')
    await enter(page.getByRole('dialog').getByRole('button', { name: 'Restore' }))
    await entries.nth(before).waitFor()
    expect(await leads('desktop')).toBe(`${SHOP}/winter`)
  }

  async function archiveAndBack(): Promise<void> {
    await choose('Archive')
    await shown(page, 'winter archived. It keeps redirecting.')
    await openLinks()
    await row().waitFor({ state: 'detached' })
    expect(await leads('phone')).toContain(`${SHOP}/de/`)
    await page.goto(`${rig.config.baseUrl}/dashboard/links/winter`)
    await choose('Unarchive')
    await shown(page, 'winter is back in the list')
    await openLinks()
    await row().waitFor()
  }

  async function deleteAndBack(): Promise<void> {
    await row().click()
    await choose('Delete')
    await shown(page, 'winter deleted')
    await row().waitFor({ state: 'detached' })
    const gone = await visit('desktop')
    await heading(gone, 'No such link')
    expect((await rig.call('GET', '/winter')).status).toBe(404)
    await page.goto(`${rig.config.baseUrl}/dashboard/trash`)
    await enter(page.getByRole('button', { name: 'Restore winter' }))
    await shown(page, 'winter restored, with its clicks')
    // Still with its password.
    await heading(await visit('newcomer', { ip: BRITAIN, userAgent: FIREFOX }), 'This link needs a password')
    expect(await leads('desktop')).toBe(`${SHOP}/winter`)
    const [[clicks, people, bots]] = (await countsOf(9)) as [number[]]
    expect([clicks, people, bots]).toEqual([9, 3, 0])
  }

  async function endsAndIsUsedUp(): Promise<void> {
    await openLinks()
    await reschedule({ 'End date': '2021-01-01' })
    await meets('desktop', 'This link has expired', 410)
    await choose('Edit')
    await unfold('Schedule')
    await panel().getByText('9 used', { exact: true }).waitFor()
    await label('End date').fill('2099-12-01')
    await label('Click limit').fill('10')
    await isSaved()
    expect(await leads('desktop')).toBe(`${SHOP}/winter`)
    await heading(await visit('desktop'), 'This link has reached its limit')
    await heading(await visit('phone'), 'This link has reached its limit')
    expect(await user.browser.succeed('GET', '/links/winter')).toMatchObject({ status: 'limit_reached' })
    const [[clicks]] = (await countsOf(10)) as [number[]]
    expect(clicks).toBe(10)
  }
})

/** Nobody has this name, so the browsers of visitors get no further. */
const SHOP = 'https://shop.invalid'

const WORD = 'first snow'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const [GERMANY, FRANCE, BRITAIN] = ['193.99.144.80', '194.2.0.20', '212.58.244.20']
