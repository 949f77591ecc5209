import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes, eventually } from '../rigs/eventually.ts'
import { partsOf } from '../rigs/outside/mail-server.ts'
import { axeFindings } from './axe.ts'
import { startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import {
  chooseFrom,
  clipboard,
  fill,
  givePassword,
  hasFocus,
  heading,
  isSignedInAt,
  press,
  shown,
  signInAt,
  signOutAt,
} from './user-pages.ts'

const linkIn = (text: string) => /https?:\/\/\S+#[\w-]+/.exec(text)![0]

async function signUpAt(page: Page, email: string): Promise<void> {
  await fill(page, 'Your name', 'Ada')
  await fill(page, 'Email', email)
  await fill(page, 'Password', PASSWORD)
  await page.keyboard.press('Enter')
}

describe.skipIf(hasNoChromium)('when sign-up is open', () => {
  const rig = useBrowserRig()

  test('the first user is the operator, signed in at once, and is asked to open the email', async () => {
    const page = await rig.open('/')
    await heading(page, 'Welcome to Tern')
    await signUpAt(page, 'operator@example.com')
    await heading(page, 'Confirm your email')
    await page.getByRole('link', { name: 'Admin' }).first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Send again')
    await shown(page, 'Sent again.')
    await rig.mailTo('operator@example.com')
    const { token } = await rig.mailTo('operator@example.com')
    await rig.browser().succeed('POST', '/verify-email', { token })
    // As when they come back from the mail.
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await heading(page, 'Create your first link')
  })

  test('a visitor comes from the landing page, opens the email, confirms with a button, and signs in', async () => {
    const page = await rig.open('/')
    await page.goto(rig.config.baseUrl)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await heading(page, 'Create your account')
    await signUpAt(page, 'ada@example.com')
    await shown(page, 'We sent a link to ada@example.com.')
    expect(await page.getByRole('button', { name: /^Send again in / }).isDisabled()).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    const link = linkIn((await rig.mailTo('ada@example.com')).text)
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm email' }).waitFor()
    await page.waitForURL(`${rig.config.baseUrl}/dashboard/verify-email`)
    const isVerified = async () =>
      (
        await rig.store.db
          .selectFrom('users')
          .select('email_verified_at')
          .where('email', '=', 'ada@example.com')
          .executeTakeFirstOrThrow()
      ).email_verified_at !== null
    expect(await isVerified()).toBe(false)
    await press(page, 'Confirm email')
    await heading(page, 'Your email is confirmed')
    expect(await isVerified()).toBe(true)
    await press(page, 'Sign in')
    await becomes(() => page.getByLabel('Email').inputValue(), 'ada@example.com')
    await fill(page, 'Password', PASSWORD)
    await page.keyboard.press('Enter')
    await isSignedInAt(page)
    await page.goto(link)
    await press(page, 'Confirm email')
    await shown(page, 'This link was already used or has expired.')
    await press(page, 'Go to your links')
    await heading(page, 'Create your first link')
  })

  test('a link opened in a tab that already shows its page works too', async () => {
    const page = await rig.open('/verify-email')
    await shown(page, 'This link is incomplete.')
    await page.goto(`${rig.config.baseUrl}/dashboard/verify-email#made-up`)
    await press(page, 'Confirm email')
    await shown(page, 'This link was already used or has expired.')
    await page.waitForURL((url) => url.hash === '')
    await page.goto(`${rig.config.baseUrl}/dashboard/verify-email#another`)
    await page.getByRole('button', { name: 'Confirm email' }).waitFor()
  })

  test('errors are below their fields, and the first invalid field has the focus', async () => {
    const page = await rig.open('/sign-up')
    await fill(page, 'Your name', 'Ada')
    await fill(page, 'Email', 'ada')
    await fill(page, 'Password', 'short')
    await press(page, 'Create account')
    await shown(page, 'The email must be a valid email address.')
    await shown(page, 'The password must be at least 12 characters.')
    const field = page.getByLabel('Email')
    await hasFocus(field)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await axeFindings(page)).toEqual([])
  })

  test('a wrong password keeps the email address, and the typed password can be shown', async () => {
    const { email } = await rig.user()
    const page = await rig.open('/sign-in')
    await signInAt(page, email, 'not the password')
    await shown(page, 'The email or password is incorrect.')
    await becomes(() => page.getByLabel('Email').inputValue(), email)
    const password = page.getByLabel('Password', { exact: true })
    expect(await password.getAttribute('type')).toBe('password')
    await press(page, 'Show password')
    await becomes(() => password.getAttribute('type'), 'text')
    await password.fill(PASSWORD)
    await page.keyboard.press('Enter')
    await isSignedInAt(page)
  })

  test('signing in leads to the page that was requested', async () => {
    const { email } = await rig.user()
    const page = await rig.open('/account/sessions')
    await signInAt(page, email)
    await shown(page, 'Active sessions')
  })

  test('a forgotten password is reset by the emailed link, and other browsers are signed out', async () => {
    const user: TestUser = await rig.user()
    const page = await rig.open('/sign-in')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await fill(page, 'Email', user.email)
    await press(page, 'Send link')
    await shown(page, `If ${user.email} has an account, we sent it a link.`)
    await page.goto(linkIn((await rig.mailTo(user.email)).text))
    await fill(page, 'New password', 'short')
    await press(page, 'Set password')
    await shown(page, 'The password must be at least 12 characters.')
    await fill(page, 'New password', 'another long sentence')
    await press(page, 'Set password')
    await heading(page, 'Your new password is set')
    expect((await user.browser.request('GET', '/session')).status).toBe(401)
    await press(page, 'Sign in')
    await fill(page, 'Password', 'another long sentence')
    await page.keyboard.press('Enter')
    await isSignedInAt(page)
  })

  test('an expired reset link leads to a new one', async () => {
    const page = await rig.open('/reset-password#made-up')
    await fill(page, 'New password', 'another long sentence')
    await press(page, 'Set password')
    await shown(page, 'This link was already used or has expired.')
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await heading(page, 'Reset your password')
  })

  test('requesting too many emails says how long to wait', async () => {
    const email = 'many@example.com'
    const browser = rig.browser()
    for (let i = 0; i < 3; i++) await browser.succeed('POST', '/forgot-password', { email })
    const page = await rig.open('/forgot-password')
    await fill(page, 'Email', email)
    await press(page, 'Send link')
    await page.getByText(/^Too many requests\. Try again in \d+ mins?\.$/).waitFor()
  })
})

