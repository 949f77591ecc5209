import { beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { chooseForLink, dialogIs, shown } from './user-pages.ts'
import { linkEditorOn } from './pages/link-editor-page.ts'

setDefaultTimeout(60_000)

describe.skipIf(hasNoChromium)('the test of a link', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const { unfold } = linkEditorOn(() => page)
  let code: string
  let tests = 0

  beforeAll(addUser)
  beforeEach(makeLink)

  test('opens from the menu of the row, and says where a visitor goes and why, step by step', async () => {
    await openTest({ width: 1440, height: 900 })
    await page.getByLabel('Country', { exact: true }).and(page.locator(':focus')).waitFor()
    await answers('302 · this visitor goes towww.northlight-supply.com')
    const first = () =>
      Promise.all(
        ['Country', 'Device', 'Language'].map((name) =>
          page.locator('.link-test').getByLabel(name, { exact: true }).inputValue(),
        ),
      )
    await becomes(first, ['GB', 'desktop', 'en-GB'])
    await choose('Country', 'DE')
    await choose('Device', 'mobile')
    await choose('System', 'iOS')
    await choose('Browser', 'Safari')
    await choose('Language', 'de')
    await answers(/www\.northlight-supply\.com\/de\/(winter|jacken|schnee)/)
    const [active, limit, one, two, drawn, three] = await steps()
    expect(active).toBe('The link is active')
    expect(limit).toBe('The click limit is not reached\n0 of 250,000 clicks are used')
    expect(one).toBe('Rule 1 does not match\nCountry is Japan: the visitor is in Germany')
    expect(two).toBe('Rule 2 matches\nCountry is Germany, Austria or Switzerland; Device is Phone')
    expect(drawn).toMatch(
      /^Variant (A was picked \(50% chance\)|B was picked \(30% chance\)|C was picked \(20% chance\))\nPick again$/,
    )
    expect(three).toBe('Rule 3 is not checked\nAn earlier rule matched')
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
    expect(await user.browser.succeed('GET', `/links/${code}?include=opened`)).toMatchObject({
      click_count: 0,
      opened: 0,
    })
  })

  test('says of own traffic that it goes to the same place and is not counted', async () => {
    await openTest()
    await answers('302 · this visitor goes towww.northlight-supply.com')
    await choose('Traffic', 'Own, not counted')
    await becomes(
      async () => (await steps()).at(-1),
      'It is not counted\nThis browser or network is excluded, and uses up no click limit',
    )
    await answers('302 · this visitor goes towww.northlight-supply.com')
  })

  test('draws a split again, and keeps the focus', async () => {
    await openTest()
    await choose('Country', 'DE')
    await choose('Device', 'mobile')
    const again = page.getByRole('button', { name: 'Pick again' })
    await again.focus()
    const seen = new Set<string>()
    for (let draws = 0; draws < 200 && seen.size < 2; draws++) {
      const answered = page.waitForResponse((response) => response.url().includes('/links/resolve'))
      await page.keyboard.press('Enter')
      const { data } = await (await answered).json()
      await answers(data.url.replace('https://', ''))
      seen.add(data.url)
    }
    expect(seen.size).toBe(2)
    await again.and(page.locator(':focus')).waitFor()
  })

  test('tests what is in the form, saved or not', async () => {
    await openTest()
    await answers('302 · this visitor goes to')
    for (const name of ['Country', 'Device', 'Language']) await choose(name, '')
    await label('Destination').fill('https://example.com/unsaved')
    await answers('example.com/unsaved')
    await unfold('Schedule')
    await label('Start date').fill('2199-12-01')
    await answers('404 · this visitor sees a noticeThe link is not active yet')
    await label('When the link is unavailable').selectOption('fallback')
    await label('Fallback URL').fill('example.com/over')
    await answers('302 · this visitor goes to the fallback URLexample.com/over')
    const [start, fallback, rules] = await steps()
    expect(start).toMatch(/^The link has not started\nIt starts .*2199/)
    expect(fallback).toBe('A fallback URL is set')
    expect(rules).toBe('Redirect rules are not checked\nThey apply only while the link is available')
    await choose('Time', 'another')
    await page.getByLabel('Date of the visit').fill('2199-12-24')
    await answers('example.com/unsaved')
    await unfold('Password')
    await page.getByRole('switch', { name: 'Ask for a password' }).click()
    await label('Password of the link').fill('secret')
    await answers('403 · this visitor sees a noticeAsks for the password')
    const stored = await user.browser.succeed('GET', `/links/${code}`)
    expect(stored).toMatchObject({ starts_at: null, has_password: false, fallback_url: null })
  })

  test('leaves the switch its height where the answer is higher than the panel', async () => {
    await openTest({ width: 1280, height: 560 })
    await choose('Country', 'DE')
    await choose('Device', 'mobile')
    await answers(/northlight-supply\.com\/de\//)
    const aside = page.locator('.panel-aside')
    expect(await aside.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
    const button = await page.getByRole('button', { name: 'Preview', exact: true }).boundingBox()
    const around = await aside.locator('.segments').boundingBox()
    expect(button!.height).toBeGreaterThan(28)
    expect(around!.height).toBeGreaterThan(button!.height)
  })

  test('says what is wrong with the form instead of an answer', async () => {
    await openTest()
    await answers('this visitor goes to')
    await label('Destination').fill('')
    await shown(page, 'Enter the destination first. Then choose a visitor')
    await label('Destination').fill('ftp://example.com')
    await shown(page, 'Fix the errors to run the test.')
    await answer().waitFor({ state: 'detached' })
  })

  test('knows of an existing link what the form does not: its password, and the used part of its limit', async () => {
    const used = await create({ max_clicks: 1, custom_code: `used-${tests}` })
    expect((await rig.call('GET', `/${used.short_code}`)).status).toBe(302)
    code = used.short_code
    await openTest()
    await answers('410 · this visitor sees a noticeThe link has reached its click limit')
    await unfold('Schedule')
    await shown(page, '1 used')
    await label('Click limit').fill('2')
    await answers('302 · this visitor goes to')
    code = (await create({ password: 'secret', custom_code: `secret-${tests}` })).short_code
    await openTest()
    await answers('Asks for the password')
    await unfold('Password')
    await shown(page, 'The preview page asks for it too')
    await page.getByRole('switch', { name: 'Ask for a password' }).click()
    await answers('302 · this visitor goes to')
  })

  test('opens with the sections that it is about, unless another tab was chosen', async () => {
    await open(`/links/${code}`)
    await page.keyboard.press('e')
    await dialogIs(page, 'Edit link')
    await isPressed('Preview')
    await unfold('Campaign')
    await isPressed('Preview')
    await unfold('Schedule')
    await answers('this visitor goes to')
    await isPressed('Test')
    await unfold('Social preview')
    await page.getByText('In chat apps and social networks').waitFor()
    await isPressed('Preview')
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await unfold('Password')
    await page.getByText('Ask for a password before redirecting').waitFor()
    await isPressed('Preview')
  })

  test('opens from the page of the link, and is used by keyboard alone', async () => {
    await open(`/links/${code}`)
    await page.getByRole('button', { name: `More actions for ${code}` }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Test' }).waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'Open destination',
      'Duplicate',
      'Test',
      'Move to folder',
      'Change tags',
      'Archive',
      'Delete clicks',
      'Delete',
    ])
    // The menu takes the focus after it is shown.
    await page.locator('[role=menu]:focus, [role=menu] :focus').waitFor()
    await page.keyboard.press('t')
    await page.getByRole('menuitem', { name: 'Test' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Country', { exact: true }).and(page.locator(':focus')).waitFor()
    await page.locator('.link-test option[value=JP]').waitFor({ state: 'attached' })
    // One letter after the other chooses by the whole word only for who types without a pause.
    const country = page.locator('.link-test').getByLabel('Country', { exact: true })
    for (let presses = 0; presses < 9 && (await country.inputValue()) !== 'JP'; presses++)
      await page.keyboard.press('j')
    await answers('www.northlight-supply.jp/collections/winter')
    await page.keyboard.press('Escape')
    await page.locator('dialog.panel').waitFor({ state: 'detached' })
  })

  test('is a tab of its own on a phone, which fits', async () => {
    await openTest({ width: 390, height: 844 })
    await choose('Country', 'DE')
    await choose('Device', 'mobile')
    await answers(/northlight-supply\.com\/de\//)
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Link', 'Preview', 'Test'])
    expect(await overflowOf(page)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('tab', { name: 'Link' }).click()
    await label('Destination').waitFor()
    await page.getByRole('tab', { name: 'Test' }).click()
    await answers(/northlight-supply\.com\/de\//)
  })

  async function addUser(): Promise<void> {
    user = await rig.user()
  }

  async function makeLink(): Promise<void> {
    code = `winter-${++tests}`
    await create({ custom_code: code, rules: RULES, max_clicks: 250_000 })
  }

  const create = (link: object) =>
    user.browser.succeed('POST', '/links', { original_url: 'https://www.northlight-supply.com/', ...link })

  const open = async (path: string, look: Look = {}) => {
    page = await rig.open(path, { user, ...look })
    // It comes with the link. Before that its page shows the code as well, but does not know the keys yet.
    await page.getByRole('button', { name: `More actions for ${code}`, exact: true }).waitFor()
  }

  const openTest = async (look: Look = {}) => {
    await open('/', look)
    await chooseForLink(page, code, 'Test')
    await dialogIs(page, 'Edit link')
  }

  const choose = (name: string, value: string) =>
    page.locator('.link-test').getByLabel(name, { exact: true }).selectOption(value)

  const label = (name: string) => page.locator('.panel-form').getByLabel(name, { exact: true })
  const answer = () => page.locator('.test-answer')
  const answers = (text: string | RegExp) => answer().filter({ hasText: text }).waitFor()
  const steps = () => page.locator('.test-step').allInnerTexts()
  const isPressed = (name: string) => page.getByRole('button', { name, exact: true, pressed: true }).waitFor()
})

const RULES = [
  { when: { country: ['JP'] }, to: 'https://www.northlight-supply.jp/collections/winter' },
  {
    when: { country: ['DE', 'AT', 'CH'], device: ['mobile'] },
    split: [
      { to: 'https://www.northlight-supply.com/de/winter', weight: 50 },
      { to: 'https://www.northlight-supply.com/de/jacken', weight: 30 },
      { to: 'https://www.northlight-supply.com/de/schnee', weight: 20 },
    ],
  },
  { when: { language: ['en'] }, to: 'https://www.northlight-supply.com/stores/hamburg' },
]
