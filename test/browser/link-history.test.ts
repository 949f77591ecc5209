import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { inDialog, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the history of a link', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let member: TestUser
  let page: Page
  let code: string
  let tests = 0

  beforeAll(addTeam)
  beforeEach(makeLink)

  test('leaves the page at its top on a phone, where the tabs are', async () => {
    await open('', { width: 390, height: 844 })
    await shown(page, 'No clicks yet')
    expect(await page.evaluate(() => scrollY)).toBe(0)
  })

  test('says so if nothing has changed', async () => {
    await open()
    await tab('History').click()
    await shown(page, 'Nothing has changed since.')
    expect(page.url()).toEndWith(`/links/${code}?tab=history`)
    await both()
  })

  test('says who changed what, and restores a version after a question, with undo', async () => {
    await put({ original_url: 'https://www.example.com/winter' }, member)
    await put({ max_clicks: 250_000, is_active: false })
    await open('?period=90d')
    await tab('History').focus()
    await page.keyboard.press('Enter')
    expect(await tab('History').innerText()).toContain('3')
    await entries().nth(2).waitFor()
    expect(page.url()).toEndWith('?period=90d&tab=history')
    const [latest, changed, created] = [entries().nth(0), entries().nth(1), entries().nth(2)]
    expect(await latest.locator('.version-head p').innerText()).toMatch(
      new RegExp(`${user.name} disabled the link, set the click limit\\s+Current$`),
    )
    expect(await changed.locator('.version-head p').innerText()).toContain(
      `${member.name} changed the destination`,
    )
    expect(await changed.locator('del strong').innerText()).toBe('autumn')
    expect(await changed.locator('ins strong').innerText()).toBe('winter')
    await changed.locator('.version-foot').getByText('0 clicks since then').waitFor()
    expect(await created.locator('.version-head p').innerText()).toBe(`${user.name} created the link`)
    expect(await latest.getByRole('button').count()).toBe(0)
    await both()

    await created.getByRole('button', { name: /^Restore/ }).click()
    const question = page.getByRole('dialog', { name: 'Restore this version?' })
    await question.getByText('Visitors go to www.example.com/autumn from now on.').waitFor()
    const restored = await question.locator('.version-diff').allInnerTexts()
    expect(restored.map((text) => text.split('\n')[0])).toEqual(['Click limit', 'Destination', 'Status'])
    expect(await axeFindings(page)).toEqual([])
    await question.getByRole('button', { name: 'Restore' }).click()
    await entries().nth(3).waitFor()
    await question.waitFor({ state: 'detached' })
    expect((await rig.call('GET', `/${code}`)).headers.get('location')).toBe('https://www.example.com/autumn')
    await press(page, 'Undo')
    await entries().nth(4).waitFor()
    expect(await user.browser.succeed('GET', `/links/${code}?include=version`)).toMatchObject({
      original_url: 'https://www.example.com/winter',
      max_clicks: 250_000,
      is_active: false,
      version: 5,
    })
    await page.goBack()
    await page.getByRole('tab', { name: 'Analytics', selected: true }).waitFor()
  })

  test('names the API key that a change was made with', async () => {
    const { key } = await user.browser.succeed('POST', '/keys', {
      name: 'Newsletter',
      scopes: ['links:write'],
    })
    await rig.call('PUT', `/api/links/${code}`, { key, body: { title: 'Winter' } })
    await open('?tab=history')
    const head = entries().first().locator('.version-head p')
    expect(await head.innerText()).toMatch(`${user.name}, with the API key “Newsletter”, set the title`)
    await both()
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await overflowOf(page)).toBe(0)
  })

  test('is narrowed to kinds of changes, people and dates', async () => {
    await put({ original_url: 'https://www.example.com/winter' }, member)
    await put({ title: 'Winter' })
    await open('?tab=history')
    await shown(page, 'Kept as long as the link.')
    await entries().nth(2).waitFor()
    const pills = page.getByRole('group', { name: 'Filters' })
    const choose = async (pill: string, option: string) => {
      await pills.getByRole('button', { name: pill, exact: true }).click()
      await page.getByRole('option', { name: option }).click()
      await page.keyboard.press('Escape')
    }
    const deeds = async () => {
      const heads = await entries().locator('.version-head p').allInnerTexts()
      return heads.map((head) => head.replace(/\s+Current$/, ''))
    }
    await choose('Change', 'Destination')
    expect(await deeds()).toEqual([`${member.name} changed the destination`])
    await press(page, 'Clear filters')
    await choose('User', user.name)
    expect(await deeds()).toEqual([`${user.name} set the title`, `${user.name} created the link`])
    await choose('Change', 'Destination')
    await shown(page, 'No changes match these filters')
    await both()
    await press(page, 'Remove filter: Change')
    await press(page, 'Remove filter: User')
    await pills.getByRole('button', { name: 'Date', exact: true }).click()
    await page.getByLabel('To', { exact: true }).fill('2020-01-01')
    await shown(page, 'No changes match these filters')
    expect(await entries().count()).toBe(0)
  })

  test('has all versions, however many requests they take', async () => {
    for (let edit = 1; edit <= 101; edit++) await put({ title: `Title ${edit}` })
    await open('?tab=history')
    await shown(page, '1–25 of 102')
    await press(page, 'Page 5')
    await shown(page, `${user.name} created the link`)
    expect(await entries().count()).toBe(2)
  })

  test('says what cannot be restored, and why', async () => {
    await put({ original_url: 'https://www.example.com/winter' })
    await open('?tab=history')
    await user.browser.succeed('PUT', `/links/${code}`, { original_url: 'https://elsewhere.example/' })
    await user.browser.succeed('POST', '/admin/blocked-hosts', { host: 'www.example.com' })
    await entries().last().getByRole('button').click()
    await inDialog(page, 'Restore')
    await shown(
      page,
      'Not restored: This destination is blocked: the operator of this server has blocked its host.',
    )
    await user.browser.succeed('DELETE', '/admin/blocked-hosts/www.example.com')
  })

  test('is marked on the chart, by a button that leads to it', async () => {
    await rig.call('GET', `/${code}`)
    await put({ original_url: 'https://www.example.com/winter' })
    await open()
    const mark = page.getByRole('button', { name: /^Destination changed, .*\. Show history$/ })
    await mark.waitFor()
    await both()
    await mark.focus()
    await page.keyboard.press('Enter')
    await entries().nth(1).waitFor()
    expect(page.url()).toEndWith('?tab=history')
  })

  test('fits on a phone', async () => {
    await put({ original_url: `https://www.example.com/${'winter-collection-'.repeat(12)}`, title: 'Winter' })
    await open('?tab=history', { width: 390, height: 844 })
    await entries().nth(1).waitFor()
    expect(await overflowOf(page)).toBe(0)
    await both()
  })

  async function addTeam(): Promise<void> {
    user = await rig.user()
    member = await memberOf(rig, user, 'editor')
  }

  async function makeLink(): Promise<void> {
    code = `winter-${++tests}`
    await user.browser.succeed('POST', '/links', {
      original_url: 'https://www.example.com/autumn',
      custom_code: code,
    })
  }

  const put = (input: object, by = user) => by.browser.succeed('PUT', `/links/${code}`, input)

  const open = async (query = '', look: Look = {}) => {
    page = await rig.open(`/links/${code}${query}`, { user, ...look })
  }

  const tab = (name: string) => page.getByRole('tab', { name })
  const entries = () => page.locator('.version')

  const both = async () => {
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
  }
})