describe.skipIf(hasNoChromium)('without a mail server', () => {
  test('the first user is the operator at once, and the page says where the emails of others are', async () => {
    const rig = await startBrowserRig({ SMTP_URL: '' })
    const first = await rig.open('/')
    await signUpAt(first, 'operator@example.com')
    await heading(first, 'Create your first link')
    const page = await rig.open('/sign-up')
    await signUpAt(page, 'second@example.com')
    await heading(page, 'Ask the operator to confirm your email')
    await shown(page, 'This server cannot send email.')
    expect(await axeFindings(page)).toEqual([])
    const outbox = join(rig.config.dataDir, 'outbox')
    const [name] = await eventually(
      async () => (existsSync(outbox) ? readdirSync(outbox).filter((each) => each.endsWith('.eml')) : []),
      (names) => names.length > 0,
    )
    await page.goto(linkIn(partsOf(readFileSync(join(outbox, name!), 'utf8')).text))
    await press(page, 'Confirm email')
    await heading(page, 'Your email is confirmed')
    expect(rig.takeFaults()).toEqual([])
    await rig.stop()
  })

  test('members are invited with links to copy, and a change of email says who has its link', async () => {
    const rig = await startBrowserRig({ SMTP_URL: '' })
    const page = await rig.open('/')
    await signUpAt(page, 'operator@example.com')
    await isSignedInAt(page)
    await page.goto(`${rig.config.baseUrl}/dashboard/settings`)
    await press(page, 'Invite someone')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email addresses', { exact: true }).fill('ann@example.com, bob@example.com')
    await press(page, 'Create 2 invitation links')
    await shown(page, 'Email isn’t set up.')
    await press(page, 'Copy link for bob@example.com')
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await clipboard(page)).toStartWith(`${rig.config.baseUrl}/dashboard/invitation#`)
    expect(await axeFindings(page)).toEqual([])
    await page.goto(`${rig.config.baseUrl}/dashboard/account`)
    await fill(page, 'Email', 'new@example.com')
    await fill(page, 'Current password', PASSWORD)
    expect(await page.getByText('We send a confirmation link').count()).toBe(0)
    await press(page, 'Change email')
    await shown(page, 'Its operator can give you the link for new@example.com from DATA_DIR/outbox.')
    expect(rig.takeFaults()).toEqual([])
    await rig.stop()
  })

  test('the operator passes on invitation and reset links', async () => {
    const rig = await startBrowserRig({ SMTP_URL: '' })
    const operator = await rig.open('/')
    await signUpAt(operator, 'operator@example.com')
    await isSignedInAt(operator)
    /** As somebody does who copies it. */
    const linkShown = async (title: string): Promise<string> => {
      const link = (await operator.getByRole('group', { name: title }).textContent())!
      expect(await axeFindings(operator)).toEqual([])
      await press(operator, 'Copy link')
      await press(operator, 'Done')
      return link
    }
    await operator.goto(`${rig.config.baseUrl}/dashboard/admin/invitations`)
    await press(operator, 'Invite someone')
    await operator.getByRole('dialog').getByLabel('Email').fill('ann@example.com')
    await press(operator, 'Create invitation link')
    const ann = await rig.open('/')
    await ann.goto(await linkShown('Invitation link'))
    await fill(ann, 'Your name', 'Ann')
    await fill(ann, 'Password', PASSWORD)
    await press(ann, 'Create account')
    await isSignedInAt(ann)
    await signOutAt(ann)
    await ann.getByRole('link', { name: 'Forgot password?' }).click()
    await shown(ann, 'This server cannot send email.')
    expect(await ann.getByRole('group', { name: 'Create a reset link' }).textContent()).toBe(
      'tern account reset-link you@example.com',
    )
    expect(await ann.getByRole('button', { name: 'Send link' }).count()).toBe(0)
    expect(await axeFindings(ann)).toEqual([])
    await operator.getByRole('tab', { name: 'Users' }).click()
    await operator.getByRole('button', { name: 'More for Ada' }).click()
    await operator.getByRole('menuitem', { name: 'Suspend' }).waitFor()
    expect(await operator.getByRole('menuitem', { name: 'Create reset link' }).count()).toBe(0)
    await operator.keyboard.press('Escape')
    await chooseFrom(operator, 'More for Ann', 'Create reset link')
    await givePassword(operator)
    await ann.goto(await linkShown('Password reset link'))
    await fill(ann, 'New password', 'another long sentence')
    await press(ann, 'Set password')
    await heading(ann, 'Your new password is set')
    await press(ann, 'Sign in')
    await fill(ann, 'Password', 'another long sentence')
    await ann.keyboard.press('Enter')
    await isSignedInAt(ann)
    expect(rig.takeFaults()).toEqual([])
    await rig.stop()
  })
})

