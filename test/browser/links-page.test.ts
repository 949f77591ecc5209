import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Person } from '../rigs/dashboard-rig.ts'
import { axeFindings, type BrowserRig, startBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'

describe.skipIf(hasNoChromium)('the page of links', () => {
  let rig: BrowserRig
  let operator: Person
  let person: Person
  let page: Page
  let faults: string[]
  let host: string
  let tests = 0
  /** Codes are the whole service's: each test has its own. */
  let launch: string
  let poster: string

  beforeAll(async () => {
    rig = await startBrowserRig()
    operator = await rig.person()
    host = new URL(rig.config.baseUrl).host
  })

  afterAll(() => rig.stop())

  beforeEach(async () => {
    person = await rig.person()
    launch = `launch-${++tests}`
    poster = `poster-${tests}`
    await make(poster, { title: 'Old poster', is_active: false })
    await make(launch, { title: 'Launch page' })
    await open('/')
    await row(launch).waitFor()
  })

  afterEach(async () => {
    expect(faults).toEqual([])
    await page.context().close()
  })

  const open = async (path: string) => {
    await page?.context().close()
    ;({ page, faults } = await rig.open(path, { person }))
  }
  const ask = (method: string, path: string, body?: unknown) => person.browser.succeed(method, path, body)
  const make = (custom_code: string, others: object = {}) =>
    ask('POST', '/links', { original_url: `https://example.com/${custom_code}`, custom_code, ...others })
  const codes = async (): Promise<string[]> =>
    (await ask('GET', '/links')).map(({ short_code }: { short_code: string }) => short_code)
  const visit = (code: string, headers = {}) => rig.call('GET', `/${code}`, { headers })
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  const turn = (code: string) => page.getByRole('switch', { name: `${code} redirects` })
  const choose = async (code: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${code}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const isOn = (code: string, isChecked: boolean) =>
    page.locator(`[role=switch][aria-label="${code} redirects"][aria-checked=${isChecked}]`).waitFor()
  /** From now on the service refuses what this person asks, with 403. */
  const unverify = () =>
    rig.store.db
      .updateTable('accounts')
      .set({ email_verified_at: null })
      .where('email', '=', person.email)
      .execute()
  /** Whether the element that has the focus is this one. */
  const hasFocus = (name: string) =>
    page.waitForFunction((wanted) => document.activeElement?.getAttribute('aria-label') === wanted, name)

  describe('makes a link', () => {
    test('by keyboard alone: c, paste, Enter; its address is selected, and Enter copies it', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.keyboard.press('c')
      await page.keyboard.insertText('example.com/a/long/address')
      await page.keyboard.press('Enter')
      await page.getByText('is ready, and selected for copying').waitFor()
      const [made] = await ask('GET', '/links')
      expect(made.original_url).toBe('https://example.com/a/long/address')
      expect(await page.evaluate(() => String(getSelection()))).toBe(`${host}/${made.short_code}`)
      await page.keyboard.press('Enter')
      await page.getByText('Copied', { exact: true }).first().waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(made.short_url)
      expect(await page.getByLabel('Paste a long URL').inputValue()).toBe('')
    })

    test('with a title and a code, of which it says while it is typed whether it is free', async () => {
      await page.getByRole('button', { name: 'Title and custom code' }).click()
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
      await page.getByLabel('Paste a long URL').fill('https://example.com/')
      await page.keyboard.press('Enter')
      await row(`${host}/spring-${tests}`).waitFor()
      expect(await ask('GET', `/links/spring-${tests}`)).toMatchObject({
        original_url: 'https://example.com/',
        title: 'Spring',
      })
    })

    test('not of what is no address: it stays as it was typed, with the reason beneath', async () => {
      const field = page.getByLabel('Paste a long URL')
      await field.fill('ftp://nowhere')
      await page.keyboard.press('Enter')
      await page
        .getByText('The original url must be a valid URL that starts with http:// or https://.')
        .waitFor()
      expect(await field.inputValue()).toBe('ftp://nowhere')
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await codes()).toEqual([launch, poster])
    })

    test('not of several lines that were pasted: those are for the dialog of many', async () => {
      await page.getByLabel('Paste a long URL').evaluate((field) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', 'https://example.com/1\nhttps://example.com/2\n')
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })
      const lines = page.getByRole('dialog', { name: 'Bulk create' }).getByLabel('One URL per line')
      expect(await lines.inputValue()).toBe('https://example.com/1\nhttps://example.com/2')
    })
  })

  describe('shows', () => {
    test('what / finds as you type; search, filter and order stand in the address and survive a reload', async () => {
      await make(`other-${tests}`, { title: 'Poster, the new one' })
      await page.keyboard.press('/')
      await page.keyboard.type('poster')
      await row(`other-${tests}`).waitFor()
      await row(launch).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Disabled' }).click()
      await page.getByLabel('Sort').selectOption('most-clicks')
      await page.waitForURL(/\?search=poster&state=inactive&order=most-clicks$/)
      await row(`other-${tests}`).waitFor({ state: 'detached' })
      await page.reload()
      await row(poster).waitFor()
      expect(await page.getByRole('row').count()).toBe(2)
      expect(await page.getByPlaceholder('Search codes, titles, URLs').inputValue()).toBe('poster')
      await page.keyboard.press('/')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'All', exact: true }).click()
      await row(launch).waitFor()
      await page.waitForURL(/\/dashboard\/\?order=most-clicks$/)
    })

    test('nothing where nothing matches, and the way back', async () => {
      await page.getByPlaceholder('Search codes, titles, URLs').fill('no such thing')
      await page.getByText('No links match').waitFor()
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await row(launch).waitFor()
    })

    test('pages, whose number stands in the address', async () => {
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

    test('a click within moments, without being loaded anew', async () => {
      const cell = page.getByRole('link', { name: `analytics of ${launch}` })
      expect(await cell.textContent()).toStartWith('0')
      expect((await visit(launch)).status).toBe(302)
      await cell.filter({ hasText: /^1/ }).waitFor()
    })

    test('which links are blocked', async () => {
      await make(`blocked-${tests}`, { original_url: `https://blocked-${tests}.example/` })
      await operator.browser.succeed('POST', '/admin/blocked-hosts', { host: `blocked-${tests}.example` })
      await page.reload()
      await row(`blocked-${tests}`).getByText('Blocked', { exact: true }).waitFor()
      await page.getByRole('link', { name: `analytics of blocked-${tests}` }).click()
      await page.getByText('The operator has blocked the destination of this link').waitFor()
    })

    test('an empty list, which teaches the next step', async () => {
      for (const code of [launch, poster]) await ask('DELETE', `/links/${code}`)
      await page.reload()
      await page.getByText('Create your first link').waitFor()
      await page.getByRole('button', { name: 'Paste a long URL' }).click()
      await hasFocus('Paste a long URL')
    })

    test('what strangers and owners wrote as text and nothing else, on every page of links', async () => {
      const hostile = '"><img src=x onerror=alert(1)></script><svg/onload=alert(1)>'
      await ask('PUT', `/links/${launch}`, { title: hostile })
      // The service stores no such address; a store that somebody has changed may hold one.
      await rig.store.db
        .updateTable('links')
        .set({ original_url: 'javascript:alert(document.domain)' })
        .where('code', '=', poster)
        .execute()
      await ask('PUT', `/links/${poster}`, { title: '</title><script>alert(1)</script>' })
      // The first counts as a bot.
      await visit(launch, { 'User-Agent': 'javascript:alert(1)', Referer: 'javascript:alert(1)' })
      await visit(launch, { 'User-Agent': hostile, Referer: `https://"><img src=x onerror=alert(1)>/` })
      await page
        .getByRole('link', { name: `analytics of ${launch}` })
        .filter({ hasText: /^1/ })
        .waitFor()
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
        expect(faults).toEqual([])
      }
      await open('/')
      await page.getByRole('button', { name: `More actions for ${poster}` }).click()
      await page.getByRole('menuitem', { name: 'Open destination' }).click()
      expect(page.context().pages()).toHaveLength(1)
    })
  })

  describe('changes a link', () => {
    test('by its switch at once, before the server has said yes', async () => {
      const { promise: heard, resolve: goOn } = Promise.withResolvers<void>()
      await page.route(`**/links/${launch}`, async (route) => {
        await heard
        await route.continue()
      })
      await turn(launch).click()
      await isOn(launch, false)
      expect((await ask('GET', `/links/${launch}`)).is_active).toBe(true)
      const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
      goOn()
      expect((await answered).status()).toBe(200)
      await row(launch).getByText('Disabled', { exact: true }).waitFor()
      expect((await visit(launch)).status).toBe(404)
    })

    test('not when the server refuses: the switch turns back, and it says why', async () => {
      await unverify()
      const { promise: heard, resolve: goOn } = Promise.withResolvers<void>()
      await page.route(`**/links/${launch}`, async (route) => {
        await heard
        await route.continue()
      })
      await turn(launch).click()
      await isOn(launch, false)
      goOn()
      await page.getByText('Not changed:').waitFor()
      await isOn(launch, true)
    })

    test('not when the session has ended: then it asks who is there', async () => {
      await person.browser.succeed('DELETE', '/sessions')
      await turn(launch).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    })

    test('in a dialog, with refusals beneath their fields', async () => {
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

    test('at once, for visitors too, and brings it back with its clicks', async () => {
      await visit(launch)
      await page
        .getByRole('link', { name: `analytics of ${launch}` })
        .filter({ hasText: /^1/ })
        .waitFor()
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

    test('from its own page, and the way back is there on the list', async () => {
      await open(`/links/${launch}`)
      await choose(launch, 'Delete')
      await deleted().waitFor()
      await page.waitForURL(/\/dashboard\/$/)
      expect(await codes()).toEqual([poster])
      await page.getByRole('button', { name: 'Undo' }).click()
      await row(launch).waitFor()
    })

    test('and cannot bring it back when its code is another link’s by now', async () => {
      await choose(launch, 'Delete')
      await deleted().waitFor()
      await make(launch, { title: 'Another one' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Not restored: Another link uses this code now.').waitFor()
      await row('Another one').waitFor()
    })

    test('not when the server refuses: it is there again, and it says why', async () => {
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

  test('is used by keyboard alone: search, switch, edit, delete, undo', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('Launch')
    await row(poster).waitFor({ state: 'detached' })
    // From the search field through filters and order to the first row.
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 12; presses++) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
        if (focused === name) return
      }
      throw new Error(`Tab does not come to ${name}.`)
    }
    const isAt = (item: string) =>
      page.waitForFunction((text) => document.activeElement?.textContent === text, item)
    const pick = async (item: string, key: string) => {
      await page.keyboard.press('Enter')
      await isAt('Analytics')
      await page.keyboard.press(key)
      await isAt(item)
      await page.keyboard.press('Enter')
    }
    await tabTo(`Copy ${host}/${launch}`)
    await tabTo(`${launch} redirects`)
    await page.keyboard.press('Space')
    await row(launch).getByText('Disabled', { exact: true }).waitFor()
    await page.keyboard.press('Space')
    await isOn(launch, true)
    await tabTo(`More actions for ${launch}`)
    await pick('Edit', 'ArrowDown')
    await page.getByLabel('Destination').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText('Launch, by keyboard')
    await page.keyboard.press('Enter')
    await row('Launch, by keyboard').waitFor()
    await hasFocus(`More actions for ${launch}`)
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await row(poster).waitFor()
    for (const name of [`Copy ${host}/${launch}`, `More actions for ${launch}`]) await tabTo(name)
    await pick('Delete', 'End')
    await page.getByText(`${launch} deleted`).waitFor()
    // The row that came in its place, not the beginning of the page.
    await hasFocus(`Copy ${host}/${poster}`)
    await page.keyboard.press('Control+z')
    await row(launch).waitFor()
    expect(await codes()).toEqual([launch, poster])
  })

  test('gives a QR code as it was chosen, as a picture and as a file', async () => {
    await choose(launch, 'QR code')
    const picture = page.getByRole('img', { name: `QR code for ${rig.config.baseUrl}/${launch}` })
    await picture.waitFor()
    await page.getByLabel('Size').selectOption('1024')
    await page.getByLabel('Error correction').selectOption('H')
    await page.getByLabel('Color', { exact: true }).fill('#aa0000')
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.qr img')?.naturalWidth === 1024,
    )
    for (const [name, start] of [
      ['SVG', '<?xml'],
      ['PNG', '\x89PNG'],
    ] as const) {
      const waiting = page.waitForEvent('download')
      await page.getByRole('link', { name: `Download ${name}` }).click()
      const download = await waiting
      expect(download.suggestedFilename()).toBe(`${launch}.${name.toLowerCase()}`)
      const bytes = Buffer.from(await Bun.file(await download.path()).arrayBuffer())
      expect(bytes.toString('latin1').slice(0, 40)).toContain(start === '<?xml' ? '<svg' : start)
      if (name === 'PNG') expect(bytes.readUInt32BE(16)).toBe(1024)
      else expect(bytes.toString()).toContain('#aa0000')
    }
    expect((await ask('GET', `/links/${launch}`)).click_count).toBe(0)
  })

  test('? shows the keys, and none of them acts while somebody writes', async () => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    const field = page.getByLabel('Paste a long URL')
    await field.focus()
    await page.keyboard.type('c/?')
    expect(await field.inputValue()).toBe('c/?')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('copies a short address with one click', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: `Copy ${host}/${launch}` }).click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${rig.config.baseUrl}/${launch}`)
  })
})
