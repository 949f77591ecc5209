import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes } from '../rigs/eventually.ts'
import { GOOGLEBOT } from '../specification/contract-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { analyticsOn } from './pages/analytics-page.ts'
import { chooseFrom, shown } from './user-pages.ts'

const MENU = 'More actions for launch'

describe.skipIf(hasNoChromium)('the clicks of a link', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const { tile } = analyticsOn(() => page)

  beforeAll(visitLinks)

  test('stay when the question is canceled', async () => {
    page = await rig.open('/links/launch', { user, width: 390, height: 844 })
    await tile('Clicks').getByText('3', { exact: true }).waitFor()
    await chooseFrom(page, MENU, 'Delete clicks')
    const question = page.getByRole('dialog', { name: 'Delete 3 clicks of launch?' })
    await question.getByText('This can’t be undone.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await tile('Clicks').getByText('3', { exact: true }).waitFor()
    await hasClicks(3)
  })

  test('are gone from its page and from others that are open, once they are deleted', async () => {
    const overview = await rig.open('/overview', { user })
    await overview.getByText('4 clicks so far').waitFor()
    page = await rig.open('/links/launch', { user })
    await tile('Bots').getByText('1', { exact: true }).waitFor()
    await chooseFrom(page, MENU, 'Delete clicks')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete clicks' }).click()
    await shown(page, '3 clicks of launch deleted')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tile('Clicks').getByText('0', { exact: true }).waitFor()
    await tile('Bots').getByText('0', { exact: true }).waitFor()
    await overview.getByText('1 click so far').waitFor()
    await hasClicks(0)
    expect((await rig.call('GET', '/launch')).status).toBe(302)
    await tile('Clicks').getByText('1', { exact: true }).waitFor()
  })

  test('are not offered to viewers for deletion', async () => {
    const viewer = await memberOf(rig, user, 'viewer')
    page = await rig.open('/links/launch', { user: viewer })
    await page.getByRole('button', { name: MENU }).click()
    await page.getByRole('menuitem', { name: 'Open destination' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete clicks' }).count()).toBe(0)
  })

  async function visitLinks(): Promise<void> {
    user = await rig.user()
    for (const code of ['launch', 'other']) {
      const link = { original_url: `https://example.com/${code}`, custom_code: code }
      await user.browser.succeed('POST', '/links', link)
    }
    await rig.call('GET', '/launch', { headers: { 'User-Agent': GOOGLEBOT } })
    for (const code of ['other', 'launch', 'launch', 'launch']) await rig.call('GET', `/${code}`)
    await hasClicks(3)
  }

  async function hasClicks(clicks: number): Promise<void> {
    await becomes(async () => (await user.browser.succeed('GET', '/links/launch')).click_count, clicks)
  }
})
