import { beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Locator, Page } from 'playwright-core'
import { decodeQR } from 'qr/decode.js'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { freePort } from '../rigs/free-port.ts'
import { axeFindings } from './axe.ts'
import { startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import {
  addAuthenticator,
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

describe.skipIf(hasNoChromium)('with a second factor', () => {
  const rig = useBrowserRig()

  beforeAll(async () => {
    await rig.user()
  })

  test('it is turned on with password and code, and a code or a recovery code signs in', async () => {
    const user = await rig.user()
    const page = await rig.open('/account/security', { user })
    await press(page, 'Turn on')
    await givePassword(page, 'not the password')
    await shown(page, 'The password is incorrect.')
    await givePassword(page)
    await fill(page, 'Code from the app', '000 000')
    await page.keyboard.press('Enter')
    await shown(page, 'The code is wrong')
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Cancel')
    const { secret, codes } = await turnOn(page)
    expect(new Set(codes).size).toBe(10)
    expect(await axeFindings(page)).toEqual([])
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor()
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    const copy = page.getByRole('button', { name: 'Copy recovery codes' })
    await hasFocus(copy)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    expect(await Bun.file(await (await download).path()).text()).toBe(`${codes.join('\n')}\n`)
    await press(page, 'Done')
    await shown(page, '10 recovery codes left.')
    await signOutAt(page)
    await askedForCode(page, user.email)
    await giveCode(page, '000000')
    await shown(page, 'The code is wrong or was already used.')
    await giveCode(page, codeOf(secret, 1))
    await isSignedInAt(page)
    await signOutAt(page)
    await askedForCode(page, user.email)
    await giveCode(page, codes[3]!.toLowerCase())
    await shown(page, '9 recovery codes left.')
  })

  test('the QR code contains what the app needs', async () => {
    const user = await rig.user()
    const page = await rig.open('/account/security', { user })
    await press(page, 'Turn on')
    await givePassword(page)
    const picture = page.getByRole('img', { name: 'QR code for the authenticator app' })
    await picture.waitFor()
    const uri = decodeQR(await pixelsOf(picture))
    const secret = await page.getByRole('group', { name: 'Or enter this key in the app' }).textContent()
    expect(uri).toStartWith('otpauth://totp/')
    expect(uri).toContain(`secret=${secret}`)
  })

  test('new recovery codes replace the old ones, and turning it off requires the password', async () => {
    const user = await rig.user()
    const page = await rig.open('/account/security', { user })
    const { codes } = await turnOn(page)
    await page.getByRole('checkbox', { name: 'I saved these codes' }).check()
    await press(page, 'Done')
    await press(page, 'New recovery codes')
    await givePassword(page)
    await shown(page, 'Each code signs you in once')
    const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    expect(await list.allTextContents()).not.toContain(codes[0])
    await page.getByRole('checkbox', { name: 'I saved these codes' }).check()
    await press(page, 'Done')
    await press(page, 'Turn off')
    await givePassword(page)
    await shown(page, 'Two-factor authentication is off')
    await page.getByRole('button', { name: 'Turn on', exact: true }).waitFor()
    expect((await user.browser.succeed('GET', '/session')).security.has_two_factor).toBe(false)
  })

  test('a passkey is created, named, signs in on its own, and is removed with the password', async () => {
    const user = await rig.user()
    const page = await rig.open('/account/security', { user })
    await addAuthenticator(page)
    await press(page, 'Add a passkey')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Desk')
    await givePassword(page, 'not the password')
    await shown(page, 'The password is incorrect.')
    expect(await axeFindings(page)).toEqual([])
    await givePassword(page)
    await shown(page, 'Passkey added')
    await press(page, 'Add a passkey')
    await givePassword(page)
    await shown(page, 'This device already has a passkey for your account.')
    await press(page, 'Cancel')
    await signOutAt(page)
    await press(page, 'Sign in with a passkey')
    await shown(page, 'Last used')
    await press(page, 'Remove: Desk')
    await givePassword(page)
    await page.getByRole('listitem').filter({ hasText: 'Desk' }).waitFor({ state: 'detached' })
    await signOutAt(page)
    await press(page, 'Sign in with a passkey')
    await shown(page, 'The passkey could not be verified. Try again.')
  })

  test('a device that presents no passkey gets a message', async () => {
    const page = await rig.open('/sign-in')
    await addAuthenticator(page)
    await press(page, 'Sign in with a passkey')
    await shown(page, 'The device did not present a passkey. Try again, or sign in with your password.')
    expect(await axeFindings(page)).toEqual([])
  })

  test('a changed password signs all other browsers out, and not this one', async () => {
    const user = await rig.user()
    const other = rig.browser()
    await other.succeed('POST', '/session', { email: user.email, password: PASSWORD })
    const page = await rig.open('/account/security', { user })
    await fill(page, 'Current password', 'not the password')
    await fill(page, 'New password', 'another long sentence')
    await press(page, 'Change password')
    await shown(page, 'The password is incorrect.')
    await fill(page, 'Current password', PASSWORD)
    await press(page, 'Change password')
    await shown(page, 'Password changed. Your other sessions are signed out.')
    expect((await other.request('GET', '/session')).status).toBe(401)
    await page.reload()
    await heading(page, 'Two-factor authentication')
  })

  /** The code of this step, or of the next: none is taken twice. */
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

  /** Turns it on at the page; gives the secret and the recovery codes as they stand there. */
  async function turnOn(page: Page): Promise<{ secret: string; codes: string[] }> {
    await press(page, 'Turn on')
    await givePassword(page)
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = (await page.getByRole('group', { name: 'Or enter this key in the app' }).textContent())!
    await fill(page, 'Code from the app', codeOf(secret))
    await page.keyboard.press('Enter')
    await shown(page, 'Each code signs you in once')
    const codes = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents()
    return { secret, codes }
  }

  const askedForCode = async (page: Page, email: string) => {
    await signInAt(page, email)
    await shown(page, 'Enter the code from your authenticator app.')
  }

  const giveCode = async (page: Page, code: string) => {
    await fill(page, 'Code', code)
    await page.keyboard.press('Enter')
  }
})

describe.skipIf(hasNoChromium)('at a URL with an IP address', () => {
  const PORT = String(freePort())
  const rig = useBrowserRig(() =>
    startBrowserRig({ PORT, BASE_URL: `http://127.0.0.1:${PORT}`, SMTP_URL: '' }),
  )

  test('passkeys are not offered, and the page says why', async () => {
    const page = await rig.open('/sign-in')
    await heading(page, 'Sign in')
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
    await page.goto(`${rig.config.baseUrl}/dashboard/account/security`)
    await fill(page, 'Your name', 'Ada')
    await fill(page, 'Email', 'ada@example.com')
    await fill(page, 'Password', PASSWORD)
    await press(page, 'Create account')
    await shown(page, 'Passkeys need a host name, and this server is reached by an IP address.')
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
  })
})

const MODULE_PIXELS = 4

/** What a camera would see: the dark modules of the drawing as pixels. */
async function pixelsOf(picture: Locator) {
  const side = Number((await picture.getAttribute('viewBox'))!.split(' ')[2])
  const path = (await picture.locator('path').getAttribute('d'))!
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${x} ${y}`))
  const width = side * MODULE_PIXELS
  const data = Uint8ClampedArray.from({ length: width * width * 4 }, (_, at) => {
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)]
    const isDark = dark.has(`${Math.floor(x / MODULE_PIXELS)} ${Math.floor(y / MODULE_PIXELS)}`)
    return at % 4 === 3 || !isDark ? 255 : 0
  })
  return { width, height: width, data }
}
