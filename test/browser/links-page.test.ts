import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasNoChromium } from './chromium.ts'
import { type DashboardRig, startDashboardRig } from './dashboard-rig.ts'

const refusal = (message: string, errors: object = {}) => ({ success: false, message, errors })

describe.skipIf(hasNoChromium)('the page of links', () => {
  let rig: DashboardRig
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    rig = await startDashboardRig()
  })

  afterAll(() => rig.stop())

  beforeEach(async () => {
    await rig.begin()
    ;({ page, faults } = await rig.open('/'))
    await page.getByText('go.example.com/launch').first().waitFor()
  })

  afterEach(async () => {
    expect(faults).toEqual([])
    await page.context().close()
  })

  const sent = (line: string) =>
    rig.server.requests.filter((each) => each.line === line).map(({ body }) => body)
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  const choose = async (code: string, item: string) => {
    await page.getByRole('button', { name: `More for ${code}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  test('by keyboard alone: c, paste, Enter makes a link, whose address is selected for copying', async () => {
    await page.keyboard.press('c')
    await page.keyboard.insertText('example.com/a/long/address')
    await page.keyboard.press('Enter')
    await page.getByText('is ready, and selected for copying').waitFor()
    expect(sent('POST /links')).toEqual([{ original_url: 'https://example.com/a/long/address' }])
    const made = rig.server.links[0]!
    const selected = () => page.evaluate(() => String(getSelection()))
    expect(await selected()).toBe(`go.example.com/${made.short_code}`)
    expect(await page.getByLabel('Paste a long address').inputValue()).toBe('')
  })

  test('a title and a code of one’s own go with it, and a taken code is said while it is typed', async () => {
    await page.getByRole('button', { name: 'Title and custom code' }).click()
    await page.getByLabel('Custom code').fill('launch')
    await page.getByText('Taken').waitFor()
    await page.getByLabel('Custom code').fill('spring')
    await page.getByText('Free', { exact: true }).waitFor()
    await page.getByLabel('Title', { exact: true }).fill('Spring')
    await page.getByLabel('Paste a long address').fill('https://example.com/')
    await page.keyboard.press('Enter')
    await row('go.example.com/spring').waitFor()
    expect(sent('POST /links')).toEqual([
      { original_url: 'https://example.com/', title: 'Spring', custom_code: 'spring' },
    ])
  })

  test('a refused address keeps what was typed and says the API’s own sentence beneath', async () => {
    const field = page.getByLabel('Paste a long address')
    await field.fill('ftp://nowhere')
    await page.keyboard.press('Enter')
    await page.getByText('The original url must be an absolute http or https address.').waitFor()
    expect(await field.inputValue()).toBe('ftp://nowhere')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('the short address is copied with one click', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy go.example.com/arrivals' }).click()
    await page.getByText('Copied', { exact: true }).first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://go.example.com/arrivals')
  })

  test('/ searches as you type; search, filter and order stand in the address and survive a reload', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('poster')
    await row('old-poster').waitFor()
    await page.getByRole('button', { name: 'Switched off' }).click()
    await page.getByLabel('Sort').selectOption('clicks')
    await page.waitForURL(/\?search=poster&status=inactive&sort=clicks$/)
    await page.reload()
    await row('old-poster').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    expect(await page.getByPlaceholder('Search title or address').inputValue()).toBe('poster')
  })

  test('a switch turns at once, and back again with the reason when the server refuses', async () => {
    const turn = page.getByRole('switch', { name: 'launch redirects' })
    const { promise, resolve } = Promise.withResolvers<void>()
    rig.server.answer('PUT /links/launch', {
      status: 403,
      body: refusal('Insufficient permissions.'),
      hold: promise,
    })
    await turn.click()
    expect(await turn.getAttribute('aria-checked')).toBe('false')
    resolve()
    await page.getByText('Not changed: Insufficient permissions.').waitFor()
    expect(await turn.getAttribute('aria-checked')).toBe('true')
    rig.server.answer('PUT /links/launch', undefined)
    await turn.click()
    await row('go.example.com/launch').getByText('Off', { exact: true }).waitFor()
    expect(rig.server.links.find(({ short_code }) => short_code === 'launch')?.is_active).toBe(false)
  })

  test('a link is edited, with refusals beneath their fields', async () => {
    await choose('launch', 'Edit')
    const sentence = 'The original url leads to this service itself.'
    rig.server.answer('PUT /links/launch', {
      status: 422,
      body: refusal(sentence, { original_url: [sentence] }),
    })
    await page.getByLabel('Destination').fill('https://go.example.com/launch')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(sentence).waitFor()
    rig.server.answer('PUT /links/launch', undefined)
    await page.getByLabel('Destination').fill('https://example.com/new')
    await page.getByLabel('Title', { exact: true }).fill('')
    await page.keyboard.press('Enter')
    await row('example.com/new').waitFor()
    expect(sent('PUT /links/launch').at(-1)).toEqual({ original_url: 'https://example.com/new', title: null })
  })

  test('a deleted link is gone at once and can be brought back; the server has heard nothing', async () => {
    await choose('launch', 'Delete')
    await page.getByText('launch is deleted').waitFor()
    expect(await row('go.example.com/launch').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await row('go.example.com/launch').waitFor()
    expect(sent('DELETE /links/launch')).toEqual([])
  })

  test('after ten seconds it is deleted for good, and does not show once more', async () => {
    await page.clock.install()
    await choose('launch', 'Delete')
    await page.getByText('launch is deleted').waitFor()
    await page.clock.fastForward(10_000)
    while (sent('DELETE /links/launch').length === 0) await Bun.sleep(20)
    await page.getByText('launch is deleted').waitFor({ state: 'detached' })
    expect(await row('go.example.com/launch').count()).toBe(0)
  })

  test('whoever leaves without undoing has deleted', async () => {
    await choose('launch', 'Delete')
    await page.getByText('launch is deleted').waitFor()
    await page.goto('about:blank')
    while (sent('DELETE /links/launch').length === 0) await Bun.sleep(20)
    expect(rig.server.links.map(({ short_code }) => short_code)).not.toContain('launch')
  })

  test('whoever signs out without undoing has deleted', async () => {
    await choose('launch', 'Delete')
    await page.getByText('launch is deleted').waitFor()
    await page.getByRole('button', { name: /^Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    while (sent('POST /sign-out').length === 0) await Bun.sleep(20)
    const lines = rig.server.requests.map(({ line }) => line)
    expect(lines.indexOf('DELETE /links/launch')).toBeWithin(0, lines.indexOf('POST /sign-out'))
  })

  test('the QR code is drawn by the service and downloaded as chosen', async () => {
    await choose('launch', 'QR code')
    await page.getByRole('img', { name: 'QR code of https://go.example.com/launch' }).waitFor()
    await page.getByLabel('Size').selectOption('1024')
    await page.getByLabel('Error correction').selectOption('H')
    expect(await page.getByRole('link', { name: 'Download PNG' }).getAttribute('href')).toBe(
      '/qr/launch?format=png&size=1024&level=H&color=000000&background=ffffff',
    )
  })

  test('? shows the keys, and none of them acts while somebody writes', async () => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    const field = page.getByLabel('Paste a long address')
    await field.focus()
    await page.keyboard.type('c/?')
    expect(await field.inputValue()).toBe('c/?')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('what a stranger chose is text and nothing else', async () => {
    const hostile = '"><img src=x onerror=alert(1)></script><svg/onload=alert(1)>'
    rig.server.links[0]!.title = hostile
    rig.server.links[0]!.original_url = 'javascript:alert(1)//'
    await page.reload()
    await page.getByText(hostile).waitFor()
    expect(await page.locator('table img, table svg[onload], table script').count()).toBe(0)
    await page.getByRole('button', { name: 'More for launch' }).click()
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0)
  })

  test('an empty list teaches the next step', async () => {
    rig.server.links.length = 0
    await page.reload()
    await page.getByText('Your first link is one paste away').waitFor()
    await page.getByRole('button', { name: 'Paste a long address' }).click()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Paste a long address',
    )
  })
})
