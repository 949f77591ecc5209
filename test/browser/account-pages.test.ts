import { beforeAll, describe, expect, test } from 'bun:test'
import { assignPlan } from '../../src/operator/assign-plan.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type TestUser, SAFARI_ON_IPHONE } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { field, fill, givePassword, heading, inDialog, press, shown, signInAt } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the account', () => {
  const rig = useBrowserRig()
  let operator: TestUser

  beforeAll(async () => {
    // The first account: those after it are like everybody.
    operator = await rig.user()
  })

  test('shows its limit, its plan if one was assigned, and a new name in the sidebar', async () => {
    const user = await rig.user()
    const page = await rig.open('/account', { user })
    const limits = page.getByRole('region', { name: 'Limits', exact: true })
    await limits.waitFor()
    expect(await limits.getByRole('term').allTextContents()).toEqual([
      'Requests per hour, per key',
      'Member since',
    ])
    expect(await limits.getByRole('definition').first().textContent()).toBe('100')
    await assignPlan({ ...rig.store, clock: systemClock }, user.email, 'pro')
    await page.reload()
    const plan = page.getByRole('region', { name: 'Plan and limits' })
    await plan.waitFor()
    expect(await plan.getByRole('definition').allTextContents()).toEqual(
      expect.arrayContaining(['Pro', 'Active', 'Never', '1,000']),
    )
    await assignPlan({ ...rig.store, clock: systemClock }, user.email, 'free')
    expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true)
    await fill(page, 'Name', 'a'.repeat(256))
    await press(page, 'Save changes')
    await shown(page, 'The name may not be greater than 255 characters.')
    await fill(page, 'Name', 'Ada <b>Lovelace</b>')
    await press(page, 'Save changes')
    await shown(page, 'Saved')
    await page.getByRole('button', { name: /^Your account.*Ada <b>Lovelace<\/b>/ }).waitFor()
  })

  test('changes its email address with the password and an email; until then the old one stays', async () => {
    const user = await rig.user()
    const page = await rig.open('/account', { user })
    await fill(page, 'Email', 'moved@example.com')
    await fill(page, 'Current password', 'not the password')
    await press(page, 'Change email')
    await shown(page, 'The password is incorrect.')
    await fill(page, 'Current password', PASSWORD)
    await press(page, 'Change email')
    await shown(page, 'We sent a link to moved@example.com.')
    expect(await axeFindings(page)).toEqual([])
    expect((await user.browser.succeed('GET', '/session')).email).toBe(user.email)
    const { text } = await rig.mailTo('moved@example.com')
    await page.goto(/https?:\/\/\S+#[\w-]+/.exec(text)![0])
    await press(page, 'Confirm email')
    await heading(page, 'Your email is changed')
    await press(page, 'Go to your account')
    await page.getByRole('tab', { name: 'Profile' }).waitFor()
    expect(await field(page, 'Email').inputValue()).toBe('moved@example.com')
  })

  test('lists the sessions, ends one of them, then all', async () => {
    const user = await rig.user()
    const phone = rig.browser({ userAgent: SAFARI_ON_IPHONE })
    await phone.succeed('POST', '/session', { email: user.email, password: PASSWORD })
    const page = await rig.open('/account/sessions', { user })
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Firefox on Linux' })
      .getByText('This session')
      .waitFor()
    await press(page, 'Sign out: Safari on iOS')
    await shown(page, 'Safari on iOS is signed out')
    await page.getByRole('button', { name: 'Sign out: Safari on iOS' }).waitFor({ state: 'detached' })
    expect((await phone.request('GET', '/session')).status).toBe(401)
    expect((await user.browser.request('GET', '/session')).status).toBe(200)
    await phone.succeed('POST', '/session', { email: user.email, password: PASSWORD })
    await press(page, 'Sign out everywhere')
    await inDialog(page, 'Sign out everywhere')
    await heading(page, 'Sign in')
    await shown(page, 'You are signed out everywhere')
    expect((await phone.request('GET', '/session')).status).toBe(401)
    expect((await user.browser.request('GET', '/session')).status).toBe(401)
  })

  test('is exported as a JSON Lines file', async () => {
    const user = await rig.user()
    await user.browser.succeed('POST', '/links', { original_url: 'https://example.com/export' })
    const page = await rig.open('/account/yours', { user })
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download export' }).click()
    const lines = (await Bun.file(await (await download).path()).text()).trim().split('\n')
    const rows = lines.map((line) => JSON.parse(line))
    expect(JSON.stringify(rows[0])).toContain(user.email)
    expect(lines.join()).toContain('https://example.com/export')
  })

  test('is deleted only after its email address and its password are entered; its links are gone', async () => {
    const user = await rig.user()
    const { short_code: code } = await user.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
    })
    const page = await rig.open('/account/yours', { user })
    await press(page, 'Delete account')
    const dialog = page.getByRole('dialog')
    const last = dialog.getByRole('button', { name: 'Delete my account' })
    await dialog.getByLabel(`Type ${user.email} to confirm`).fill(user.email.slice(0, -1))
    await dialog.getByLabel('Current password', { exact: true }).fill(PASSWORD)
    expect(await last.isDisabled()).toBe(true)
    await dialog.getByLabel(`Type ${user.email} to confirm`).fill(user.email)
    await givePassword(page, 'not the password')
    await shown(page, 'The password is incorrect.')
    expect(await axeFindings(page)).toEqual([])
    expect((await rig.call('GET', `/${code}`)).status).toBe(302)
    await givePassword(page)
    await heading(page, 'Sign in')
    await shown(page, 'Your account is deleted')
    expect((await rig.call('GET', `/${code}`)).status).not.toBe(302)
    await signInAt(page, user.email)
    await shown(page, 'The email or password is incorrect.')
  })

  test('of the only operator cannot be deleted while others exist, and the dialog says so', async () => {
    const page = await rig.open('/account/yours', { user: operator })
    await press(page, 'Delete account')
    await page.getByLabel(`Type ${operator.email} to confirm`).fill(operator.email)
    await givePassword(page)
    await shown(page, 'This is the only operator account. Make another account an operator first.')
  })
})
