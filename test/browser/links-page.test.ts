import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { usePrepared } from '../rigs/use-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { chooseForLink, copies, dialogIs, hasFocus, inDialog, stopClock } from './user-pages.ts'
import { linkListOn } from './pages/link-list-page.ts'
import { listFiltersOn } from './pages/list-filters.ts'

describe.skipIf(hasNoChromium)('the links page', () => {
  const rig = useBrowserRig()
  const operator = usePrepared(() => rig.user())
  let user: TestUser
  let page: Page
  const { row, newUrl, choose } = linkListOn(() => page)
  const filters = listFiltersOn(() => page)
  /** Codes are the whole service's: each test has its own. */
  let launch: string
  let poster: string

  beforeEach(openWithTwoLinks)

  test('shows its name, tabs and rows before the app has loaded', async () => {
    await make(`${launch}-new`, { title: '<b>New & old</b>' })
    const app = Promise.withResolvers<void>()
    await page.route(/\/assets\/start-/, async (route) => {
      await app.promise
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor()
    await page.getByText('All links', { exact: true }).waitFor()
    await page.getByText('<b>New & old</b>').waitFor()
    expect(await page.locator('.first-rows .row-link').nth(1).textContent()).toBe(`${host()}/${launch}`)
    expect(await page.getByRole('button', { name: `More actions for ${launch}` }).count()).toBe(0)
    app.resolve()
    await page.getByRole('button', { name: `More actions for ${launch}`, exact: true }).waitFor()
  })

  describe('creates a link', () => {
    test('by keyboard alone: c, paste, Enter; its short URL is copied, and the field is ready for the next', async () => {
      await page.keyboard.press('c')
      await page.keyboard.insertText('example.com/a/long/address')
      await page.getByRole('status').getByText('Goes to https://example.com/a/long/address').waitFor()
      await page.keyboard.press('Enter')
      await page.getByText(/^\S+ copied$/).waitFor()
      const [made] = await ask('GET', '/links')
      expect(made.original_url).toBe('https://example.com/a/long/address')
      await page.getByText(`${host()}/${made.short_code} copied`).waitFor()
      expect(await copied()).toBe(made.short_url)
      await row(made.short_code).waitFor()
      expect(await newUrl().inputValue()).toBe('')
      await hasFocus(newUrl())
      await page.getByRole('status').getByRole('button', { name: 'QR code' }).click()
      await page.getByRole('img', { name: `QR code for ${made.short_url}` }).waitFor()
    })

    test('and says so when the browser does not let it copy, with a button that does', async () => {
      await setCopying('denied')
      await newUrl().fill('https://example.com/refused')
      await page.keyboard.press('Enter')
      await page.getByText('created. Your browser did not allow copying.').waitFor()
      await setCopying('granted')
      await copies(page, () =>
        page.getByRole('status').getByRole('button', { name: 'Copy short URL' }).click(),
      )
    })

    test('from a URL pasted anywhere, but not while typing', async () => {
      const field = newUrl()
      await paste('no URL at all')
      expect(await field.inputValue()).toBe('')
      await page.evaluate(() => navigator.clipboard.writeText('https://example.com/pasted'))
      await page.keyboard.press('ControlOrMeta+v')
      expect(await field.inputValue()).toBe('https://example.com/pasted')
      await hasFocus(newUrl())
      await field.fill('')
      await page.keyboard.press('Tab')
      await filters.search().focus()
      await paste('https://example.com/searched')
      expect(await field.inputValue()).toBe('')
      await page.getByRole('button', { name: 'Bulk create' }).focus()
      await paste('https://example.com/1\nhttps://example.com/2')
      const lines = page.getByRole('dialog', { name: 'Bulk create' }).getByLabel('One URL per line')
      expect(await lines.inputValue()).toBe('https://example.com/1\nhttps://example.com/2')
    })

    test('with a title and a code, and says while typing whether the code is free', async () => {
      await newUrl().fill('https://example.com/')
      await page.getByRole('button', { name: 'More options' }).click()
      const field = page.getByLabel('Custom code')
      await field.fill(launch)
      await page.getByText('The custom code has already been taken.').waitFor()
      await field.fill('login')
      await page.getByText('The custom code is reserved.').waitFor()
      await field.fill('two words')
      await page.getByText('The custom code may only contain letters').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await field.fill(`spring-${tests}`)
      await page.getByText('Available', { exact: true }).waitFor()
      await page.getByLabel('Title', { exact: true }).fill('Spring')
      await page.keyboard.press('Enter')
      await row(`${host()}/spring-${tests}`).waitFor()
      expect(await ask('GET', `/links/spring-${tests}`)).toMatchObject({
        original_url: 'https://example.com/',
        title: 'Spring',
      })
    })

    test('once, with two quick presses of Enter and a copy that takes its time', async () => {
      const keys: (string | undefined)[] = []
      await page.route('**/dashboard/api/links', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        await route.continue()
      })
      const { promise: copied, resolve: copy } = Promise.withResolvers<void>()
      await page.exposeFunction('waitForCopy', () => copied)
      await page.evaluate(() => {
        navigator.clipboard.write = () => (globalThis as any).waitForCopy()
      })
      await newUrl().fill('https://example.com/twice')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await row('example.com/twice').waitFor()
      await page.keyboard.press('Enter')
      copy()
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('.create input')?.value === '',
      )
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
      expect((await codes()).length).toBe(3)
    })

    test.each([
      ['granted', 'with the reason below'],
      ['denied', 'also where the browser does not let it copy'],
    ] as const)('not from an invalid URL, copying %s: it stays as it was typed, %s', async (setting) => {
      await setCopying(setting)
      const field = newUrl()
      await field.fill('ftp://nowhere')
      await page.keyboard.press('Enter')
      await page.getByText('Enter a full URL, for example https://example.com/page.').waitFor()
      expect(await field.inputValue()).toBe('ftp://nowhere')
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await hasFocus(field)
      expect(await codes()).toEqual([launch, poster])
    })

    test('not from several pasted lines, which open the bulk dialog', async () => {
      await newUrl().focus()
      await paste('https://example.com/1\nhttps://example.com/2\n')
      const lines = page.getByRole('dialog', { name: 'Bulk create' }).getByLabel('One URL per line')
      expect(await lines.inputValue()).toBe('https://example.com/1\nhttps://example.com/2')
    })
  })

  describe('shows', () => {
    test('search results as you type after /, and keeps search, filter and order in the URL', async () => {
      await make(`other-${tests}`, { title: 'Poster, the new one' })
      await page.keyboard.press('/')
      await page.keyboard.type('poster')
      await row(`other-${tests}`).waitFor()
      await row(launch).waitFor({ state: 'detached' })
      await filters.choose('Status', 'Disabled')
      await filters.sort('Newest', 'Most clicks')
      await page.waitForURL(/\?search=poster&status=disabled&sort=clicks$/)
      await row(`other-${tests}`).waitFor({ state: 'detached' })
      await page.reload()
      await row(poster).waitFor()
      expect(await page.getByRole('row').count()).toBe(2)
      expect(await filters.search().inputValue()).toBe('poster')
      await page.keyboard.press('/')
      await page.keyboard.press('Escape')
      await page.waitForURL(/\?status=disabled&sort=clicks$/)
      await filters.remove('Status')
      await row(launch).waitFor()
      await page.waitForURL(/\/dashboard\/\?sort=clicks$/)
    })

    test('an empty result when nothing matches, and a way back', async () => {
      await filters.search().fill('no such thing')
      await page.getByText('No links match').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await row(launch).waitFor()
    })

    test('pages, whose number is in the URL', async () => {
      const links = Array.from({ length: 28 }, (_, at) => ({
        original_url: `https://example.com/page/${at}`,
      }))
      await ask('POST', '/bulk-shorten', { links })
      await page.reload()
      await page.getByText('1–25 of 30').waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.waitForURL(/\?page=2$/)
      await page.getByText('26–30 of 30').waitFor()
      await row(launch).waitFor()
      await page.reload()
      await page.getByText('26–30 of 30').waitFor()
      await page.goBack()
      await page.getByText('1–25 of 30').waitFor()
    })

    test('a click within moments, without a reload', async () => {
      expect(await clicksOf(launch).textContent()).toBe('0')
      expect((await visit(launch)).status).toBe(302)
      await clicksOf(launch).filter({ hasText: /^1$/ }).waitFor()
    })

    test('its list after one request, and each change after one more', async () => {
      let lists = 0
      page.on('request', (request) => {
        if (new URL(request.url()).pathname.endsWith('/api/list-links')) lists++
      })
      await stopClock(page)
      await page.reload()
      await row(launch).waitFor()
      // The first totals have arrived by the time a click appears.
      await visit(launch)
      await clicksOf(launch).filter({ hasText: /^1$/ }).waitFor()
      expect(lists).toBe(2)
      await newUrl().fill('https://example.com/one-more')
      await page.keyboard.press('Enter')
      await row('example.com/one-more').waitFor()
      await visit(launch)
      await clicksOf(launch).filter({ hasText: /^2$/ }).waitFor()
      expect(lists).toBe(4)
    })

    test('which links are blocked', async () => {
      await make(`blocked-${tests}`, { original_url: `https://blocked-${tests}.example/` })
      await operator.browser.succeed('POST', '/admin/blocked-hosts', { host: `blocked-${tests}.example` })
      await page.reload()
      await row(`blocked-${tests}`).getByText('Blocked', { exact: true }).waitFor()
      await name(`blocked-${tests}`).click()
      await page.getByText('The operator has blocked the destination of this link').waitFor()
    })

    test('an empty list, which explains the next step', async () => {
      for (const code of [launch, poster]) await ask('DELETE', `/links/${code}`)
      await page.reload()
      await page.getByText('Create your first link').waitFor()
      // Who has just signed up can paste at once.
      await hasFocus(newUrl())
      await filters.search().focus()
      await page.getByRole('button', { name: 'Paste a long URL' }).click()
      await hasFocus(newUrl())
    })

    test('what strangers and owners wrote as plain text, on every links page', async () => {
      const hostile = '"><img src=x onerror=alert(1)></script><svg/onload=alert(1)>'
      await ask('PUT', `/links/${launch}`, { title: hostile })
      // The service stores no such address; a store that somebody has changed may hold one.
      await rig.store.db
        .updateTable('links')
        .set({ original_url: 'javascript:alert(document.domain)' })
        .where('code', '=', poster)
        .execute()
      await ask('PUT', `/links/${poster}`, { title: '</title><script>alert(1)</script>' })
      await visit(launch, { 'User-Agent': 'javascript:alert(1)', Referer: 'javascript:alert(1)' })
      await visit(launch, { 'User-Agent': hostile, Referer: `https://"><img src=x onerror=alert(1)>/` })
      await clicksOf(launch).filter({ hasText: /^2$/ }).waitFor()
      for (const path of ['/', `/links/${launch}`, `/links/${poster}`, '/overview']) {
        await open(path)
        await page.evaluate(() => {
          const seen = ((globalThis as any).reports = [] as string[])
          document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
            seen.push(violatedDirective),
          )
        })
        await page
          .getByText(path === `/links/${poster}` ? '</title>' : hostile)
          .first()
          .waitFor()
        const strange = 'img[src="x"], [onerror], [onload], main script, a[href^="javascript"]'
        expect(await page.locator(strange).count()).toBe(0)
        expect(await page.evaluate(() => (globalThis as any).reports)).toEqual([])
      }
      await open('/')
      await chooseForLink(page, poster, 'Open destination')
      expect(page.context().pages()).toHaveLength(1)
    })
  })

  describe('changes a link', () => {
    test('from its menu at once, before the server confirms, and can undo it', async () => {
      const { promise: heard, resolve: goOn } = Promise.withResolvers<void>()
      await page.route(`**/links/${launch}?*`, async (route) => {
        await heard
        await route.continue()
      })
      await choose(launch, 'Disable')
      await isDisabled(launch).waitFor()
      expect((await ask('GET', `/links/${launch}`)).is_active).toBe(true)
      const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
      goOn()
      expect((await answered).status()).toBe(200)
      await page.getByText(`${launch} disabled`).waitFor()
      expect((await visit(launch)).status).toBe(404)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(`${launch} enabled`).waitFor()
      await isDisabled(launch).waitFor({ state: 'detached' })
      expect((await visit(launch)).status).toBe(302)
    })

    test('by the switch on its page, and can undo it with the usual keys', async () => {
      await name(launch).click()
      const isOn = page.getByRole('switch', { name: `Enable ${launch}` })
      await isOn.click()
      await page.getByText('This link is disabled. Visitors see a notice instead.').waitFor()
      await page.getByText(`${launch} disabled`).waitFor()
      await page.keyboard.press('Control+z')
      await page.getByText(`${launch} enabled`).waitFor()
      expect(await isOn.getAttribute('aria-checked')).toBe('true')
      expect((await ask('GET', `/links/${launch}`)).is_active).toBe(true)
    })

    test('not when the server rejects it: the link is as before, and the page says why', async () => {
      await unverify()
      const { promise: heard, resolve: goOn } = Promise.withResolvers<void>()
      await page.route(`**/links/${launch}?*`, async (route) => {
        await heard
        await route.continue()
      })
      await choose(launch, 'Disable')
      await isDisabled(launch).waitFor()
      goOn()
      await page.getByText('Not changed:').waitFor()
      await isDisabled(launch).waitFor({ state: 'detached' })
    })

    test('not when the session has ended: it asks to sign in', async () => {
      const signIn = page.getByRole('heading', { name: 'Sign in' })
      await page.getByRole('button', { name: `More actions for ${launch}` }).click()
      const disable = page.getByRole('menuitem', { name: 'Disable' })
      await disable.waitFor()
      await user.browser.succeed('DELETE', '/sessions')
      // The list may notice first, when it asks for newer counts.
      await disable.or(signIn).click()
      await signIn.waitFor()
    })

    test('in a dialog, with errors below their fields', async () => {
      await choose(launch, 'Edit')
      const field = page.getByLabel('Destination')
      await field.fill(`${rig.config.baseUrl}/${poster}`)
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('dialog').getByRole('alert').waitFor()
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      await field.fill('https://example.com/new')
      await page.getByLabel('Title', { exact: true }).fill('')
      await page.keyboard.press('Enter')
      await row('example.com/new').waitFor()
      expect(await ask('GET', `/links/${launch}`)).toMatchObject({
        original_url: 'https://example.com/new',
        title: '',
      })
    })
  })

  describe('deletes a link', () => {
    const deleted = () => page.getByText(`${launch} deleted`)

    test('at once, for visitors too, and restores it with its clicks', async () => {
      await visit(launch)
      await clicksOf(launch).filter({ hasText: /^1$/ }).waitFor()
      await choose(launch, 'Delete')
      await deleted().waitFor()
      expect(await row(launch).count()).toBe(0)
      expect((await visit(launch)).status).toBe(404)
      await page.getByRole('button', { name: 'Undo' }).click()
      await row(launch).waitFor()
      await page.getByText(`${launch} restored, with its clicks`).waitFor()
      expect((await ask('GET', `/links/${launch}`)).click_count).toBe(1)
      expect((await visit(launch)).status).toBe(302)
    })

    test('from its own page, and the list offers to undo it', async () => {
      await open(`/links/${launch}`)
      await choose(launch, 'Delete')
      await deleted().waitFor()
      await page.waitForURL(/\/dashboard\/$/)
      expect(await codes()).toEqual([poster])
      await page.getByRole('button', { name: 'Undo' }).click()
      await row(launch).waitFor()
    })

    test('and a search for its code offers to restore it, and so does the editor', async () => {
      await choose(launch, 'Delete')
      await deleted().waitFor()
      await filters.search().fill(launch)
      await page.getByText(`${launch} is in the trash.`).waitFor()
      expect(await page.getByRole('button', { name: /^Create .*launch/ }).count()).toBe(0)
      await page.getByRole('button', { name: 'More options' }).click()
      const panel = page.getByRole('dialog', { name: 'New link' })
      await panel.getByRole('textbox', { name: 'Custom code' }).fill(launch)
      await panel.getByText(`${launch} is in the trash.`).waitFor()
      expect(await panel.getByText('Available', { exact: true }).count()).toBe(0)
      await panel.getByRole('button', { name: `Restore ${launch}` }).click()
      await panel.getByText('Taken', { exact: true }).waitFor()
      expect((await visit(launch)).status).toBe(302)
    })

    test('and cannot restore it when its code belongs to another link by then', async () => {
      await choose(launch, 'Delete')
      await deleted().waitFor()
      await make('another-one', { title: 'Another one' })
      const { id } = await ask('GET', '/links/another-one')
      await rig.store.db.updateTable('codes').set({ link_id: id }).where('code', '=', launch).execute()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Not restored: The short code opens another link now.').waitFor()
      await row('Another one').waitFor()
    })

    test('not when the server rejects it: the link reappears, and the page says why', async () => {
      await unverify()
      await choose(launch, 'Delete')
      await page.getByText('Not changed:').waitFor()
    })

    test('and offers to undo it for ten seconds', async () => {
      await page.clock.install()
      await choose(launch, 'Delete')
      await deleted().waitFor()
      await page.clock.fastForward(9_000)
      expect(await deleted().count()).toBe(1)
      await page.clock.fastForward(2_000)
      await deleted().waitFor({ state: 'detached' })
      expect(await codes()).toEqual([poster])
    })
  })

  test('is used by keyboard alone: search, open, disable, edit, delete, undo', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('Launch')
    await row(poster).waitFor({ state: 'detached' })
    // From the search field through filters and order to the first row.
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 16; presses++) {
        await page.keyboard.press('Tab')
        if ((await focused()) === name) return
      }
      throw new Error(`Tab does not come to ${name}.`)
    }
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement
        return element?.getAttribute('aria-label') ?? element?.textContent
      })
    const isAt = (item: string) =>
      page.waitForFunction((text) => document.activeElement?.textContent === text, item)
    const pick = async (item: string, ...keys: string[]) => {
      await page.keyboard.press('Enter')
      await isAt('Edit')
      for (const key of keys) await page.keyboard.press(key)
      await isAt(item)
      await page.keyboard.press('Enter')
    }
    await tabTo(`${host()}/${launch}`)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `${host()}/${launch}` }).waitFor()
    await page.goBack()
    await row(launch).waitFor()
    await page.keyboard.press('/')
    // Each tool of a row shows when the focus comes to it.
    for (const name of [`Copy ${host()}/${launch}`, `QR code for ${launch}`, `Edit ${launch}`]) {
      await tabTo(name)
      expect(
        await page.evaluate(() => document.activeElement!.checkVisibility({ opacityProperty: true })),
      ).toBe(true)
    }
    await tabTo(`More actions for ${launch}`)
    await pick('Disable', 'd', 'i')
    await page.getByText(`${launch} disabled`).waitFor()
    await page.keyboard.press('Control+z')
    await isDisabled(launch).waitFor({ state: 'detached' })
    await hasFocus(page.getByLabel(`More actions for ${launch}`, { exact: true }))
    await pick('Edit')
    await page.getByLabel('Destination').waitFor()
    for (const _ of ['code', 'another code', 'title']) await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('Launch, by keyboard')
    await page.keyboard.press('Enter')
    await row('Launch, by keyboard').waitFor()
    await hasFocus(page.getByLabel(`More actions for ${launch}`, { exact: true }))
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await row(poster).waitFor()
    for (const name of [`${host()}/${launch}`, `More actions for ${launch}`]) await tabTo(name)
    await pick('Delete', 'End')
    await page.getByText(`${launch} deleted`).waitFor()
    // The row that came in its place, not the beginning of the page.
    await isAt(`${host()}/${poster}`)
    await page.keyboard.press('Control+z')
    await row(launch).waitFor()
    expect(await codes()).toEqual([launch, poster])
  })

  test('? shows the keyboard shortcuts, and none of them acts while typing', async () => {
    await page.keyboard.press('?')
    await dialogIs(page, 'Keyboard shortcuts')
    await page.keyboard.press('Escape')
    const field = newUrl()
    await field.focus()
    await page.keyboard.type('c/?')
    expect(await field.inputValue()).toBe('c/?')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  describe('has rows', () => {
    test('that open the page of their link, wherever they are clicked', async () => {
      await clicksOf(launch).click()
      await page.waitForURL(new RegExp(`/links/${launch}$`))
      await page.getByRole('heading', { name: `${host()}/${launch}` }).waitFor()
    })

    test('that open a tab like any link', async () => {
      for (const open of [
        () => name(launch).click({ button: 'middle' }),
        () => clicksOf(launch).click({ modifiers: ['ControlOrMeta'] }),
      ]) {
        const opening = page.context().waitForEvent('page')
        await open()
        const tab = await opening
        await tab.waitForURL(new RegExp(`/links/${launch}$`))
        await tab.close()
      }
      expect(new URL(page.url()).pathname).toBe('/dashboard/')
    })

    test('whose text can be selected without opening anything', async () => {
      const { x, y, width, height } = (await row(launch).locator('.link-title').boundingBox())!
      await page.mouse.move(x + 1, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width + 30, y + height / 2, { steps: 5 })
      await page.mouse.up()
      expect(await page.evaluate(() => String(getSelection()))).toContain('aunch page')
      expect(new URL(page.url()).pathname).toBe('/dashboard/')
    })

    test('with their tools under the pointer: copy, QR code, edit', async () => {
      const tools = row(launch).locator('.row-tools-ready')
      expect(await tools.evaluate((element) => getComputedStyle(element).opacity)).toBe('0')
      await row(launch).hover()
      expect(await tools.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
      await copies(page, () => page.getByRole('button', { name: `Copy ${host()}/${launch}` }).click())
      expect(await copied()).toBe(`${rig.config.baseUrl}/${launch}`)
      await page.getByRole('button', { name: `QR code for ${launch}` }).click()
      await dialogIs(page, 'QR code')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: `Edit ${launch}` }).click()
      await dialogIs(page, 'Edit link')
    })

    test('with their tools only in the menu while the page is narrow', async () => {
      const tools = page.locator('.row-tools-ready')
      await row(launch).locator(tools).waitFor()
      await page.setViewportSize({ width: 600, height: 860 })
      await tools.first().waitFor({ state: 'detached' })
      await row(launch)
        .getByRole('button', { name: `More actions for ${launch}` })
        .waitFor()
      await page.setViewportSize({ width: 1280, height: 860 })
      await row(launch).locator(tools).waitFor()
    })

    test('and says so where the browser does not let it copy', async () => {
      await setCopying('denied')
      await choose(launch, 'Copy short URL')
      await page.getByText('Your browser did not allow copying.').waitFor()
    })
  })

  test('finds a link by its code, by its short URL, and by words in any order', async () => {
    const search = filters.search()
    for (const text of [launch, `${rig.config.baseUrl}/${launch}`, 'page Launch']) {
      await search.fill(text)
      await row(poster).waitFor({ state: 'detached' })
      await row(launch).waitFor()
      await search.fill('')
      await row(poster).waitFor()
    }
  })

  test('exports the links of the list as it is filtered', async () => {
    await open('/?search=Old+poster')
    await row(poster).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    expect(await axeFindings(page)).toEqual([])
    const starts = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'As NDJSON' }).click()
    const file = await starts
    expect(file.suggestedFilename()).toMatch(/^tern-links-\d{4}-\d\d-\d\d\.ndjson$/)
    const lines = (await Bun.file(await file.path()).text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).short_code)).toEqual([poster])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await overflowOf(page)).toBe(0)
  })

  describe('on a phone', () => {
    beforeEach(() => page.setViewportSize({ width: 390, height: 844 }))

    test('the menu of a row leaves the bottom bar free', async () => {
      for (let at = 0; at < 3; at++)
        await ask('POST', '/links', { original_url: 'https://example.com/', custom_code: `row-${at}` })
      // The menu has no room under the last row.
      await page.setViewportSize({ width: 390, height: 560 })
      await page.reload()
      await page.getByRole('button', { name: 'More actions for row-0' }).click()
      const bar = page.locator('.bottom-bar')
      // Until it has loaded another one stands in its place.
      await bar.getByRole('button', { name: 'More', disabled: false, includeHidden: true }).waitFor()
      const menu = (await page.getByRole('menu').boundingBox())!
      expect(menu.y + menu.height).toBeLessThanOrEqual((await bar.boundingBox())!.y)
    })

    test('creates with the + of the bar, in the editor, which opens by itself for nobody', async () => {
      for (const code of [launch, poster]) await ask('DELETE', `/links/${code}`)
      await page.reload()
      await page.getByText('Press + and paste a long URL.').waitFor()
      expect(await newUrl().count()).toBe(0)
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.getByRole('button', { name: 'Paste a long URL' }).click()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.bottom-bar').getByRole('link', { name: 'Create link' }).click()
      await page.getByLabel('Destination').fill('https://example.com/by-phone')
      await inDialog(page, 'Create link')
      await row('example.com/by-phone').waitFor()
    })

    test('has domains in the bar, and what its head has no room for in a menu', async () => {
      const bar = page.locator('.bottom-bar')
      await bar.getByRole('link', { name: 'Domains' }).waitFor()
      const head = page.locator('.page-head').getByRole('button', { name: 'More actions' })
      await head.click()
      expect(await axeFindings(page)).toEqual([])
      expect(await page.getByRole('menuitem').allTextContents()).toEqual([
        'Bulk create',
        'Import links',
        'Export as CSV',
        'Export as NDJSON',
      ])
      await page.getByRole('menuitem', { name: 'Bulk create' }).click()
      await dialogIs(page, 'Bulk create')
      await page.keyboard.press('Escape')
      await bar.getByRole('link', { name: 'Domains' }).click()
      await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor()
    })
  })

  let tests = 0

  async function openWithTwoLinks(): Promise<void> {
    user = await rig.user()
    launch = `launch-${++tests}`
    poster = `poster-${tests}`
    await make(poster, { title: 'Old poster', is_active: false })
    await make(launch, { title: 'Launch page' })
    await open('/')
    await row(launch).waitFor()
  }

  const host = () => new URL(rig.config.baseUrl).host

  const open = async (path: string) => {
    page = await rig.open(path, { user })
  }

  const ask = (method: string, path: string, body?: unknown) => user.browser.succeed(method, path, body)

  const make = (custom_code: string, others: object = {}) =>
    ask('POST', '/links', { original_url: `https://example.com/${custom_code}`, custom_code, ...others })

  const codes = async (): Promise<string[]> =>
    (await ask('GET', '/links')).map(({ short_code }: { short_code: string }) => short_code)

  const visit = (code: string, headers = {}) => rig.call('GET', `/${code}`, { headers })
  const name = (code: string) => page.getByRole('link', { name: `${host()}/${code}`, exact: true })
  const clicksOf = (code: string) => row(code).locator('.clicks-count')
  const isDisabled = (code: string) => row(code).getByText('Disabled', { exact: true })

  /** As the keys for it would, where the focus is. */
  const paste = (text: string) =>
    page.evaluate((pasted) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', pasted)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      return document.activeElement!.dispatchEvent(event)
    }, text)

  const copied = () => page.evaluate(() => navigator.clipboard.readText())

  /** As somebody does in the browser's settings for a site. */
  const setCopying = async (setting: 'granted' | 'denied') => {
    const debug = await page.context().newCDPSession(page)
    const { targetInfo } = await debug.send('Target.getTargetInfo')
    await debug.send('Browser.setPermission', {
      permission: { name: 'clipboard-write' },
      setting,
      origin: rig.config.baseUrl,
      browserContextId: targetInfo.browserContextId!,
    })
  }

  /** From now on the service refuses what this user asks, with 403. */
  const unverify = () =>
    rig.store.db
      .updateTable('users')
      .set({ email_verified_at: null })
      .where('email', '=', user.email)
      .execute()
})
