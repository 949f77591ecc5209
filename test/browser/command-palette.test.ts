import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { paletteOn } from './pages/palette-page.ts'
import { selectionBarOn } from './pages/selection-bar.ts'
import { clipboard, copies, dialogIs, heading, pressKeys } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the command palette, by keyboard alone', () => {
  const rig = useBrowserRig()
  let operator: TestUser
  let user: TestUser
  let page: Page
  let tests = 0
  /** Codes are the whole service's: each test has its own. */
  let winter: string
  const { active, field, isClosed, open, openActions, option, rows, run } = paletteOn(() => page)

  beforeAll(addUsers)
  beforeEach(openWithLinks)

  test('finds a link by its code, even when Enter is pressed before the answer is there', async () => {
    await open(winter)
    await press('Enter')
    await url(`/links/${winter}`)
    await isClosed()
  })

  test.each([
    ['title', () => 'collection winter'],
    ['destination', () => `example.com/${winter}`.slice(8)],
    ['short URL', () => `${rig.config.baseUrl}/${winter}`],
  ])('finds a link by its %s', async (_, text) => {
    await run(text(), ofWinter())
    await url(`/links/${winter}`)
  })

  test('goes to a tag, a folder, a view, and a page', async () => {
    await ask('POST', '/views', { name: 'Frozen things', query: 'status=active' })
    await open('cold')
    // A link that has the tag comes first.
    await active(new RegExp(`^${host()}/`)).waitFor()
    await press('ArrowDown')
    await active('Tag: Cold days 1 link').waitFor()
    await press('Enter')
    await url('/?tag=Cold+days')
    await run('catal', 'Folder: Catalog 1 link')
    await url('/?folder=Catalog')
    await run('frozen', 'View: Frozen things')
    await page.waitForURL(/\/dashboard\/\?status=active&view=\d+$/)
    await run('api k', 'API keys')
    await url('/keys')
  })

  test('leads to all links that match, archived ones last', async () => {
    for (let at = 1; at <= 5; at++) await make(`${winter}-${at}`, { archived: at === 5 })
    await open(winter)
    await option(`See all 6 links that match “${winter}”`).waitFor()
    const links = rows('Links')
    // Until the answer is there, the links of what was typed before stay.
    await links
      .first()
      .locator('strong', { hasText: new RegExp(`${winter}$`) })
      .waitFor()
    const codes = (await links.allTextContents()).map((text) => /winter-[\w-]*?x(-\d)?/.exec(text)?.[0])
    expect(codes.slice(0, 4)).toEqual([winter, `${winter}-4`, `${winter}-3`, `${winter}-2`])
    await press('ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter')
    await url(`/?search=${winter}&archived=include`)
  })

  test('copies a short URL and closes', async () => {
    await open(winter)
    await active(ofWinter()).waitFor()
    await copies(page, () => press('ControlOrMeta+Enter'))
    await isClosed()
    expect(await clipboard(page)).toBe(`${rig.config.baseUrl}/${winter}`)
  })

  test('lists what can be done with a link, and goes back', async () => {
    await openActions(winter, ofWinter())
    const wanted = page.getByRole('combobox', { name: 'What do you want to do?' })
    await wanted.and(page.locator(':focus')).waitFor()
    expect(await page.locator('dialog').getByRole('option').allTextContents()).toEqual(
      [
        /^Copy short URL/,
        /^Edit/,
        /^Open analytics/,
        /^QR code/,
        /^Open destination/,
        /^Duplicate/,
        /^Test/,
        /^Change tags/,
        /^Move to folder/,
        /^Disable/,
        /^Archive/,
        /^Delete/,
      ].map((label) => expect.stringMatching(label)),
    )
    expect(await axeFindings(page)).toEqual([])
    await press('Backspace')
    await becomes(() => field().inputValue(), winter)
    await active(ofWinter()).waitFor()
    await press('ArrowRight')
    await page.keyboard.type('disab')
    await active('Disable').waitFor()
    await press('Enter')
    await page.getByText(`${winter} disabled`).waitFor()
    expect((await ask('GET', `/links/${winter}`)).is_active).toBe(false)
    await openActions(winter, /Disabled/)
    await page.keyboard.type('edit')
    await press('Enter')
    await dialogIs(page, 'Edit link')
    await becomes(() => page.getByLabel('Title', { exact: true }).inputValue(), 'Winter collection')
  })

  test('duplicates a link without what only one link can have', async () => {
    await openActions(winter, ofWinter())
    await page.keyboard.type('dupl')
    await press('Enter')
    await dialogIs(page, 'New link')
    await press('ControlOrMeta+Enter')
    await page.getByText(/ (copied|created\.)/).waitFor()
    const links = await ask('GET', '/links')
    expect(links.map(({ title }: { title: string }) => title)).toEqual([
      'Winter collection',
      'Winter collection',
    ])
    expect(links[0].original_url).toBe(`https://example.com/${winter}`)
    expect(links[0].short_code).not.toBe(winter)
  })

  test('deletes a link, and leaves its page', async () => {
    await page.goto(`${rig.config.baseUrl}/dashboard/links/${winter}`)
    await page.getByText('No clicks yet').first().waitFor()
    await openActions(winter, ofWinter())
    await page.keyboard.type('delete')
    await press('Enter')
    await url('/')
    await page.getByText(`${winter} deleted`).waitFor()
  })

  test('creates a link to a URL that is typed, or in the clipboard', async () => {
    await run('example.com/typed', 'Create link to https://example.com/typed')
    await page.getByText(/^\S+ copied$/).waitFor()
    const [first] = await ask('GET', '/links')
    expect([first.original_url, await clipboard(page)]).toEqual([
      'https://example.com/typed',
      first.short_url,
    ])
    await page.evaluate(() => navigator.clipboard.writeText('https://example.com/from-clipboard'))
    await run('clipboard', 'Shorten the URL in the clipboard')
    await page
      .getByText(/^\S+ copied$/)
      .nth(1)
      .waitFor()
    expect((await ask('GET', '/links'))[0].original_url).toBe('https://example.com/from-clipboard')
    await page.evaluate(() => navigator.clipboard.writeText('no URL'))
    await open('clipboard')
    await press('Enter')
    await page.getByText('There is no URL in the clipboard.').waitFor()
  })

  test('offers a free code, and one with a number if the code is taken', async () => {
    await open(winter)
    await option(`Create link with the code “${winter}-2”`).waitFor()
    await page.keyboard.type('yz')
    await option(`Create link with the code “${winter}yz”`).waitFor()
    await page.getByText(`Nothing matches “${winter}yz”`).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await active(`Create link with the code “${winter}yz”`).waitFor()
    await press('Enter')
    await dialogIs(page, 'New link')
    await becomes(() => page.getByLabel('Custom code').inputValue(), `${winter}yz`)
  })

  test('says that search is not available, while pages and actions still work', async () => {
    await page.route('**/find-links*', (route) => route.fulfill({ status: 500, body: '' }))
    await open('keys')
    await page.getByText('Search is not available. Go to and actions still work.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await active('API keys').waitFor()
    await press('Enter')
    await url('/keys')
    // The browser reports the failed request by itself.
    expect(rig.takeFaults().every((fault) => /500/.test(fault))).toBe(true)
  })

  test('shows the last links and the most used actions before anything is typed, and actions alone after >', async () => {
    await open(winter)
    await press('Enter')
    await url(`/links/${winter}`)
    await isLoaded('Winter collection')
    await open('>dark')
    await active('Use the dark theme').waitFor()
    await becomes(() => page.locator('dialog').getByRole('option').count(), 1)
    await press('Enter')
    await becomes(() => page.evaluate(() => document.documentElement.dataset['theme']), 'dark')
    await isClosed()
    await open('>light')
    await press('Enter')
    await isClosed()
    await open()
    await rows('Recent links').waitFor()
    const first = rows('Actions').first()
    await becomes(() => first.textContent(), 'Use the dark theme')
    expect(await axeFindings(page)).toEqual([])
    await press('Escape')
    await isClosed()
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => /palette/.test(key)).length),
    ).toBe(1)
  })

  test('shows the last links of the workspace that the user works in, and those of another one there', async () => {
    const { id } = await ask('POST', '/workspaces', { name: 'Second' })
    const spring = `spring-${tests}-x`
    const sent = { original_url: 'https://example.com/', custom_code: spring, title: 'Spring collection' }
    const { status } = await user.browser.request('POST', '/links', sent, { 'X-Workspace': `${id}` })
    expect(status).toBe(201)
    const recent = rows('Recent links')
    const shows = async (code: string) => {
      await becomes(() => recent.count(), 1)
      await recent.filter({ hasText: code }).waitFor()
      await press('Escape')
      await isClosed()
    }
    await page.goto(`${rig.config.baseUrl}/dashboard/links/${winter}`)
    await isLoaded('Winter collection')
    await open()
    await shows(winter)

    await ask('POST', `/workspaces/${id}/choose`)
    await page.goto(`${rig.config.baseUrl}/dashboard/overview`)
    await heading(page, 'Overview')
    await open()
    await page.getByRole('group', { name: 'Actions' }).waitFor()
    expect(await recent.count()).toBe(0)
    await press('Escape')
    await isClosed()
    await run(spring, new RegExp(spring))
    await isLoaded('Spring collection')
    await open()
    await shows(spring)
  })

  describe('while its chunk is loading', () => {
    let arrives: () => void
    let isLost: boolean

    beforeEach(async () => {
      const arrival = new Promise<void>((resolve) => (arrives = resolve))
      isLost = false
      await page.route('**/assets/searching-*.js', async (route) => {
        await arrival
        await (isLost ? route.abort() : route.continue())
      })
      await page.goto(`${rig.config.baseUrl}/dashboard/`)
      await page.getByRole('row').filter({ hasText: winter }).waitFor()
      await page.getByRole('checkbox', { name: `Select ${winter}` }).check()
      await selectionBarOn(() => page).isShown()
    })

    test('keeps what is typed, which is no shortcut of the page', async () => {
      await press('ControlOrMeta+k')
      await page.keyboard.type('a catalog')
      await becomes(() => field().and(page.locator(':focus')).inputValue(), 'a catalog')
      expect(await axeFindings(page)).toEqual([])
      arrives()
      await page.getByRole('listbox', { name: 'Results' }).waitFor()
      await page.keyboard.type('ue')
      await becomes(() => field().and(page.locator(':focus')).inputValue(), 'a catalogue')
      await press('Escape')
      await isClosed()
      expect((await ask('GET', `/links/${winter}`)).archived).toBe(false)
    })

    test('runs the first row when Enter was pressed already', async () => {
      await press('ControlOrMeta+k')
      await page.keyboard.type(winter)
      await press('Enter')
      arrives()
      await url(`/links/${winter}`)
      await isClosed()
    })

    test('closes by the key that opens it, and is empty the next time', async () => {
      await press('ControlOrMeta+k')
      await page.keyboard.type('catalog')
      await press('ControlOrMeta+k')
      await isClosed()
      await press('ControlOrMeta+k')
      await becomes(() => field().inputValue(), '')
      arrives()
      await page.getByRole('group', { name: 'Actions' }).waitFor()
      await becomes(() => field().inputValue(), '')
    })

    test('stays when the chunk cannot be loaded, and offers to reload', async () => {
      await press('ControlOrMeta+k')
      isLost = true
      arrives()
      const dialog = page.getByRole('dialog', { name: 'Search' })
      await dialog.getByRole('button', { name: 'Reload' }).waitFor()
      await page.keyboard.type('a')
      expect(await axeFindings(page)).toEqual([])
      expect((await ask('GET', `/links/${winter}`)).archived).toBe(false)
      // The browser reports the request by itself.
      rig.takeFaults()
    })
  })

  test('lists what only operators may do for operators only', async () => {
    await open('server')
    await page.getByText('Nothing matches “server”').waitFor()
    const operators = await rig.open('/', { user: operator })
    await operators.getByRole('button', { name: 'Search', exact: true }).first().click()
    await operators.getByRole('combobox').and(operators.locator(':focus')).waitFor()
    await operators.keyboard.type('server')
    await operators
      .getByRole('option', { name: 'Admin: Invite someone to this server', selected: true })
      .waitFor()
    await operators.keyboard.press('Enter')
    await dialogIs(operators, 'Invite someone')
  })

  test.each([
    ['invite', 'Invite someone', 'Invite'],
    ['new tag', 'New tag', 'New tag'],
    ['new folder', 'New folder', 'New folder'],
    ['domain', 'Add domain', 'Add domain'],
    ['new work', 'New workspace', 'New workspace'],
  ])('opens “%s” on any page', async (text, label, dialog) => {
    await run(`>${text}`, label)
    await dialogIs(page, dialog)
  })

  test('goes to pages that no bar has: tags and folders, and archived links', async () => {
    await run('tags and', 'Tags and folders')
    await url('/tags')
    await run('archived', 'Archived')
    await url('/?archived=only')
  })

  test('saves all links as a file', async () => {
    await open('export links')
    await active('Export links as CSV').waitFor()
    const download = page.waitForEvent('download')
    await press('Enter')
    expect(await Bun.file(await (await download).path()).text()).toContain(winter)
  })

  test('changes the tags of a link, and moves it', async () => {
    const actionOf = async (text: string) => {
      await openActions(winter, ofWinter())
      await page.keyboard.type(text)
      await press('Enter')
    }
    await actionOf('tags')
    await dialogIs(page, 'Change tags')
    await page.keyboard.type('Snow,')
    expect(await axeFindings(page)).toEqual([])
    const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**/dashboard/api/tags', async (route) => {
      await isSeen
      await route.continue()
    })
    const rereading = page.waitForRequest('**/dashboard/api/tags')
    await press('Enter')
    await rereading
    // The dialog is still there, and the palette would not open.
    const isChanged = page.getByText(`Tags of ${winter} changed`)
    expect(await isChanged.count()).toBe(0)
    goOn()
    await isChanged.waitFor()
    await actionOf('folder')
    await dialogIs(page, 'Move to folder')
    await press('ControlOrMeta+a')
    await page.keyboard.type('Shop')
    await press('Enter')
    await page.getByText(`${winter} moved`).waitFor()
    const { tags, folder } = await ask('GET', `/links/${winter}`)
    expect([tags.toSorted(), folder]).toEqual([['Cold days', 'Snow'], 'Shop'])
  })

  test('opens what an action needs, and gives the focus back to where it was', async () => {
    const button = page.getByRole('button', { name: 'Search', exact: true }).first()
    await button.focus()
    await press('Enter')
    await field().waitFor()
    await page.keyboard.type('new api')
    await active('New API key').waitFor()
    await press('Enter')
    await dialogIs(page, 'New key')
    await press('Escape')
    await button.and(page.locator(':focus')).waitFor()
  })

  test('single keys go to pages, and help lists them', async () => {
    await press('g', 'k')
    await url('/keys')
    await press('g', 'l')
    await url('/')
    await press('g', 'c')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).not.toBe(
      'Paste a long URL',
    )
    await press('g', 'o')
    await url('/overview')
    await press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Go to Overview').waitFor()
    await press('ControlOrMeta+k')
    expect(await page.locator('dialog.palette').count()).toBe(0)
    await press('Escape')
  })

  test('fits a phone, in both themes', async () => {
    const phone = await rig.open('/', { width: 390, height: 844, user })
    await phone.getByRole('button', { name: 'Search', exact: true }).click()
    await phone.getByRole('combobox').and(phone.locator(':focus')).waitFor()
    await phone.keyboard.type(winter)
    await phone.getByRole('option', { name: `${host()}/${winter}` }).waitFor()
    expect(await axeFindings(phone)).toEqual([])
    await phone.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFindings(phone, 'only the colors')).toEqual([])
    expect(await overflowOf(phone)).toBe(0)
    await phone.getByRole('button', { name: 'Close' }).click()
    await phone.locator('dialog.palette').waitFor({ state: 'detached' })
  })

  async function addUsers(): Promise<void> {
    operator = await rig.user({ email: 'operator@example.com' })
  }

  async function openWithLinks(): Promise<void> {
    user = await rig.user()
    winter = `winter-${++tests}-x`
    await make(winter, { title: 'Winter collection', tags: ['Cold days'], folder: 'Catalog' })
    page = await rig.open('/overview', { user })
    await heading(page, 'Overview')
  }

  const ask = (method: string, path: string, body?: unknown) => user.browser.succeed(method, path, body)

  const make = (custom_code: string, others: object = {}) =>
    ask('POST', '/links', { original_url: `https://example.com/${custom_code}`, custom_code, ...others })

  /** The page of a link, by its title: the palette then knows that it was opened. */
  const isLoaded = (title: string) => page.locator('.page').getByText(title).first().waitFor()

  const host = () => new URL(rig.config.baseUrl).host
  /** The row of the link. */
  const ofWinter = () => new RegExp(`^${host()}/${winter}`)
  const press = (...keys: string[]) => pressKeys(page, ...keys)
  const url = (path: string) => page.waitForURL(`${rig.config.baseUrl}/dashboard${path}`)
})
