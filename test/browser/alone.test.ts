import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { chooseForLink, heading, inDialog, press, pressKeys, shown } from './user-pages.ts'

const CODE = 'mine'

describe.skipIf(hasNoChromium)('somebody who is alone', () => {
  const rig = useBrowserRig()
  let page: Page

  beforeAll(fillService)

  test.each([
    ['/', CODE],
    ['/?search=nothing-has-this', 'No links match'],
    [`/links/${CODE}`, 'No clicks yet'],
    [`/links/${CODE}?tab=history`, 'Nothing has changed since.'],
    ['/trash', 'thrown-away'],
    ['/tags', 'Ads'],
    ['/overview', 'Live clicks'],
    ['/domains', 'shared.example.com'],
    ['/domains/go.example.com', 'Where visitors land'],
    ['/keys', 'Shop'],
    ['/settings', 'Invite someone'],
    ['/audit-log', 'created the API key'],
    ['/account', 'Limits'],
    ['/account/security', 'Two-factor authentication'],
    ['/account/sessions', 'This session'],
    ['/account/yours', 'Export your data'],
  ])('reads nothing of workspaces on %s', async (path, word) => {
    await open(path, word)
    await readsNothing()
  })

  const dialog = () => page.getByRole('dialog').waitFor()
  async function refusedDomain(name: string): Promise<void> {
    await page.getByLabel('Domain', { exact: true }).fill(name)
    await inDialog(page, 'Add domain')
    await page.getByRole('alert').first().waitFor()
  }

  async function openSections(): Promise<void> {
    await page.getByLabel('Destination', { exact: true }).waitFor()
    for (const summary of await page.locator('summary').all()) await summary.click()
  }

  test.each<[what: string, path: string, word: string, act: () => Promise<unknown>]>([
    ['a new key', '/keys', 'Shop', () => press(page, 'New key').then(dialog)],
    ['a new domain', '/domains', 'shared.example.com', () => press(page, 'Add domain').then(dialog)],
    [
      'a domain that is shared',
      '/domains',
      'shared.example.com',
      () => press(page, 'Add domain').then(() => refusedDomain('shared.example.com')),
    ],
    [
      'a domain that was added already',
      '/domains',
      'shared.example.com',
      () => press(page, 'Add domain').then(() => refusedDomain('go.example.com')),
    ],
    [
      'the domain of the server',
      '/domains',
      'shared.example.com',
      () => press(page, 'Add domain').then(() => refusedDomain(new URL(rig.config.baseUrl).hostname)),
    ],
    [
      'the actions of the audit log',
      '/audit-log',
      'created the API key',
      () =>
        page
          .getByRole('button', { name: 'Action', exact: true })
          .click()
          .then(() => page.getByRole('option').first().waitFor()),
    ],
    ['the editor', '/', CODE, () => chooseForLink(page, CODE, 'Edit').then(openSections)],
    ['a QR code', '/', CODE, () => chooseForLink(page, CODE, 'QR code').then(dialog)],
    ['a new view', '/?tag=Ads&status=active', CODE, () => press(page, 'Save view').then(dialog)],
    ['the palette', '/', CODE, () => pressKeys(page, 'ControlOrMeta+k').then(dialog)],
    ['the shortcuts', '/', CODE, () => pressKeys(page, '?').then(dialog)],
    ['the user', '/', CODE, () => page.getByRole('button', { name: /^Your account/ }).click()],
    ['several links', '/', CODE, () => press(page, 'Bulk create').then(dialog)],
  ])('reads nothing of workspaces about %s', async (_, path, word, act) => {
    await open(path, word)
    await act()
    await readsNothing()
  })

  test('is asked to invite others in the settings only', async () => {
    await open('/settings', 'Invite someone')
    await press(page, 'New workspace')
    await heading(page, 'New workspace')
  })

  async function fillService(): Promise<void> {
    // The first user is the operator, who manages the workspaces of all.
    const operator = await rig.user()
    await operator.browser.succeed('POST', '/admin/domains', { host: 'shared.example.com' })
    const user: TestUser = await rig.user()
    const { browser } = user
    const link = { original_url: 'https://example.com/', custom_code: CODE, tags: ['Ads'] }
    await browser.succeed('POST', '/links', link)
    await browser.succeed('POST', '/links', { ...link, custom_code: 'thrown-away' })
    await browser.succeed('DELETE', '/links/thrown-away')
    await browser.succeed('POST', '/domains', { host: 'go.example.com' })
    await browser.succeed('POST', '/keys', { name: 'Shop', scopes: ['links:read'] })
    await browser.succeed('PUT', '/workspace/settings', { timezone: 'Europe/Berlin' })
    await browser.succeed('POST', '/views', { name: 'Ads', query: 'tag=Ads', is_shared: true })
    page = await rig.open('/', { user })
  }

  /** What is shown, and what is read aloud. */
  const words = () =>
    page.evaluate(() => {
      const named = ['aria-label', 'title', 'placeholder', 'alt'].flatMap((name) =>
        [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name)),
      )
      const options = [...document.querySelectorAll('option')].map(({ text }) => text)
      return [document.title, document.body.innerText, ...named, ...options].join('\n')
    })

  /** What opens the way to others says what it opens. */
  const ENTRANCE = /^New workspace$/gm

  async function readsNothing(): Promise<void> {
    const lines = (await words()).replace(ENTRANCE, '').split('\n')
    expect(lines.filter((line) => /workspace/i.test(line))).toEqual([])
  }

  async function open(path: string, word: string): Promise<void> {
    await page.goto(`${rig.config.baseUrl}/dashboard${path}`)
    await shown(page, word)
  }
})
