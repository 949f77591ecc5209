import { describe, expect, test } from 'bun:test'
import { unsubscribeHref } from '../../src/email-reports/unsubscribe.ts'
import { becomes } from '../rigs/eventually.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { workspaceSwitchOn } from './pages/workspace-switch.ts'
import { heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('email reports', () => {
  const rig = useBrowserRig()

  test('are chosen in the settings, in the time zone of the browser unless another one is chosen', async () => {
    const user = await rig.user()
    const page = await rig.open('/settings', { user })
    await heading(page, 'Email report')
    const often = page.getByLabel('How often', { exact: true })
    expect(await often.inputValue()).toBe('off')
    await often.selectOption('Every Monday')
    await shown(page, 'Email report saved')
    await shown(page, 'The next one comes on')
    const browserZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    expect(await chosenBy(user)).toMatchObject({ frequency: 'weekly', timezone: browserZone })
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    const zone = page.getByRole('region', { name: 'Email report' }).getByLabel('Time zone', { exact: true })
    await zone.fill('Chatham')
    await page.getByRole('option', { name: 'Pacific/Chatham' }).click()
    await becomes(async () => (await chosenBy(user)).timezone, 'Pacific/Chatham')
    await often.selectOption('Never')
    await page.getByText('The next one comes on').waitFor({ state: 'detached' })
    expect(await chosenBy(user)).toMatchObject({ frequency: 'off', next_at: null })
  })

  test('open the workspace that they are about, though the browser has chosen another one', async () => {
    const user = await rig.user()
    const { id } = await user.browser.succeed('POST', '/workspaces', { name: 'Northlight' })
    await user.browser.succeed('POST', '/links', { original_url: 'https://example.com/' })
    const days = 'from=2026-11-16T00%3A00%3A00%2B01%3A00&to=2026-11-22T23%3A59%3A59%2B01%3A00'
    for (const [workspace, name] of [
      [id, 'Northlight'],
      [user.workspaceId, user.name],
    ]) {
      const page = await rig.open(`/overview?${days}&workspace=${workspace}`, { user })
      await workspaceSwitchOn(() => page).isAt(name)
      await page.reload()
      await workspaceSwitchOn(() => page).isAt(name)
    }
  })

  test('end with the button of their page', async () => {
    const user = await rig.user()
    await user.browser.succeed('PUT', '/email-report', { frequency: 'weekly', timezone: 'UTC' })
    const page = await rig.open()
    await page.goto(rig.config.baseUrl + (await unsubscribePath(user)))
    await heading(page, 'Unsubscribe from reports?')
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await press(page, 'Unsubscribe')
    await heading(page, 'You are unsubscribed')
    expect(await axeFindings(page)).toEqual([])
    expect(await chosenBy(user)).toMatchObject({ frequency: 'off' })
  })

  test('are not offered by a server without a mail server', async () => {
    const bare = await startBrowserRig({ SMTP_URL: '' })
    const page = await bare.open('/settings', { user: await bare.user() })
    await shown(page, 'This server sends no email, so there are no reports.')
    expect(await page.getByLabel('How often').count()).toBe(0)
    expect(bare.takeFaults()).toEqual([])
    await bare.stop()
  })

  const chosenBy = ({ browser }: TestUser) => browser.succeed('GET', '/email-report')

  async function unsubscribePath({ userId, workspaceId }: TestUser): Promise<string> {
    const rows = rig.store.db.selectFrom('email_reports').select('secret')
    const { secret } = await rows.where('user_id', '=', userId).executeTakeFirstOrThrow()
    return unsubscribeHref('', { userId, workspaceId }, secret)
  }
})