describe.skipIf(hasNoChromium)('when sign-up requires an invitation', () => {
  test('the emailed link signs the invited user up and in; without one the page says whom to ask', async () => {
    const rig = await startBrowserRig({ SIGNUP: 'invite' })
    const empty = await rig.open('/')
    await shown(empty, 'Its operator creates the first one on the command line:')
    const { email } = await rig.makeCaller()
    await rig.store.db.updateTable('users').set({ role: 'admin' }).where('email', '=', email).execute()
    const page = await rig.open('/admin/invitations')
    await signInAt(page, email)
    await press(page, 'Invite someone')
    await page.getByRole('dialog').getByLabel('Email').fill('not an address')
    await press(page, 'Send invitation')
    await shown(page, 'The email must be a valid email address.')
    await page.getByRole('dialog').getByLabel('Email').fill('guest@example.com')
    await press(page, 'Send invitation')
    await shown(page, 'Invitation sent to guest@example.com')
    const link = linkIn((await rig.mailTo('guest@example.com')).text)
    const guest = await rig.open('/sign-up')
    await heading(guest, 'Sign-up is by invitation')
    await guest.goto(link)
    await becomes(() => guest.getByLabel('Email').inputValue(), 'guest@example.com')
    await fill(guest, 'Your name', 'Guest')
    await fill(guest, 'Password', PASSWORD)
    await press(guest, 'Create account')
    await heading(guest, 'Create your first link')
    const late = await rig.open(new URL(link).pathname.replace('/dashboard', '') + new URL(link).hash)
    await heading(late, 'This invitation no longer works')
    expect(await axeFindings(late)).toEqual([])
    await page.reload()
    await heading(page, 'No pending invitations')
    expect(rig.takeFaults()).toEqual([])
    await rig.stop()
  })
})

describe.skipIf(hasNoChromium)('when sign-up is closed', () => {
  test('the page says whom to ask, and neither the sign-in nor the landing page offers it', async () => {
    const rig = await startBrowserRig({ SIGNUP: 'closed' })
    await rig.makeCaller()
    const page = await rig.open('/sign-up')
    await shown(page, 'Ask the operator of this server for an account.')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await heading(page, 'Sign in')
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0)
    await page.goto(rig.config.baseUrl)
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await heading(page, 'Sign in')
    await rig.stop()
  })
})
