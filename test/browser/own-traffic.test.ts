import { describe, expect, test } from 'bun:test'
import { becomes } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('own traffic', () => {
  const rig = useBrowserRig()

  test('of this browser is not counted after one click, and counts again after another one', async () => {
    const user = await rig.user()
    const page = await rig.open('/settings', { user })
    await heading(page, 'Own traffic')
    await press(page, 'Do not count my visits')
    await heading(page, 'Your visits are not counted')
    const cookie = async () => (await page.context().cookies()).find(({ name }) => name === 'tern_uncounted')
    expect(await cookie()).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await press(page, 'Count my visits again')
    await heading(page, 'Your visits are counted again')
    expect([await cookie(), await axeFindings(page)]).toEqual([undefined, []])
  })

  test('of networks is a list that admins edit, which says what is wrong with it', async () => {
    const user = await rig.user()
    const page = await rig.open('/settings', { user })
    const networks = page.getByLabel('Networks that are not counted', { exact: true })
    await networks.fill('203.0.113.0/24\noffice')
    const save = page.getByRole('region', { name: 'Own traffic' }).getByRole('button', { name: 'Save' })
    const refused = page.waitForResponse((response) => response.status() === 422)
    await save.click()
    await refused
    await shown(page, 'office must be an IP address or a network')
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    // The browser itself reports a refused request.
    rig.takeFaults()
    await networks.fill('203.0.113.0/24, 2001:db8::/48')
    await save.click()
    await shown(page, 'Settings saved')
    const stored = async () => (await user.browser.succeed('GET', '/workspace/settings')).uncounted_networks
    await becomes(stored, ['203.0.113.0/24', '2001:db8::/48'])
  })
})
