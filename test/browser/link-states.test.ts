import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { systemClock } from '../../src/runtime/clock.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { chooseFrom, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the states of links', () => {
  const rig = useBrowserRig()
  let user: TestUser

  beforeAll(makeLinks)

  test('show as badges in the list, and what no longer redirects is gray', async () => {
    const page = await rig.open('/', { user })
    await rowOf(page, 'plain').waitFor()
    expect(await rowOf(page, 'archived').count()).toBe(0)
    for (const [code, badge] of Object.entries(BADGES)) {
      if (code === 'archived') continue
      expect([code, await rowOf(page, code).locator('.link-badges').textContent()]).toEqual([code, badge])
    }
    const faded = await page.locator('tr.is-off .link-title').allTextContents()
    expect(faded.sort()).toEqual(['disabled', 'expired', 'expired-to-fallback'])
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
    await chooseFrom(page, 'More views', 'Archived')
    await rowOf(page, 'archived').waitFor()
    expect(await rowOf(page, 'archived').locator('.link-badges').textContent()).toBe(BADGES.archived)
    expect(await page.locator('tr.is-off .link-title').allTextContents()).toEqual(['archived'])
  })

  test('fit on a phone', async () => {
    const page = await rig.open('/', { user, width: 320, height: 640 })
    await shown(page, 'Starts 1 Dec 2099')
    expect(await overflowOf(page)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  test.each(REASONS)('of %s is explained on its page', async (code, reason) => {
    const page = await rig.open(`/links/${code}`, { user })
    await shown(page, reason)
    expect(await page.locator('.link-badges').textContent()).toBe(BADGES[code])
    expect(await axeFindings(page)).toEqual([])
  })

  async function makeLinks(): Promise<void> {
    user = await rig.user()
    for (const [code, options] of Object.entries(LINKS)) {
      const link = { original_url: `https://example.com/${code}`, custom_code: code, title: code, ...options }
      await user.browser.succeed('POST', '/links', link)
    }
    await user.browser.succeed('POST', '/admin/blocked-hosts', { host: 'prizes.example.net' })
  }

  const rowOf = (page: Page, code: string) =>
    page.getByRole('row').filter({ has: page.locator(`a[href$="/links/${code}"]`) })
})

const inDays = (days: number) => new Date(systemClock.nowUs() / 1000 + days * 86_400_000).toISOString()
const OVER = 'https://example.com/over'

const LINKS = {
  plain: {},
  'ends-late': { expires_at: inDays(15) },
  'ends-soon': { expires_at: inDays(9.1) },
  starts: { starts_at: '2099-12-01T09:00:00Z' },
  expired: { expires_at: '2020-10-31T12:00:00Z' },
  'expired-to-fallback': { expires_at: '2020-10-31T12:00:00Z', fallback_url: OVER },
  disabled: { is_active: false, expires_at: '2020-10-31T12:00:00Z' },
  archived: { archived: true },
  secret: { password: 'open sesame' },
  ruled: { rules: [{ when: { country: ['JP'] }, to: 'https://example.com/jp' }] },
  blocked: { original_url: 'https://prizes.example.net/' },
}

/** Nothing: it does what it was made for. */
const BADGES: Record<keyof typeof LINKS, string> = {
  plain: '',
  'ends-late': '',
  'ends-soon': 'Ends in 9 days',
  starts: 'Starts 1 Dec 2099',
  expired: 'Expired 31 Oct 2020',
  'expired-to-fallback': 'Expired 31 Oct 2020',
  disabled: 'Disabled',
  archived: 'Archived',
  secret: 'Password',
  ruled: '1 rule',
  blocked: 'Blocked',
}
const REASONS: [code: keyof typeof LINKS, reason: string][] = [
  ['starts', 'This link starts on 1 Dec 2099, 10:00. Visitors see a notice.'],
  ['expired', 'This link expired on 31 Oct 2020, 13:00. Visitors see a notice.'],
  ['expired-to-fallback', '2020, 13:00. Visitors go to the fallback URL.'],
  ['disabled', 'This link is disabled. Visitors see a notice instead.'],
  ['blocked', 'The operator has blocked the destination of this link.'],
]
