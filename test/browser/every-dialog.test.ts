import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { hasFocus } from './user-pages.ts'

describe.skipIf(hasNoChromium)('every dialog and menu', () => {
  const rig = useBrowserRig()
  let owner: TestUser

  beforeAll(fillService)

  test.each(DIALOGS.map((each) => [each.path, each] as const))('on %s, %j passes axe', async (_, opened) => {
    const { path, clicks, shows, isPhone = false } = opened
    const page = windows.get(isPhone)!
    await page.goto(`${rig.config.baseUrl}/dashboard${path}`)
    for (const name of clicks) {
      const named = (role: 'button' | 'menuitem') => page.getByRole(role, { name, exact: true })
      await named('button').or(named('menuitem')).filter({ visible: true }).first().click()
    }
    await page.getByText(shows).filter({ visible: true }).last().waitFor()
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  test('a dialog focuses its first field, keeps the focus, and returns it', async () => {
    const page = windows.get(false)!
    await page.goto(`${rig.config.baseUrl}/dashboard/keys`)
    const opener = page.getByRole('button', { name: 'New key' }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    await hasFocus(page.getByRole('dialog').getByLabel('Name', { exact: true }))
    for (let presses = 0; presses < 15; presses++) {
      await page.keyboard.press('Tab')
      const isOutside = await page.evaluate(() =>
        document.activeElement?.matches('main *:not(dialog, dialog *)'),
      )
      expect(isOutside).toBe(false)
    }
    await page.keyboard.press('Escape')
    await hasFocus(opener)
  })

  test('arrow keys move through a menu', async () => {
    const page = windows.get(false)!
    await page.goto(`${rig.config.baseUrl}/dashboard/`)
    const opener = page.getByRole('button', { name: 'More actions for first-link' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const items = page.getByRole('menuitem')
    await hasFocus(items.first())
    await page.keyboard.press('ArrowDown')
    await hasFocus(items.nth(1))
    await page.keyboard.press('Escape')
    await hasFocus(opener)
  })

  test('a combobox says when nothing matches, and goes back to what was chosen', async () => {
    const page = windows.get(false)!
    await page.goto(`${rig.config.baseUrl}/dashboard/settings`)
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await zone.fill('no such')
    await page.getByText('No such time zone').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await becomes(() => zone.inputValue(), 'Each browser’s time zone')
  })

  test('the shortcuts are scrolled with the keyboard where they do not fit', async () => {
    const page = await rig.open('/', { user: owner, width: 1440, height: 900 })
    await page.getByRole('link', { name: 'first-link' }).first().waitFor()
    await page.keyboard.press('?')
    const body = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('.dialog-body')
    await hasFocus(body)
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('End')
    await page.waitForFunction(() => document.querySelector('.dialog-body')!.scrollTop > 0)
  })

  async function fillService(): Promise<void> {
    owner = await rig.user()
    const { browser } = owner
    const link = { original_url: 'https://example.com/', title: 'A first link', custom_code: 'first-link' }
    await browser.succeed('POST', '/links', link)
    await importEditedLink(owner)
    await browser.succeed('POST', '/keys', { name: 'Newsletter', scopes: ['links:write'] })
    await browser.succeed('POST', '/domains', { host: 'go.example.com' })
    const guest = await memberOf(rig, owner, 'editor')
    await guest.browser.succeed('PUT', '/account', { name: 'Guest' })
    windows.set(false, await rig.open('/', { user: owner }))
    windows.set(true, await rig.open('/', { user: owner, width: 390, height: 844 }))
  }

  const windows = new Map<boolean, Page>()
})

async function importEditedLink({ browser }: TestUser): Promise<void> {
  const { id: import_id } = await browser.succeed('POST', '/imports', { source: 'bitly' })
  const links = [{ original_url: 'https://example.com/', custom_code: 'imported' }]
  await browser.succeed('POST', '/links/import', { import_id, links })
  await browser.succeed('PUT', '/links/imported', { title: 'Edited' })
}

/** What leads to a dialog or menu: names of buttons and menu items, one after the other. */
type DialogCase = { path: string; clicks: (string | RegExp)[]; shows: string | RegExp; isPhone?: boolean }

const DIALOGS: DialogCase[] = [
  { path: '/', clicks: ['Sort: Newest'], shows: 'Oldest' },
  { path: '/', clicks: ['More views'], shows: 'Trash' },
  { path: '/', clicks: ['Export'], shows: 'NDJSON' },
  { path: '/?status=active', clicks: ['Save view'], shows: 'Name' },
  { path: '/', clicks: ['Filters'], shows: 'Show links', isPhone: true },
  { path: '/', clicks: [/^Workspace: /], shows: 'New workspace' },
  { path: '/', clicks: [/^Workspace: /, 'New workspace'], shows: 'Create workspace' },
  { path: '/', clicks: ['More'], shows: 'Members', isPhone: true },
  { path: '/imports', clicks: ['Undo the import from Bitly'], shows: 'Links in use' },
  { path: '/?import_id=1', clicks: [/^Import: Bitly, /], shows: /^Bitly, / },
  { path: '/links/first-link', clicks: ['More actions for first-link'], shows: 'Delete' },
  { path: '/links/first-link', clicks: ['More actions for first-link', 'Delete clicks'], shows: 'Cancel' },
  { path: '/links/first-link', clicks: ['Share'], shows: 'Nobody outside this workspace' },
  { path: '/keys', clicks: ['More for Newsletter'], shows: 'Revoke key' },
  { path: '/keys', clicks: ['More for Newsletter', 'Revoke key'], shows: 'Cancel' },
  { path: '/members', clicks: ['More about Guest'], shows: 'Make owner' },
  { path: '/members', clicks: ['More about Guest', 'Remove from workspace'], shows: 'Cancel' },
  {
    path: '/members',
    clicks: ['What each role can do'],
    shows: 'Create their own API keys, limited to their role',
  },
  { path: '/settings', clicks: ['Transfer ownership'], shows: 'Cancel' },
  { path: '/account/sessions', clicks: ['Sign out everywhere'], shows: 'Cancel' },
  { path: '/domains', clicks: ['More for go.example.com'], shows: 'Remove' },
  { path: '/admin', clicks: ['More for Guest'], shows: 'Suspend' },
  { path: '/admin', clicks: ['More for Guest', 'Suspend'], shows: 'Cancel' },
  { path: '/admin', clicks: ['More for Guest', 'Make operator'], shows: 'Current password' },
  { path: '/admin/domains', clicks: [/^Ignore case on /], shows: 'Cancel' },
  { path: '/admin/invitations', clicks: ['Invite someone'], shows: 'Send invitation' },
]
