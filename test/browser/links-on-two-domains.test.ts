import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import { settingsWithDomain } from '../rigs/service/shared-domain.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { axeFindings } from './axe.ts'
import { startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { chooseForLink, heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('links on two domains', () => {
  const folders = temporaryFolders()
  const rig = useBrowserRig(async () => startBrowserRig(await settingsWithDomain(folders.make(), HOST)))
  let user: TestUser
  let page: Page
  let own: string

  beforeAll(addUser)

  afterAll(folders.remove)

  beforeEach(makeLinks)

  test('have their domain in a column of its own, if that is chosen', async () => {
    await makeBoth('column')
    await open('/')
    const cells = page.locator('td.cell-domain')
    await row(`${host()}/column`).waitFor()
    expect(await cells.count()).toBe(0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Domain' }).check()
    await cells.first().waitFor()
    expect((await cells.allInnerTexts()).toSorted()).toEqual([own, host()].toSorted())
    await page.waitForURL(/columns=labels%2Cclicks%2Ccreated%2Cdomain/)
    expect(await axeFindings(page)).toEqual([])
  })

  test('are made on the domain that was chosen, which is remembered', async () => {
    const taken = { original_url: 'https://example.com/', custom_code: 'chosen', domain: own }
    await user.browser.succeed('POST', '/links', taken)
    await open('/')
    const choice = page.getByLabel('Domain', { exact: true })
    expect(await choice.inputValue()).toBe(own)
    await choice.selectOption(host())
    await page.getByPlaceholder('Paste a long URL').fill('https://example.com/chosen')
    await page.keyboard.press('Enter')
    await row(`${host()}/`).waitFor()
    await page.reload()
    await row(`${host()}/`).waitFor()
    expect(await choice.inputValue()).toBe(host())
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'More options')
    const editor = page.getByRole('dialog', { name: 'New link' })
    expect(await editor.getByLabel('Domain').inputValue()).toBe(host())
    await editor.getByLabel('Destination', { exact: true }).fill('https://example.com/second')
    await editor.getByLabel('Custom code', { exact: true }).fill('chosen')
    await editor.getByText('Available', { exact: true }).waitFor()
    await editor.getByLabel('Domain').selectOption(own)
    await editor.getByText('Taken', { exact: true }).waitFor()
    await editor.getByLabel('Domain').selectOption(host())
    await editor.getByText('Available', { exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await row(`${host()}/chosen`).waitFor()
  })

  test('have a page each, although their codes are the same', async () => {
    await makeBoth('same')
    await open('/')
    await row(`${host()}/same`).getByRole('link').click()
    await heading(page, `${host()}/same`)
    expect(new URL(page.url()).pathname).toBe(`/dashboard/links/${host()}/same`)
    await page.reload()
    await shown(page, 'example.com/there')
    await page.getByRole('switch', { name: 'Enable same' }).click()
    const areActive = async () => (await bothOf('same')).map(({ is_active: isActive }) => isActive)
    expect(await eventually(areActive, ([, there]) => !there)).toEqual([true, false])
    await press(page, 'Edit')
    await page.getByLabel('Title', { exact: true }).fill('There')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await bothOf('same')).map(({ title }) => title)).toEqual(['', 'There'])
    await press(page, 'Edit')
    const picture = page.getByRole('img', { name: new RegExp(`${host()}/same`) })
    const source = (await picture.getAttribute('src'))!
    expect(await (await fetch(new URL(source, rig.config.baseUrl))).text()).toBe(
      await (
        await fetch(`${rig.config.baseUrl}/qr/same?format=svg&style=workspace`, { headers: { Host: host() } })
      ).text(),
    )
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: /^History/ }).click()
    await shown(page, 'set the title')
    await page.goto(`${rig.config.baseUrl}/dashboard/links/same`)
    await shown(page, 'example.com/here')
    await heading(page, `${own}/same`)
  })

  test('are changed together, whatever domains they have', async () => {
    await makeBoth('both')
    await open('/')
    await row(`${host()}/both`).waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).first().check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
    const areArchived = async () => (await bothOf('both')).map(({ archived }) => archived)
    expect(await eventually(areArchived, (all) => all.every((each) => each))).toEqual([true, true])
    await press(page, 'Undo')
    expect(await eventually(areArchived, (all) => all.every((each) => !each))).toEqual([false, false])
  })

  test('are deleted one by one, and the other one stays', async () => {
    await makeBoth('gone')
    await open('/')
    await row(`${host()}/gone`).getByRole('button', { name: 'More actions for gone' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await shown(page, 'gone deleted')
    await row(`${host()}/gone`).waitFor({ state: 'detached' })
    expect((await linkOn(own, 'gone')).original_url).toBe('https://example.com/here')
    await chooseForLink(page, 'gone', 'Edit')
    await page.getByRole('dialog').getByText(`${own}/gone`).first().waitFor()
  })

  test('are listed by domain', async () => {
    await makeBoth('listed')
    await open('/')
    await row(`${host()}/listed`).waitFor()
    await page.getByRole('button', { name: 'Domain', exact: true }).click()
    await page.getByRole('listbox').getByRole('option', { name: host() }).click()
    await row(`${own}/listed`).waitFor({ state: 'detached' })
    await row(`${host()}/listed`).waitFor()
    expect(new URL(page.url()).searchParams.getAll('domain')).toEqual([host()])
  })

  test('are made in bulk on the chosen domain', async () => {
    await open('/')
    await press(page, 'Bulk create')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').first().fill('https://example.com/one, One, bulk-one')
    await dialog.getByLabel('Domain').selectOption(host())
    await press(page, 'Check links')
    await dialog.getByRole('button', { name: /^Create 1/ }).click()
    await dialog.getByText(`${host()}/bulk-one`).first().waitFor()
    expect((await linkOn(host(), 'bulk-one')).title).toBe('One')
  })

  async function addUser(): Promise<void> {
    own = new URL(rig.config.baseUrl).host
  }

  async function makeLinks(): Promise<void> {
    user = await rig.user()
  }

  /** As short URLs have it. */
  const host = () => `${HOST}:${new URL(rig.config.baseUrl).port}`

  const linkOn = (domain: string, code: string) =>
    user.browser.succeed('GET', `/links/${code}?domain=${domain}`)

  const makeBoth = async (code: string) => {
    for (const [domain, place] of [
      [own, 'here'],
      [host(), 'there'],
    ] as const) {
      const link = { original_url: `https://example.com/${place}`, custom_code: code, domain }
      await user.browser.succeed('POST', '/links', link)
    }
  }

  const bothOf = async (code: string) => [await linkOn(own, code), await linkOn(host(), code)]

  const open = async (path: string) => {
    page = await rig.open(path, { user })
  }

  const row = (url: string) => page.locator('tbody tr').filter({ hasText: url })
})

const HOST = 'go.example'
