/**
 * Takes the pictures in docs/screenshots/: every page, light, dark and on a phone, on a whole service with a history of
 * ninety days.
 *
 *   npm run screenshots
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { makeHistory } from '../rigs/clicks/click-history.ts'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { type BrowserRig, startBrowserRig } from './browser-rig.ts'
import type { Look } from './chromium.ts'
import { organizeLinks } from './organize-links.ts'

const FOLDER = join(import.meta.dir, '../../docs/screenshots')
const LOOKS: Record<string, Look> = {
  light: { width: 1280, height: 800 },
  dark: { width: 1280, height: 800, theme: 'dark' },
  phone: { width: 390, height: 844 },
}
const AMERICAN = { locale: 'en-US' }
/** Below it, pages that go on for long are cut. */
const HEIGHT_MAX = 1_900
/** Fonts, charts and the map come after the words. */
const SETTLED_MS = 700

type Shot = {
  name: string
  path: string
  isSignedIn?: boolean
  /** In these looks only. */
  looks?: readonly string[]
  act?(page: Page): Promise<unknown>
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const SHOTS: Shot[] = [
  { name: 'links', path: '/' },
  { name: 'link', path: '/links/insta' },
  { name: 'history', path: '/links/advent?tab=history' },
  { name: 'overview', path: '/overview' },
  { name: 'bulk', path: '/', act: openBulk },
  { name: 'selected', path: '/', looks: ['light'], act: selectLinks },
  { name: 'palette', path: '/', looks: ['light', 'dark'], act: (page) => page.keyboard.press('Control+k') },
  { name: 'editor', path: '/links/advent', act: button('Edit') },
  { name: 'qr-designer', path: '/links/insta', looks: ['light', 'phone'], act: openDesigner },
  { name: 'tags', path: '/tags' },
  { name: 'trash', path: '/trash', looks: ['light'] },
  { name: 'domains', path: '/domains' },
  { name: 'keys', path: '/keys' },
  { name: 'new-key', path: '/keys', act: button('New key') },
  { name: 'account', path: '/account' },
  { name: 'security', path: '/account/security' },
  { name: 'sessions', path: '/account/sessions' },
  { name: 'your-data', path: '/account/yours' },
  { name: 'admin', path: '/admin' },
  { name: 'admin-workspaces', path: '/admin/workspaces' },
  { name: 'admin-domains', path: '/admin/domains' },
  { name: 'blocked-hosts', path: '/admin/hosts' },
  { name: 'invitations', path: '/admin/invitations' },
  { name: 'reports', path: '/admin/reports', looks: ['light', 'phone'] },
  { name: 'sign-in', path: '/', isSignedIn: false },
  { name: 'sign-up', path: '/sign-up', isSignedIn: false },
  { name: 'forgot-password', path: '/forgot-password', isSignedIn: false },
  { name: 'landing', path: '/../', isSignedIn: false },
]

/** Of somebody who is no longer alone. */
const TEAM_SHOTS: Shot[] = [
  { name: 'members', path: '/members' },
  { name: 'audit-log', path: '/audit-log' },
  { name: 'settings', path: '/settings', looks: ['light'] },
]

const rig = await startBrowserRig({ BASE_URL: 'http://go.example.com' })
try {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  const operator = await inhabit(rig)
  await takeAll(SHOTS, operator)
  for (const role of ['admin', 'editor', 'viewer'] as const) await memberOf(rig, operator, role)
  await takeAll(TEAM_SHOTS, operator)
} finally {
  await rig.stop()
}
process.exit()

/** An operator with links and keys, and others to look after. */
async function inhabit(rig: BrowserRig): Promise<TestUser> {
  const operator = await rig.user({ email: 'ada@example.com' })
  await operator.browser.succeed('PUT', '/account', { name: 'Ada Lovelace' })
  await makeHistory(rig, operator)
  await organizeLinks(operator)
  // The one opening that the link has.
  await rig.call('GET', '/repair-day')
  const succeed = (path: string, body: unknown) => operator.browser.succeed('POST', path, body)
  await succeed('/keys', { name: 'Newsletter', scopes: ['links:create'] })
  const { key } = await succeed('/keys', { name: 'Weekly report', scopes: ['links:read', 'analytics:read'] })
  for (let i = 0; i < 37; i++) await rig.call('GET', '/api/analytics/overview', { key })
  await succeed('/admin/blocked-hosts', { host: 'prizes.example.net', reason: 'Phishing' })
  await succeed('/admin/invitations', { email: 'grace@example.com' })
  await succeed('/admin/domains', { host: 's.example.com' })
  await succeed('/domains', { host: 'links.example.org' })
  await operator.browser.succeed('DELETE', '/links/jobs')
  await rig.call('POST', '/report/insta', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
    body: 'reason=phishing&message=It+asks+for+my+password.',
  })
  for (const email of ['charles@example.com', 'mary@example.com']) await rig.user({ email })
  return operator
}

async function takeAll(shots: readonly Shot[], operator: TestUser): Promise<void> {
  for (const [look, window] of Object.entries(LOOKS)) {
    for (const shot of shots)
      if (shot.looks?.includes(look) ?? true) await take(shot, { look, window, operator })
  }
}

async function openDesigner(page: Page): Promise<void> {
  await button('QR code')(page)
}

/** On a phone it is in a menu. */
async function openBulk(page: Page): Promise<void> {
  const isPhone = page.viewportSize()!.width === LOOKS.phone!.width
  if (isPhone) await page.locator('.page-head').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole(isPhone ? 'menuitem' : 'button', { name: 'Bulk create' }).click()
}

/** The first three rows. */
async function selectLinks(page: Page): Promise<void> {
  const ticks = page.locator('tbody input[type=checkbox]')
  for (let row = 0; row < 3; row++) await ticks.nth(row).check()
}

type Scene = { look: string; window: Look; operator: TestUser }

async function take({ name, path, isSignedIn = true, act }: Shot, { look, window, operator }: Scene) {
  const page = await rig.open(path, {
    ...window,
    visitor: AMERICAN,
    ...(isSignedIn ? { user: operator } : {}),
  })
  await page.locator('h1').first().waitFor()
  await act?.(page)
  await page.waitForFunction(() => document.querySelector('.skeleton') === null)
  await page.waitForTimeout(SETTLED_MS)
  if (act === undefined) await showAll(page, window)
  await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) })
  await page.context().close()
}

/** A window as high as the page, so that what keeps to its edges is where it belongs. */
async function showAll(page: Page, { width = 0, height = 0 }: Look): Promise<void> {
  const content = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: Math.max(height, Math.min(content, HEIGHT_MAX)) })
  await page.waitForTimeout(SETTLED_MS)
}
