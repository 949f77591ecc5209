import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { settingsWithDomain } from '../rigs/service/shared-domain.ts'
import { temporaryFolders } from '../rigs/temporary-folders.ts'
import { overflowOf, startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'

/** The longest of each kind, in the widest letter and without a place to break. */
const wide = (length: number) => 'W'.repeat(length)
const LONG_HOST = `${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(50)}.example.com`
const LONG_URL = `https://${LONG_HOST}/${wide(1000)}`

describe.skipIf(hasNoChromium)('names that look like markup', () => {
  const rig = useBrowserRig()
  let operator: TestUser

  beforeAll(makeNames)

  test.each(['/account', '/keys', '/admin', '/admin/workspaces', '/admin/domains', '/admin/hosts'])(
    'are only text on %s',
    async (path) => {
      const page = await rig.open(path, { user: operator })
      await page.getByText(HOSTILE).filter({ visible: true }).first().waitFor()
      expect(await page.locator(STRANGE).count()).toBe(0)
      // What the page's policy refuses is a fault on its console.
      expect(rig.takeFaults()).toEqual([])
    },
  )

  async function makeNames(): Promise<void> {
    operator = await rig.user()
    await operator.browser.succeed('PUT', '/account', { name: HOSTILE })
    await operator.browser.succeed('PUT', '/workspace', { name: HOSTILE })
    await operator.browser.succeed('POST', '/domains', { host: 'go.example.com' })
    await operator.browser.succeed('POST', '/keys', { name: HOSTILE, scopes: ['links:read'] })
    await operator.browser.succeed('POST', '/admin/blocked-hosts', { host: 'evil.example', reason: HOSTILE })
  }
})

describe.skipIf(hasNoChromium)('names as long as they can be', () => {
  const folders = temporaryFolders()
  const rig = useBrowserRig(async () => startBrowserRig(await settingsWithDomain(folders.make(), LONG_HOST)))
  /** One of each kind goes from page to page: what they load is loaded once. */
  const windows: [name: string, page: Page][] = []
  /** As short URLs have it. */
  const host = () => `${LONG_HOST}:${new URL(rig.config.baseUrl).port}`

  beforeAll(async () => {
    const operator = await rig.user()
    const { browser } = operator
    const member = await memberOf(rig, operator, 'admin')
    for (const each of [browser, member.browser]) await each.succeed('PUT', '/account', { name: wide(255) })
    await browser.succeed('PUT', '/workspace', { name: wide(60) })
    await browser.succeed('POST', '/domains', { host: `own.${LONG_HOST}` })
    await browser.succeed('POST', '/keys', { name: wide(255), scopes: ['links:read'] })
    await browser.succeed('POST', '/members/invitations', { emails: [LONG_EMAIL], role: 'editor' })
    await browser.succeed('POST', '/admin/invitations', { email: LONG_EMAIL })
    await browser.succeed('POST', '/admin/blocked-hosts', { host: `evil.${LONG_HOST}`, reason: wide(200) })
    await browser.succeed('POST', '/tags', { name: wide(50) })
    await browser.succeed('POST', '/folders', { name: wide(50) })
    await browser.succeed('POST', '/views', { name: wide(60), query: 'status=active', is_shared: true })
    const link = { original_url: LONG_URL, title: wide(255), tags: [wide(50)], folder: wide(50) }
    for (const custom_code of [wide(64), wide(63)])
      await browser.succeed('POST', '/links', { ...link, custom_code })
    await browser.succeed('DELETE', `/links/${wide(63)}`)
    await rig.store.db.updateTable('domains').set({ home_url: LONG_URL }).execute()
    // One in the list, and one in the trash.
    for (const custom_code of ['kept', 'gone'])
      await browser.succeed('POST', '/links', { ...link, custom_code, domain: host() })
    await browser.succeed('DELETE', `/links/gone?domain=${host()}`)
    for (const [name, look] of Object.entries(WINDOWS))
      windows.push([name, await rig.open('/', { user: operator, ...look })])
  })

  afterAll(folders.remove)

  test.each([
    '/',
    '/overview',
    '/tags',
    '/trash',
    '/domains',
    `/domains/own.${LONG_HOST}`,
    '/keys',
    '/members',
    '/settings',
    '/audit-log',
    '/account',
    '/account/sessions',
    `/links/${wide(64)}`,
    `/links/${wide(64)}?tab=history`,
    '/links/LONG_HOST/kept',
    '/admin',
    '/admin/workspaces',
    '/admin/domains',
    '/admin/hosts',
    '/admin/invitations',
  ])('make %s no wider than the window, on a desktop and a phone', async (path) => {
    for (const [name, page] of windows) {
      await page.goto(`${rig.config.baseUrl}/dashboard${path.replace('LONG_HOST', host())}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForLoadState('networkidle')
      expect({ name, overflow: await overflowOf(page) }).toEqual({ name, overflow: 0 })
    }
  })
})

const HOSTILE = '"><img src=x onerror=alert(1)></script><svg/onload=alert(1)>'
const STRANGE = 'img[src="x"], [onerror], [onload], main script, a[href^="javascript"]'
const LONG_EMAIL = `${'w'.repeat(64)}@${'w'.repeat(63)}.example.com`
const WINDOWS = { desktop: {}, phone: { width: 390, height: 844 } }
