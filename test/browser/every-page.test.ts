import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { makeHistory } from '../rigs/clicks/click-history.ts'
import { eventually } from '../rigs/eventually.ts'
import { axeFindings, type AxeRules } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { heading, shown } from './user-pages.ts'

/** The API reference has thousands of parts, and axe looks at each. */
const REFERENCE_MS_MAX = 240_000

describe.skipIf(hasNoChromium)('every page', () => {
  const rig = useBrowserRig()
  let operator: TestUser
  /** One window of each kind, signed in and not, goes from page to page: what they load is loaded once. */
  let windows: { page: Page; isSignedIn: boolean; passes: readonly Pass[] }[]

  beforeAll(fillService)

  test.each(PAGES)('%s shows %j, light, dark and on a phone, and axe finds nothing', (path, word) =>
    check(true, path, word),
  )

  test.each(SIGNED_OUT)('%s shows %j to signed-out visitors, and axe finds nothing', (path, word) =>
    check(false, path, word),
  )

  test.each([['/'], ['/docs'], ['/nobody'], ['/first-link+']])(
    '%s, outside the dashboard, passes axe too, light, dark and on a phone',
    async (path) => {
      for (const { page, passes } of windows.filter(({ isSignedIn }) => !isSignedIn)) {
        await page.goto(rig.config.baseUrl + path)
        expect(await overflowOf(page)).toBe(0)
        expect(await page.locator('html').getAttribute('lang')).toBe('en')
        expect(await headings(page)).toHaveLength(1)
        if (path === '/docs') await keepFirstOperations(page)
        await expectNoFindings(page, passes)
      }
    },
  )

  test(
    'the whole reference passes what axe has besides colors',
    async () => {
      const { page } = windows.find(({ isSignedIn }) => !isSignedIn)!
      await page.goto(`${rig.config.baseUrl}/docs`)
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      expect(await axeFindings(page, 'all but the colors')).toEqual([])
    },
    REFERENCE_MS_MAX,
  )

  test('the reference opens at the operation that its address or its contents name', async () => {
    const { page } = windows[0]!
    const top = () =>
      page.locator('#post-links-bulk-delete').evaluate((one) => one.getBoundingClientRect().top)
    // Where the page keeps what is below its header.
    const BELOW_HEADER = 76
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto(`${rig.config.baseUrl}/docs#post-links-bulk-delete`)
    expect(await top()).toBeCloseTo(BELOW_HEADER, 0)
    await page.goto(`${rig.config.baseUrl}/docs`)
    await page.getByRole('link', { name: 'Delete up to 100 links POST' }).click()
    expect(await eventually(top, (found) => Math.abs(found - BELOW_HEADER) < 0.5)).toBeCloseTo(
      BELOW_HEADER,
      0,
    )
  })

  test('the page shows the shell before its script has loaded, light, dark and on a phone', async () => {
    for (const { page, passes, isSignedIn } of windows) {
      await page.route('**/*.js', (route) => route.abort())
      await page.goto(`${rig.config.baseUrl}/dashboard/overview`, { waitUntil: 'commit' })
      await page
        .getByRole('link', { name: isSignedIn ? 'Overview' : 'Tern' })
        .first()
        .waitFor()
      await page.locator('.page-skeleton').waitFor()
      await expectNoFindings(page, passes)
      expect(await overflowOf(page)).toBe(0)
      await page.unroute('**/*.js')
    }
  })

  test('the menu of a link passes axe too, light and dark', async () => {
    const page = await rig.open('/', { user: operator })
    await page.getByRole('button', { name: 'More actions for first-link' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).waitFor()
    await expectNoFindings(page, LIGHT_AND_DARK)
  })

  test('the theme is chosen in the menu, and is remembered', async () => {
    const page = await rig.open('/account', { theme: 'light', user: operator })
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await heading(page, 'Account')
    const light = await background()
    await page.getByRole('button', { name: /^Your account/ }).click()
    // Which one holds now is marked, and axe looks at the open menu too.
    await page.getByRole('menuitemradio', { name: 'System', checked: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    await heading(page, 'Account')
    expect(await background()).toBe(dark)
    await page.getByRole('button', { name: /^Your account/ }).click()
    await page.getByRole('menuitemradio', { name: 'Dark', checked: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('content that cannot be loaded says why, and loads when the server is back', async () => {
    const page = await rig.open('/account', { user: operator })
    await heading(page, 'Account')
    await page.context().setOffline(true)
    await page.getByRole('tab', { name: 'Sessions' }).click()
    await shown(page, 'The server cannot be reached. Check the connection, then try again.')
    expect(await axeFindings(page)).toEqual([])
    await page.context().setOffline(false)
    await shown(page, 'This session')
  })

  async function fillService(): Promise<void> {
    operator = await rig.user({ email: 'operator@example.com' })
    const { browser } = operator
    const link = { original_url: 'https://example.com/', title: 'A first link', custom_code: 'first-link' }
    await browser.succeed('POST', '/links', link)
    await browser.succeed('POST', '/links', { ...link, title: 'An old link', custom_code: 'old-link' })
    await browser.succeed('DELETE', '/links/old-link')
    const { id: import_id } = await browser.succeed('POST', '/imports', { source: 'bitly' })
    const imported = { ...link, title: 'An imported link', custom_code: 'imported-link' }
    await browser.succeed('POST', '/links/import', { import_id, links: [imported] })
    await browser.succeed('POST', '/keys', { name: 'Newsletter', scopes: ['links:write'] })
    await browser.succeed('POST', '/admin/blocked-hosts', { host: 'prizes.example.net', reason: 'Phishing' })
    await browser.succeed('POST', '/admin/invitations', { email: 'friend@example.com' })
    await browser.succeed('POST', '/admin/domains', { host: 'shared.example.com' })
    const domain = { host: 'go.example.com', name: 'go.example.com', verification_token: 'a-token' }
    const { workspace } = await browser.succeed('GET', '/session')
    const at = { verified_at: 1e15, failing_since: 1e15, created_at: 1e15 }
    const failure = 'go.example.com leads to 198.51.100.7, not to this server.'
    await rig.store.db
      .insertInto('domains')
      // Just now, so that the program does not look at it while the pages are opened.
      .values({ ...domain, ...at, checked_at: Date.now() * 1000, failure, workspace_id: workspace.id })
      .execute()
    await makeHistory(rig, operator)
    windows = []
    for (const { look, passes } of WINDOWS) {
      windows.push({ page: await rig.open('/', { ...look, user: operator }), isSignedIn: true, passes })
      windows.push({ page: await rig.open('/', look), isSignedIn: false, passes })
    }
  }

  async function check(isSignedIn: boolean, path: string, word: string): Promise<void> {
    for (const { page, passes } of windows.filter((each) => each.isSignedIn === isSignedIn)) {
      // From elsewhere: what differs only behind the # would not be loaded.
      if (path.includes('#')) await page.goto(`${rig.config.baseUrl}/api/health`)
      await page.goto(`${rig.config.baseUrl}/dashboard${path}`)
      await shown(page, word)
      await expectNoFindings(page, passes)
      expect(await overflowOf(page)).toBe(0)
      expect(await page.title()).toMatch(/.+ · Tern$/)
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
      expect(await headings(page)).toHaveLength(1)
    }
  }
})

const LIGHT_AND_DARK: readonly Pass[] = [
  { theme: 'light', rules: 'all' },
  { theme: 'dark', rules: 'only the colors' },
]

/** On a phone, parts are hidden or in other places, in the same colors. */
const WINDOWS: { look: Look; passes: readonly Pass[] }[] = [
  { look: {}, passes: LIGHT_AND_DARK },
  { look: { width: 390, height: 844 }, passes: [{ theme: 'light', rules: 'all but the colors' }] },
]

/** The names of the page's main headings, as a reader says them. */
const headings = (page: Page) =>
  page.getByRole('heading', { level: 1 }).evaluateAll((all) => all.map(({ textContent }) => textContent))

/** Of each group in the reference. All are drawn alike, and axe takes a minute for the colors of each of thousands of parts. */
const keepFirstOperations = (page: Page) =>
  page.evaluate(() => {
    const [kept] = document.querySelectorAll('.operation')
    if (kept === undefined) throw new Error('The reference has no operations.')
    for (const operation of document.querySelectorAll('.operation ~ .operation')) operation.remove()
  })

async function expectNoFindings(page: Page, passes: readonly Pass[]): Promise<void> {
  for (const { theme, rules } of passes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    expect({ theme, findings: await axeFindings(page, rules) }).toEqual({ theme, findings: [] })
  }
}

type Pass = { theme: 'light' | 'dark'; rules: AxeRules }

/** Each page with a word that shows when it is there. */
const PAGES: [path: string, word: string][] = [
  ['/', 'A first link'],
  ['/?search=nothing-has-this', 'No links match'],
  ['/links/first-link', 'No clicks yet'],
  ['/links/insta?period=90d', 'Today so far'],
  ['/overview?period=all', 'Top links'],
  ['/links/first-link?tab=history', 'Nothing has changed since.'],
  ['/trash', 'An old link'],
  ['/imports', 'Can be undone until'],
  ['/imports/new', 'Where are your links now?'],
  ['/imports/new?source=kutt', 'or upload an export file'],
  ['/tags', 'Tags and folders group links.'],
  ['/overview', 'Live clicks'],
  ['/domains', 'Does not point here'],
  ['/domains/go.example.com', 'Where visitors land'],
  ['/keys', 'Newsletter'],
  ['/settings', 'Invite someone'],
  ['/audit-log', 'created the API key'],
  ['/account', 'Limits'],
  ['/account/security', 'Two-factor authentication'],
  ['/account/sessions', 'This session'],
  ['/account/yours', 'Export your data'],
  ['/admin', 'operator@example.com'],
  ['/admin/workspaces', 'operator@example.com'],
  ['/admin/domains', 'All workspaces'],
  ['/admin/hosts', 'prizes.example.net'],
  ['/admin/reports', 'No open reports'],
  ['/admin/invitations', 'friend@example.com'],
  ['/no/such/page', 'Page not found'],
]
const SIGNED_OUT: [path: string, word: string][] = [
  ['/', 'Sign in with a passkey'],
  ['/sign-up', 'Create your account'],
  ['/sign-up#made-up', 'This invitation no longer works'],
  ['/forgot-password', 'Reset your password'],
  ['/reset-password#made-up', 'Choose a new password'],
  ['/verify-email#made-up', 'Confirm your email'],
  ['/verify-email', 'This link is incomplete'],
  ['/invitation#made-up', 'This invitation does not work'],
  ['/confirm-email#made-up', 'Confirm your new email'],
]
