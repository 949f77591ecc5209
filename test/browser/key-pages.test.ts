import { beforeAll, describe, expect, test } from 'bun:test'
import { keysOn } from './pages/keys-page.ts'
import type { Page } from 'playwright-core'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { shiftsOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import {
  chooseFrom,
  clipboard,
  fill,
  hasFocus,
  heading,
  inDialog,
  press,
  shown,
  stopClock,
} from './user-pages.ts'

describe.skipIf(hasNoChromium)('a key', () => {
  const rig = useBrowserRig()
  let operator: TestUser
  let page: Page
  const keys = keysOn(() => page)

  beforeAll(async () => {
    // The first account, the operator's, has no limit; those after it have the default.
    operator = await rig.user()
  })

  test('is created with its scopes and limit, shown once with a working command, used, and revoked', async () => {
    const user = await rig.user()
    page = await rig.open('/keys', { user })
    await heading(page, 'No API keys yet')
    await press(page, 'New key')
    await press(page, 'Create key')
    await shown(page, 'The name field is required.')
    await fill(page, 'Name', 'Laptop')
    await page.getByRole('switch', { name: 'Change links' }).click()
    await fill(page, 'Requests per hour', '101')
    await press(page, 'Create key')
    await shown(page, 'The rate limit must be a number of at most 100.')
    await fill(page, 'Requests per hour', '50')
    await press(page, 'Create key')
    await shown(page, 'Copy the key now.')
    expect(await axeFindings(page)).toEqual([])
    const key = await keys.created()
    expect(await page.getByRole('group', { name: 'Try it' }).textContent()).toBe(
      `curl ${rig.config.baseUrl}/api/links \\\n  -H "X-API-Key: ${key}"`,
    )
    const done = page.getByRole('button', { name: 'Done' })
    // Chromium closes a dialog at the second Escape in a row, whatever the page says.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor()
    expect(await done.isDisabled()).toBe(true)
    await hasFocus(page.getByRole('button', { name: 'Copy key' }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Done', disabled: false }).waitFor()
    expect(await clipboard(page)).toBe(key)
    await done.click()
    await page.getByText('Read only').click()
    await page.getByRole('listitem').filter({ hasText: 'Read analytics' }).waitFor()
    // Users recognize it by prefix and last characters; the key itself is gone.
    await page.getByRole('cell', { name: `tern_…${key.slice(-4)}`, exact: true }).waitFor()
    expect(await page.content()).not.toContain(key)
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
    expect((await rig.call('POST', '/api/links', { key, body: {} })).status).toBe(403)
    await page.reload()
    await page.getByText(/^2 of 50, resets at \d?\d:\d\d$/).waitFor()
    await page.getByRole('img', { name: 'Requests in the last 30 days: 2 requests' }).waitFor()
    await chooseFrom(page, 'More for Laptop', 'Revoke key')
    await shown(page, 'Requests with this key fail immediately.')
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
    await inDialog(page, 'Revoke key')
    await shown(page, 'Laptop is revoked')
    await page.getByRole('cell', { name: 'Laptop Revoked' }).waitFor()
    expect((await rig.call('GET', '/api/links', { key })).status).toBe(401)
  })

  test('that is safe to publish is limited in what it creates, and says so in the list', async () => {
    const user = await rig.user()
    page = await rig.open('/keys', { user })
    await keys.open('Shop page')
    await page.getByRole('switch', { name: 'Publishable key' }).click()
    await shown(page, 'Set at least one limit.')
    expect(await page.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await fill(page, 'Codes begin with', 'shop-')
    await fill(page, 'Web pages', 'https://shop.example, https://shop.example/')
    await press(page, 'Create key')
    await shown(
      page,
      'A page is named by its origin, like https://www.example.com, in lower case and without a path.',
    )
    expect(await axeFindings(page)).toEqual([])
    await fill(page, 'Web pages', 'https://shop.example')
    await fill(page, 'Links per day', '2')
    const key = await keys.create()
    await shown(page, 'Anyone can read this key on your page.')
    await shown(page, `headers: { 'X-API-Key': '${key}'`)
    const created = await rig.call('POST', '/api/links', {
      key,
      body: { original_url: 'https://example.com/' },
    })
    expect(created.body.data.short_code).toStartWith('shop-')
    await keys.close()
    await page.getByRole('cell', { name: 'Shop page Public' }).waitFor()
    await page
      .getByRole('cell', { name: 'Create links, codes shop-…, 2 a day, used on https://shop.example' })
      .waitFor()
  })

  test('is created by keyboard alone, without its own limit, and the command creates a link', async () => {
    const user = await rig.user()
    page = await rig.open('/keys', { user })
    await page.getByRole('button', { name: 'New key' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Script')
    await page.keyboard.press('Enter')
    await shown(page, 'Copy the key now.')
    const line = (await page.getByRole('group', { name: 'Try it' }).textContent())!
    const made = Bun.spawn(['sh', '-c', line], { stdout: 'pipe', stderr: 'ignore' })
    expect(JSON.parse(await new Response(made.stdout).text())).toMatchObject({
      data: { original_url: 'https://example.com/a/long/url' },
    })
    await page.getByRole('checkbox', { name: 'I saved this key' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText(/^1 of 100, /).waitFor()
    await hasFocus(page.getByRole('button', { name: 'New key' }))
  })

  test('says who made it where there are several members, and not to somebody who is alone', async () => {
    const alone = await rig.user()
    await alone.browser.succeed('POST', '/keys', { name: 'Mine', scopes: ['links:read'] })
    const single = await rig.open('/keys', { user: alone })
    await single.getByRole('row', { name: /^Mine tern_…\w{4} Read links 0 of 100/ }).waitFor()
    expect(await single.getByRole('columnheader', { name: 'Made by' }).count()).toBe(0)
    await press(single, 'New key')
    await shown(single, 'Leave blank for the maximum of 100.')
    expect(await single.locator('body').innerText()).not.toMatch(/workspace/i)
    const owner = await rig.user()
    const editor = await memberOf(rig, owner, 'editor')
    await editor.browser.succeed('POST', '/keys', { name: 'Theirs', scopes: ['links:read'] })
    page = await rig.open('/keys', { user: owner })
    const row = new RegExp(`^Theirs tern_…\\w{4} Read links ${editor.name} `)
    await page.getByRole('row', { name: row }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    const [member] = (await owner.browser.succeed('GET', '/members')).filter(
      ({ email }: { email: string }) => email === editor.email,
    )
    await owner.browser.succeed('DELETE', `/members/${member.id}`, { keep_keys: true })
    await page.reload()
    await page.getByRole('row', { name: row }).waitFor()
  })

  test('of an operator may have no limit, and one without a stored hint says so', async () => {
    await operator.browser.succeed('POST', '/keys', { name: 'Old', scopes: ['links:read'], rate_limit: null })
    await rig.store.db.updateTable('api_keys').set({ key_hint: null }).where('name', '=', 'Old').execute()
    page = await rig.open('/keys', { user: operator })
    await page.getByRole('row', { name: /^Old Older key .* 0 requests, no limit Never/ }).waitFor()
    await press(page, 'New key')
    await shown(page, 'Leave blank for 100. Operators can set a higher limit.')
    await page.getByRole('switch', { name: 'No limit' }).click()
    expect(await page.getByLabel('Requests per hour').count()).toBe(0)
  })

  test('page requests everything once, and nothing shifts when keys and usage load late', async () => {
    const user = await rig.user()
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await user.browser.succeed('POST', '/keys', { name, scopes: ['links:read'] })
    }
    for (const look of [{}, { width: 390, height: 844 }]) {
      page = await rig.open('/../robots.txt', { user, ...look })
      const asked: string[] = []
      await page.route('**/dashboard/api/**', async (route) => {
        asked.push(new URL(route.request().url()).pathname.replace('/dashboard/api', ''))
        // Late enough for the page to be drawn without it, each later than the one before.
        await Bun.sleep(asked.length * 200)
        await route.continue()
      })
      await stopClock(page)
      await page.goto(`${rig.config.baseUrl}/dashboard/keys`)
      await page.getByRole('img', { name: 'Requests in the last 30 days: 0 requests' }).waitFor()
      await page.getByRole('row', { name: /Five/ }).waitFor()
      expect(asked.sort()).toEqual(['/instance', '/keys', '/session', '/usage'])
      expect(await shiftsOf(page)).toEqual([])
    }
  })

  test('without a scope cannot be created', async () => {
    page = await rig.open('/keys', { user: await rig.user() })
    await press(page, 'New key')
    for (const name of ['Read links', 'Change links', 'Read analytics'])
      await page.getByRole('switch', { name }).click()
    await shown(page, 'Choose at least one permission.')
    const create = page.getByRole('button', {
      name: 'Create key',
      description: 'Choose at least one permission.',
    })
    expect(await create.isDisabled()).toBe(true)
    await fill(page, 'Name', 'Nothing')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('dialog').isVisible()).toBe(true)
  })

  test('is created once by two quick presses of Enter', async () => {
    const user = await rig.user()
    page = await rig.open('/keys', { user })
    await keys.open('Once')
    await page.evaluate(() => {
      const form = document.querySelector<HTMLFormElement>('dialog form')!
      // In one task: the page is not drawn between them.
      for (let presses = 0; presses < 2; presses += 1) form.requestSubmit()
    })
    await page.getByRole('group', { name: 'Your new key' }).waitFor()
    expect(await user.browser.succeed('GET', '/keys')).toHaveLength(1)
  })
})
