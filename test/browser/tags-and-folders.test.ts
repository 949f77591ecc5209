import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes, until } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { linkEditorOn } from './pages/link-editor-page.ts'

describe.skipIf(hasNoChromium)('tags and folders in the dashboard', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const { label, save, isClosed, hasFocus, button, combobox, editThis } = linkEditorOn(() => page)
  let tests = 0

  beforeEach(makeLinks)

  test('the editor offers known tags, creates new ones, and shows both on the page of the link', async () => {
    await openEditor()
    await chipsAre('Retail', 'Winter 2026')
    await becomes(() => combobox('Folder').inputValue(), 'Campaigns')
    await combobox('Tags').focus()
    await page.keyboard.type('new')
    await option('Newsletter').waitFor()
    await becomes(
      () => page.locator('.option').allTextContents(),
      ['Newcomers1', 'Newsletter2', 'Create tag “new”'],
    )
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await chipsAre('Retail', 'Winter 2026', 'Newsletter')
    await page.keyboard.type('new,NEWCOMERS,')
    await chipsAre('Retail', 'Winter 2026', 'Newsletter', 'new', 'Newcomers')
    await button('Remove Retail').click()
    await combobox('Folder').fill('Shop')
    await option('Create folder “Shop”').click()
    await save()
    await isClosed()
    expect(await linkOf('winter')).toMatchObject({
      tags: ['new', 'Newcomers', 'Newsletter', 'Winter 2026'],
      folder: 'Shop',
    })
    const place = page.locator('.link-place')
    await place.getByText('Shop').waitFor()
    await becomes(
      () => place.locator('.tag').allTextContents(),
      ['new', 'Newcomers', 'Newsletter', 'Winter 2026'],
    )
    expect(await axeFindings(page)).toEqual([])
  })

  test('tags are taken back, pasted as a list, and removed by keyboard', async () => {
    await openEditor()
    const tags = combobox('Tags')
    await tags.focus()
    await page.keyboard.type('one,two')
    await chipsAre('Retail', 'Winter 2026', 'one')
    await page.keyboard.press('Enter')
    await page.keyboard.type('one')
    await page.keyboard.press('Enter')
    await chipsAre('Retail', 'Winter 2026', 'one', 'two')
    await page.keyboard.press('Backspace')
    await chipsAre('Retail', 'Winter 2026', 'one')
    expect(await tags.inputValue()).toBe('two')
    await button('Remove one').press('Enter')
    await hasFocus(tags)
    await chipsAre('Retail', 'Winter 2026', 'two')
    await tags.evaluate((element) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'three\n four,five ')
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await chipsAre('Retail', 'Winter 2026', 'two', 'three', 'four', 'five')
  })

  test('the editor says at the field which tag or folder is refused', async () => {
    await openEditor()
    await combobox('Tags').fill(`fine,${'x'.repeat(51)},`)
    await save()
    await page.locator('.tag-chip.is-wrong').waitFor()
    expect(await page.locator('.field-error').allTextContents()).toEqual([
      expect.stringMatching(/^x{51}: The tag may not be greater than 50 characters\.$/),
    ])
    await hasFocus(combobox('Tags'))
    // The last one is text again, and loses a letter.
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await becomes(() => page.locator('.field-error').count(), 0)
  })

  test('“Create another” keeps tags, folder and UTM parameters', async () => {
    await open('/?do=new')
    await label('Destination').fill('https://example.com/a?utm_source=mail&utm_medium=email')
    await combobox('Tags').fill('Retail,')
    await combobox('Folder').fill('campaigns')
    await label('Create another').check()
    await save()
    await label('Destination').and(page.locator(':focus')).waitFor()
    await until(async () => (await label('Destination').inputValue()) === '')
    await chipsAre('Retail')
    await page.keyboard.type('https://example.com/b?utm_source=poster')
    await page.keyboard.press('Tab')
    await becomes(
      () => label('Destination').inputValue(),
      'https://example.com/b?utm_source=poster&utm_medium=email',
    )
    await label('Create another').uncheck()
    await save()
    await isClosed()
    expect(await countsOf('tags')).toMatchObject({ Retail: 3 })
    expect(await countsOf('folders')).toEqual({ Campaigns: 5 })
  })

  test('renames, recolors, merges and deletes by keyboard alone', async () => {
    await open('/tags')
    await namesAre('Newcomers', 'Newsletter', 'Retail', 'Winter 2026')
    await button('Rename Retail').focus()
    await page.keyboard.press('Enter')
    await hasFocus(label('Name'))
    await page.keyboard.type('newsletter')
    await page.keyboard.press('Enter')
    await page.getByText(/already been taken by another tag/).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Shops')
    await page.keyboard.press('Enter')
    await hasFocus(button('Rename Shops'))
    await button('Color of Shops').focus()
    await page.keyboard.press('Enter')
    await button('Red').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await button('Red').focus()
    await page.keyboard.press('Enter')
    await hasFocus(button('Color of Shops'))
    await button('More for Newcomers').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Merge into…' }).focus()
    await page.keyboard.press('Enter')
    await hasFocus(combobox('Merge into'))
    expect(await button('Merge tags').isDisabled()).toBe(true)
    await page.keyboard.type('news')
    await page.keyboard.press('Enter')
    await page.getByText('1 link gets “Newsletter” instead. The merge cannot be undone.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await button('Merge tags').focus()
    await page.keyboard.press('Enter')
    await page.getByText('“Newcomers” is now part of “Newsletter”.').waitFor()
    await button('More for Newcomers').waitFor({ state: 'detached' })
    await hasFocus(label('Find tags'))
    await button('More for Newsletter').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 links lose this tag. They stay.').waitFor()
    await button('Delete tag').focus()
    await page.keyboard.press('Enter')
    await button('More for Newsletter').waitFor({ state: 'detached' })
    expect(await user.browser.succeed('GET', '/tags')).toMatchObject([
      { name: 'Shops', color: 4, link_count: 1 },
      { name: 'Winter 2026', link_count: 1 },
    ])
    expect(await linkOf('news-2')).toMatchObject({ tags: [], folder: 'Campaigns' })
  })

  test('finds, sorts, creates, and leads to the links of a tag', async () => {
    await open('/tags')
    await label('Find tags').fill('NEW')
    await button('Rename Retail').waitFor({ state: 'detached' })
    await label('Sort').selectOption('Most links')
    await namesAre('Newsletter', 'Newcomers')
    await label('Find tags').fill('nothing')
    await page.getByText('No tags match').waitFor()
    await button('New tag').click()
    await label('Name').fill('retail')
    await page.keyboard.press('Enter')
    await page.getByText(/already been taken by another tag/).waitFor()
    await label('Name').fill('Spring')
    await page.keyboard.press('Enter')
    await page.getByText('“Spring” is created.').waitFor()
    expect(await countsOf('tags')).toMatchObject({ Spring: 0 })
    await label('Find tags').fill('')
    await page.getByRole('tab', { name: 'Folders' }).click()
    await page.getByRole('link', { name: '3 links' }).click()
    await page.waitForURL(/\/dashboard\/\?folder=Campaigns$/)
  })

  test('the editor opens the same as a dialog, and keeps what was typed', async () => {
    await openEditor()
    await label('Title').fill('Half a tit')
    await button('Manage tags').click()
    const dialog = page.getByRole('dialog', { name: 'Tags and folders' })
    await dialog.getByRole('button', { name: 'Rename Retail' }).click()
    await hasFocus(label('Name'))
    await page.keyboard.press('Escape')
    await hasFocus(button('Rename Retail'))
    await button('Rename Retail').click()
    await hasFocus(label('Name'))
    await page.keyboard.type('Shops')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Rename Shops' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await button('Done').click()
    await hasFocus(button('Manage tags'))
    expect(await label('Title').inputValue()).toBe('Half a tit')
  })

  test('without tags it says where they come from', async () => {
    user = await rig.user()
    await open('/tags')
    await page.getByRole('heading', { name: 'No tags yet' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await button('New tag').click()
    await label('Name').fill('First')
    await page.keyboard.press('Enter')
    await button('Rename First').waitFor()
  })

  test.each([
    ['dark', { theme: 'dark' }],
    ['phone', { width: 390, height: 844 }],
  ] as const)('pass axe and fit, %s', async (_, look) => {
    await open('/tags', look as Look)
    await button('Rename Retail').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await openEditor(look as Look)
    await combobox('Tags').fill('new')
    await option('Newsletter').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  async function makeLinks(): Promise<void> {
    user = await rig.user()
    tests++
    for (const [code, tags] of [
      ['winter', ['Winter 2026', 'Retail']],
      ['news', ['Newsletter']],
      ['news-2', ['Newsletter', 'Newcomers']],
    ] as const)
      await create({ custom_code: `${code}-${tests}`, tags, folder: 'Campaigns' })
  }

  const create = (input: object) =>
    user.browser.succeed('POST', '/links', { original_url: 'https://example.com/winter', ...input })

  const linkOf = (code: string) => user.browser.succeed('GET', `/links/${code}-${tests}`)

  const countsOf = async (kind: 'tags' | 'folders') =>
    Object.fromEntries(
      (await user.browser.succeed('GET', `/${kind}`)).map(({ name, link_count: links }: any) => [
        name,
        links,
      ]),
    )

  const open = async (path: string, look: Look = {}) => {
    page = await rig.open(path, { user, ...look })
  }

  const openEditor = async (look: Look = {}) => {
    await open(`/links/winter-${tests}`, look)
    await editThis()
  }

  const option = (name: string | RegExp) => page.getByRole('option', { name })
  const chipsAre = (...names: string[]) => becomes(() => page.locator('.tag-chip').allTextContents(), names)
  const namesAre = (...names: string[]) => becomes(() => page.locator('.label-name').allTextContents(), names)
})
