import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { becomes } from '../rigs/eventually.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { FIREFOX } from '../specification/contract-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the public page of statistics', () => {
  const rig = useBrowserRig()
  let user: TestUser

  beforeAll(shareLinks)

  const LOOKS: Look[] = [
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 1280 },
    { theme: 'light', width: 320 },
    { theme: 'dark', width: 320 },
  ]
  test.each(LOOKS)('has nothing wrong with it in any state, %j', async (look) => {
    const page = await rig.open('/sign-in', look)
    const isRight = async () => expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await page.goto(await urlOf('open'))
    await heading(page, 'How they came')
    await isRight()
    await page.getByText('Show as a table').click()
    await isRight()
    await page.goto(await urlOf('locked'))
    await isRight()
    await page.getByLabel('Password').fill('wrong')
    await press(page, 'Continue')
    await shown(page, 'Wrong password.')
    await isRight()
    await page.getByLabel('Password').fill('open sesame')
    await press(page, 'Continue')
    await heading(page, 'Clicks over time')
    await isRight()
    await page.goto(`${rig.config.baseUrl}/share/nothing`)
    await heading(page, 'These statistics are not shared')
    await isRight()
  })

  test('changes its range by links, and keeps no cookie and runs no script', async () => {
    const page = await rig.open('/sign-in')
    await page.context().clearCookies()
    await page.goto(await urlOf('open'))
    await currentRangeIs(page, '30 days')
    await page.getByRole('link', { name: '7 days' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\?range=7d$/)
    await currentRangeIs(page, '7 days')
    expect(await page.context().cookies()).toEqual([])
    expect(await page.locator('script').count()).toBe(0)
  })

  test('with a password changes its range by buttons, and asks again when it is opened again', async () => {
    const page = await rig.open('/sign-in')
    const url = await urlOf('locked')
    await page.goto(url)
    await page.keyboard.type('open sesame')
    await page.keyboard.press('Enter')
    await heading(page, 'Clicks over time')
    await page.getByRole('button', { name: 'All time' }).click()
    await currentRangeIs(page, 'All time')
    await page.goto(url)
    await heading(page, 'These statistics need a password')
  })

  const currentRangeIs = (page: Page, name: string) =>
    becomes(() => page.locator('.share-ranges [aria-current] .for-readers').textContent(), name)

  async function shareLinks(): Promise<void> {
    user = await rig.user()
    const panels = ['clicks', 'countries', 'sources', 'devices', 'via', 'destination']
    for (const [code, share] of [
      ['open', { panels }],
      ['locked', { password: 'open sesame' }],
    ] as const) {
      await user.browser.succeed('POST', '/links', { url: 'https://example.com/', custom_code: code })
      await user.browser.succeed('POST', `/links/${code}/share`, share)
    }
    await rig.call('GET', '/open', { headers: { 'User-Agent': FIREFOX } })
    await becomes(async () => (await user.browser.succeed('GET', '/links/open')).click_count, 1)
  }

  const urlOf = async (code: string): Promise<string> =>
    (await user.browser.succeed('GET', `/links/${code}/share`)).url
})
