import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { field, fill, hasFocus, heading, isSignedInAt, press, shown, signOutAt } from './user-pages.ts'

describe.skipIf(hasNoChromium)('a page that was left open', () => {
  const rig = useBrowserRig()
  let user: TestUser

  beforeAll(async () => {
    user = await rig.user()
    const link = { original_url: 'https://example.com/', custom_code: 'still-there' }
    await user.browser.succeed('POST', '/links', link)
  })

  test('keeps its shell while the server is down, says so, and recovers without a reload', async () => {
    const page = await rig.open('/account', { user })
    await heading(page, 'Account')
    await page.context().setOffline(true)
    await page.getByRole('tab', { name: 'Sessions' }).click()
    await shown(page, AWAY)
    await isSignedInAt(page)
    await shown(page, 'Sessions could not be loaded')
    // Nobody knows that when no server has answered.
    expect(await page.getByText('Redirects are not affected').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await page.context().setOffline(false)
    await shown(page, 'This session')
    await page.getByText(AWAY).waitFor({ state: 'detached' })
  })

  test('says what failed while the server is down only until it is back', async () => {
    const page = await rig.open('/links/still-there', { user })
    await shown(page, 'No clicks yet')
    await keepToasts(page)
    await page.context().setOffline(true)
    await page.getByRole('switch').click()
    const toast = page.getByText('Not changed: The server cannot be reached.')
    await toast.waitFor()
    await page.context().setOffline(false)
    await toast.waitFor({ state: 'detached' })
  })

  test('shows its shell while a proxy responds for a server that is down', async () => {
    const page = await rig.open('/../robots.txt', { user })
    const api = '**/dashboard/api/**'
    await page.route(api, (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
    await page.goto(`${rig.config.baseUrl}/dashboard/keys`)
    await shown(page, AWAY)
    await page.getByRole('link', { name: 'Overview' }).first().waitFor()
    await page.unroute(api)
    await heading(page, 'No API keys yet')
  })

  test('keeps what was typed when the session ended, and continues after signing in again', async () => {
    const own = await rig.user()
    const page = await rig.open('/account', { user: own })
    await fill(page, 'Name', 'Half typed')
    await own.browser.succeed('DELETE', '/sessions')
    await press(page, 'Save changes')
    await heading(page, ENDED)
    expect(await axeFindings(page)).toEqual([])
    for (let i = 0; i < 2; i++) await page.keyboard.press('Escape')
    const dialog = page.getByRole('dialog', { name: ENDED })
    await becomes(() => dialog.getByLabel('Email').inputValue(), own.email)
    const password = dialog.getByLabel('Password', { exact: true })
    await hasFocus(password)
    await password.fill('not the password')
    await page.keyboard.press('Enter')
    await shown(page, 'The email or password is incorrect.')
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await becomes(() => field(page, 'Name').inputValue(), 'Half typed')
    expect(await page.getByText('You are not signed in.').count()).toBe(0)
    await press(page, 'Save changes')
    await shown(page, 'Saved')
    await page.waitForURL(`${rig.config.baseUrl}/dashboard/account`)
  })

  test.each([
    ['/domains', 'GET /domains', 'Domains'],
    ['/keys', 'GET /keys', 'API keys'],
    ['/settings', 'GET /workspace/settings', 'Settings'],
    ['/members', 'GET /members', 'Members'],
    ['/tags', 'GET /tags', 'Tags'],
    ['/trash', 'GET /trash', 'Trash'],
    ['/audit-log', 'GET /audit-log', 'Audit log'],
    ['/account/security', 'GET /passkeys', 'Passkeys'],
    ['/account/sessions', 'GET /sessions', 'Sessions'],
    ['/admin', 'GET /admin/users', 'Users'],
    ['/admin/reports', 'GET /admin/reports', 'Reports'],
    ['/links/still-there', 'GET /links/still-there', 'The link'],
  ])('%s says what could not be loaded when %s fails, and what goes on', async (path, endpoint, what) => {
    const page = await rig.open('/../robots.txt', { user })
    await failAt(page, endpoint)
    await page.goto(`${rig.config.baseUrl}/dashboard${path}`)
    const alert = page.getByRole('alert').filter({ hasText: `${what} could not be loaded` })
    await alert.getByText('Try again later. Redirects are not affected.', { exact: true }).waitFor()
    await becomes(() => page.getByRole('heading', { level: 1 }).count(), 1)
    rig.takeFaults()
  })

  test('the page of a link that could not be loaded keeps its name and its tabs', async () => {
    const page = await rig.open('/../robots.txt', { user })
    await failAt(page, 'GET /links/still-there')
    await page.goto(`${rig.config.baseUrl}/dashboard/links/still-there`)
    await shown(page, 'The link could not be loaded')
    await heading(page, `${new URL(rig.config.baseUrl).host}/still-there`)
    await page.getByRole('tab', { name: 'History' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    rig.takeFaults()
  })

  test('shows nothing of the previous user when another one signs in', async () => {
    const [own, other] = [await rig.user(), await rig.user()]
    const page = await rig.open('/account', { user: own })
    await heading(page, 'Account')
    await own.browser.succeed('DELETE', '/sessions')
    await page.getByRole('tab', { name: 'Sessions' }).click()
    const dialog = page.getByRole('dialog', { name: ENDED })
    await dialog.getByLabel('Email').fill(other.email)
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: new RegExp(other.name) }).waitFor()
    await page.getByRole('tab', { name: 'Profile' }).click()
    await becomes(() => field(page, 'Email').inputValue(), other.email)
    expect(await page.content()).not.toContain(own.email)
  })

  test('follows another tab: a new link appears, and signing out there signs out here', async () => {
    const own = await rig.user()
    const page = await rig.open('/', { user: own })
    const other = await page.context().newPage()
    await other.goto(`${rig.config.baseUrl}/dashboard/`)
    await other.getByRole('button', { name: 'Create link', exact: true }).waitFor()
    await page.getByPlaceholder('Paste a long URL').fill('https://example.com/from-the-first-tab')
    await page.keyboard.press('Enter')
    await shown(other, 'example.com/from-the-first-tab')
    await signOutAt(page)
    await heading(other, 'Sign in')
    expect(await other.content()).not.toContain('from-the-first-tab')
    await fill(page, 'Email', own.email)
    await fill(page, 'Password', PASSWORD)
    await page.keyboard.press('Enter')
    await isSignedInAt(other)
  })

  test('follows another tab that signed out while this one was still loading', async () => {
    const own = await rig.user()
    const page = await rig.open('/', { user: own })
    const other = await page.context().newPage()
    const { promise: isSignedOut, resolve: release } = Promise.withResolvers<void>()
    await other.route('**/*.js', async (route) => {
      const response = await route.fetch()
      if ((await response.text()).includes('away-line')) await isSignedOut
      await route.fulfill({ response })
    })
    await other.goto(`${rig.config.baseUrl}/dashboard/`)
    await other.getByRole('button', { name: 'Create link', exact: true }).waitFor()
    await signOutAt(page)
    release()
    await heading(other, 'Sign in')
  })

  const failAt = (page: Page, endpoint: string) =>
    page.route(
      ({ pathname }) => pathname === `/dashboard/api${endpoint.replace('GET ', '')}`,
      (route) => route.fulfill({ status: 503, json: { message: 'Try again later.' } }),
    )

  /** No toast goes by its time: what goes, the page has taken away. */
  const keepToasts = (page: Page) =>
    page.evaluate(() => {
      const { setTimeout } = window
      const withoutLong = (run: () => void, ms?: number) => (ms === 5_000 ? 0 : setTimeout(run, ms))
      Object.assign(window, { setTimeout: withoutLong })
    })
})

const AWAY = 'The server cannot be reached. This page continues when it is back.'
const ENDED = 'Your session ended. Sign in again.'
