import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasNoChromium } from './chromium.ts'
import { axeFindings, type DashboardRig, startDashboardRig } from './dashboard-rig.ts'
import * as recorded from './recorded-answers.data.ts'

const refusal = (message: string, errors: object = {}) => ({ success: false, message, errors })
const signedOut = { ...recorded.session, user: null }

describe.skipIf(hasNoChromium)('the account', () => {
  let rig: DashboardRig
  let page: Page

  beforeAll(async () => {
    rig = await startDashboardRig()
  })

  afterAll(() => rig.stop())

  beforeEach(() => rig.begin())

  const open = async (path: string) => void ({ page } = await rig.open(path))
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const sent = (line: string) =>
    rig.server.requests.filter((each) => each.line === line).map(({ body }) => body)

  test('a key is made with its scopes and limit, and shown once with a line to try it', async () => {
    await open('/keys')
    await press('New key')
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('switch', { name: 'Change links' }).click()
    await page.getByLabel('Requests per hour').fill('50')
    await press('Create key')
    await page.getByText('It is shown this once.').waitFor()
    expect(sent('POST /api-keys')).toEqual([
      { name: 'Laptop', permissions: ['links:read', 'analytics:read'], rate_limit: 50 },
    ])
    expect(await page.getByRole('group', { name: 'Try it' }).textContent()).toStartWith(
      'curl https://go.example.com/api/links \\\n',
    )
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await press('I have stored it')
    expect(await page.getByText('tern_a1B2').count()).toBe(0)
  })

  test('a key is revoked after a question', async () => {
    await open('/keys')
    await page.getByRole('button', { name: 'More for Newsletter job' }).click()
    await page.getByRole('menuitem', { name: 'Revoke key' }).click()
    await page.getByText('Programs that use it are refused').waitFor()
    expect(sent('DELETE /api-keys/2')).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(sent('DELETE /api-keys/2').length).toBe(1)
  })

  test('signing in asks for the second step where there is one, then shows what was wanted', async () => {
    rig.server.setSession(signedOut)
    rig.server.answer('POST /sign-in', {
      status: 200,
      body: { success: true, message: '', data: { needs_code: true } },
    })
    await open('/keys')
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password').fill('a long sentence')
    await page.keyboard.press('Enter')
    await page.getByLabel('Code from your app').fill('123 456')
    rig.server.answer('POST /sign-in', undefined)
    rig.server.setSession(recorded.session)
    await page.keyboard.press('Enter')
    await page.getByText('Newsletter job').waitFor()
    const credentials = { email: 'ada@example.com', password: 'a long sentence' }
    expect(sent('POST /sign-in')).toEqual([credentials, { ...credentials, code: '123456' }])
  })

  test('a refused sign-in says why and keeps the address', async () => {
    rig.server.setSession(signedOut)
    rig.server.answer('POST /sign-in', { status: 422, body: refusal('E-mail address or password is wrong.') })
    await open('/')
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('E-mail address or password is wrong.').waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('ada@example.com')
    expect(await axeFindings(page)).toEqual([])
  })

  test('signing up says where the mail went, and where the operator finds it without a mail server', async () => {
    rig.server.setSession({ user: null, instance: { ...recorded.session.instance, mail: 'outbox' } })
    await open('/sign-up')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByLabel('Password').fill('a long sentence')
    await press('Create account')
    await page.getByText('We sent a link to ada@example.com.').waitFor()
    await page.getByText('No mail server is set up here').waitFor()
    expect(await page.getByRole('button', { name: /^Send again in \d+ s$/ }).isDisabled()).toBe(true)
    expect(await axeFindings(page)).toEqual([])
  })

  test('a closed instance says whom to ask', async () => {
    rig.server.setSession({ user: null, instance: { ...recorded.session.instance, signup: 'closed' } })
    await open('/sign-up')
    await page.getByText('Ask whoever runs this instance for an account.').waitFor()
  })

  test('opening a mailed link does nothing by itself, and leaves the token nowhere', async () => {
    rig.server.setSession(signedOut)
    await open('/verify#token=secret-token')
    await page.getByRole('button', { name: 'Confirm address' }).waitFor()
    expect(sent('POST /verify-email')).toEqual([])
    expect(page.url()).not.toContain('secret-token')
    await press('Confirm address')
    await page.getByText('Your address is confirmed').waitFor()
    expect(sent('POST /verify-email')).toEqual([{ token: 'secret-token' }])
  })

  test('a new password is set with the mailed token', async () => {
    rig.server.setSession(signedOut)
    await open('/reset?token=secret-token')
    await page.getByLabel('New password').fill('another long sentence')
    await press('Set password')
    await page.getByText('Your new password is set').waitFor()
    expect(sent('POST /reset-password')).toEqual([
      { token: 'secret-token', password: 'another long sentence' },
    ])
  })

  test('two-factor sign-in is turned on with a code, and its recovery codes are shown once', async () => {
    await open('/account/security')
    await press('Turn on')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img').waitFor()
    await dialog.getByLabel('Code from the app').fill('123456')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Each signs you in once').waitFor()
    expect(await page.locator('.recovery-codes li').count()).toBe(8)
    expect(sent('POST /account/two-factor')).toEqual([{ code: '123456' }])
    await press('I have stored them')
  })

  test('the account goes only after its address is typed and its password is given', async () => {
    await open('/account/yours')
    await press('Delete the account')
    const last = page.getByRole('button', { name: 'Delete my account' })
    await page.getByLabel('Type ada@example.com to confirm').fill('ada@example.co')
    await page.getByLabel('Current password').fill('a long sentence')
    expect(await last.isDisabled()).toBe(true)
    await page.getByLabel('Type ada@example.com to confirm').fill('ada@example.com')
    rig.server.setSession(signedOut)
    await last.click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(sent('DELETE /account')).toEqual([{ password: 'a long sentence' }])
  })

  test('the operator suspends after a question, and blocks and unblocks a host', async () => {
    await open('/admin')
    await page.getByRole('button', { name: 'More for Ben Okafor' }).click()
    await page.getByRole('menuitem', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(sent('PUT /admin/accounts/2')).toEqual([{ is_suspended: true }])
    await page.getByRole('tab', { name: 'Blocked hosts' }).click()
    await press('Block a host')
    await page.getByLabel('Host to block').fill('bad.example')
    await press('Block host')
    await page.getByText('bad.example is blocked').waitFor()
    await press('Unblock: prizes.example.net')
    await page.getByText('prizes.example.net is no longer blocked').waitFor()
    expect(sent('POST /admin/blocked-hosts')).toEqual([{ host: 'bad.example', reason: '' }])
  })
})
