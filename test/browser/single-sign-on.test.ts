import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { type OidcServer, startProvider } from '../rigs/outside/oidc-server.ts'
import { newAccount } from '../rigs/outside/provider-sign-in.ts'
import { axeFindings } from './axe.ts'
import { type BrowserRig, overflowOf, startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import {
  addAuthenticator,
  field,
  fill,
  givePassword,
  heading,
  inDialog,
  isSignedInAt,
  press,
  shown,
  signInAt,
  signOutAt,
} from './user-pages.ts'

let provider: OidcServer

describe.skipIf(hasNoChromium)('single sign-on', () => {
  const rig = useBrowserRig(() => start())
  beforeAll(async () => {
    // The first user is the operator, whom nothing is asked for.
    await rig.user()
  })
  afterAll(() => provider.stop())

  test('brings a new user in, to the page they wanted', async () => {
    const account = newAccount()
    provider.account = account
    const page = await rig.open('/keys')
    await expectFlawless(page)
    await press(page, 'Continue with Acme')
    await isSignedInAt(page)
    await heading(page, 'API keys')
    expect(page.url()).toEndWith('/dashboard/keys')
    await page.goto(`${rig.config.baseUrl}/dashboard/account/security`)
    await shown(page, 'You have no password.')
    await expectFlawless(page)
    await press(page, 'Email me a link to set a password')
    await shown(page, `We sent a link to ${account.email}.`)
    expect((await rig.mailTo(account.email)).token).not.toBe('')
  })

  test('signs up on a phone too', async () => {
    provider.account = newAccount()
    const page = await rig.open('/sign-up', { width: 390, height: 844, theme: 'dark' })
    await page.getByRole('button', { name: 'Continue with Acme' }).waitFor()
    await expectFlawless(page)
    await press(page, 'Continue with Acme')
    await heading(page, 'Links')
  })

  test('says why somebody does not come in, and they link the account after signing in', async () => {
    const user = await rig.user()
    provider.account = newAccount({ email: user.email })
    const page = await rig.open('/sign-in')
    await press(page, 'Continue with Acme')
    await heading(page, 'You are not signed in')
    await shown(page, `${user.email} has an account here that is not linked to Acme.`)
    await expectFlawless(page)
    await press(page, 'Back to sign in')
    await signInAt(page, user.email)
    await isSignedInAt(page)
    await page.goto(`${rig.config.baseUrl}/dashboard/account/security`)
    await press(page, 'Link Acme')
    await givePassword(page)
    await shown(page, `${user.email}, last used`)
    expect(page.url()).toEndWith('/dashboard/account/security')
    await expectFlawless(page)

    const other = await rig.open('/sign-in')
    await press(other, 'Continue with Acme')
    await isSignedInAt(other)

    await press(page, 'Unlink: Acme')
    await givePassword(page)
    await page.getByRole('button', { name: 'Link Acme' }).waitFor()
  })

  test('somebody without a password confirms at the provider where others give theirs', async () => {
    const account = newAccount()
    provider.account = account
    const page = await rig.open('/account/security')
    await press(page, 'Continue with Acme')
    await isSignedInAt(page)
    await press(page, 'Turn on')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You won’t be asked again for ten minutes.').waitFor()
    expect(await page.getByLabel('Current password', { exact: true }).count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Continue', exact: true }).isDisabled()).toBe(true)
    await expectFlawless(page)
    provider.account = newAccount()
    await dialog.getByRole('button', { name: 'Confirm with Acme' }).click()
    await heading(page, 'Not confirmed')
    await shown(page, 'This Acme account is not linked to your account.')
    await press(page, 'Go to your account')
    await press(page, 'Unlink: Acme')
    provider.account = account
    await dialog.getByRole('button', { name: 'Confirm with Acme' }).click()
    await shown(page, 'Confirmed. Continue where you left off.')
    expect(page.url()).toEndWith('/dashboard/account/security')
    await press(page, 'Unlink: Acme')
    await dialog.getByText('You have confirmed that it is you.').waitFor()
    await expectFlawless(page)
    await dialog.getByRole('button', { name: 'Unlink', exact: true }).click()
    await dialog.getByText('You could not sign in any more.').waitFor()
    await page.keyboard.press('Escape')
    await fill(page, 'New password', 'a first sentence to sign in with')
    await press(page, 'Set password')
    await shown(page, 'Password set.')
    await field(page, 'Current password').waitFor()
  })

  test('a confirmation that was given up at the provider does not stop the next sign-in', async () => {
    provider.account = newAccount()
    const page = await rig.open('/account/security')
    await press(page, 'Continue with Acme')
    await isSignedInAt(page)
    await press(page, 'Turn on')
    const ofProvider = (url: URL) => url.origin === provider.issuer
    await page.route(ofProvider, (route) => route.fulfill({ body: 'The page of the provider' }))
    await inDialog(page, 'Confirm with Acme')
    await shown(page, 'The page of the provider')
    await page.unroute(ofProvider)
    await page.goBack()
    await isSignedInAt(page)
    await page.reload()
    await signOutAt(page)
    await press(page, 'Continue with Acme')
    await isSignedInAt(page)
  })

  test('after a confirmation that had ended, a passkey confirms in the same dialog', async () => {
    provider.account = newAccount()
    const page = await rig.open('/account/security')
    await press(page, 'Continue with Acme')
    await isSignedInAt(page)
    await addAuthenticator(page)
    await press(page, 'Add a passkey')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Confirm with Acme' }).click()
    await shown(page, 'Confirmed. Continue where you left off.')
    await press(page, 'Add a passkey')
    await dialog.getByRole('button', { name: 'Continue', exact: true }).click()
    await shown(page, 'Passkey added')

    await press(page, 'Turn on')
    await dialog.getByText('You have confirmed that it is you.').waitFor()
    await rig.store.db.updateTable('sessions').set({ confirmed_at: 1 }).execute()
    await dialog.getByRole('button', { name: 'Continue', exact: true }).click()
    await dialog.getByText('You have no password: first confirm that it is you').waitFor()
    await expectFlawless(page)
    await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click()
    await dialog.getByText('You have confirmed that it is you.').waitFor()
    expect(await dialog.getByText('You have no password').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('img', { name: /QR/ }).waitFor()
  })

  test('somebody without a password deletes their account', async () => {
    provider.account = newAccount()
    const page = await rig.open('/account/yours', { width: 390, height: 844, theme: 'dark' })
    await press(page, 'Continue with Acme')
    await isSignedInAt(page)
    await press(page, 'Delete account')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Confirm with Acme' }).waitFor()
    await expectFlawless(page)
    await dialog.getByRole('button', { name: 'Confirm with Acme' }).click()
    await shown(page, 'Confirmed. Continue where you left off.')
    await press(page, 'Delete account')
    await dialog.getByRole('textbox').fill(String(provider.account.email))
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await shown(page, 'Your account is deleted')
  })

  test('what came back does not work a second time', async () => {
    provider.account = newAccount()
    const page = await rig.open('/sign-in')
    const returned = page.waitForRequest((request) => request.url().includes('/single-sign-on/test?'))
    await press(page, 'Continue with Acme')
    const url = (await returned).url()
    await isSignedInAt(page)
    const again = await page.context().newPage()
    await again.goto(url)
    await shown(again, 'This sign-in was already used, has expired, or began in another browser.')
  })
})

describe.skipIf(hasNoChromium)('where single sign-on is the only way', () => {
  const rig = useBrowserRig(() => start({ OIDC_ONLY: '1' }))
  afterAll(() => provider.stop())

  test('the pages offer nothing else, and a password only to operators', async () => {
    const page = await rig.open('/sign-in')
    await page.getByRole('button', { name: 'Continue with Acme' }).waitFor()
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    await expectFlawless(page)
    await press(page, 'Operators: sign in with a password')
    await page.getByLabel('Password', { exact: true }).waitFor()
    await page.goto(`${rig.config.baseUrl}/dashboard/sign-up`)
    await page.getByRole('button', { name: 'Continue with Acme' }).waitFor()
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    await expectFlawless(page)
  })
})

async function start(others: Record<string, string> = {}): Promise<BrowserRig> {
  const started = await startProvider({ name: 'Acme' })
  provider = started.provider
  return startBrowserRig({ ...started.settings, ...others })
}

const expectFlawless = async (page: Page) => {
  expect(await axeFindings(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
}
