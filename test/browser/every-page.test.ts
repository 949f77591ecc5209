import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hasNoChromium } from './chromium.ts'
import { axeFindings, type DashboardRig, overflowOf, startDashboardRig } from './dashboard-rig.ts'
import * as recorded from './recorded-answers.data.ts'

const SIGNED_OUT = { ...recorded.session, user: null }
const NEW_INSTANCE = { user: null, instance: { ...recorded.session.instance, has_accounts: false } }

/** Each page with a word that shows when it is there. */
const PAGES: [path: string, shown: string][] = [
  ['/', 'go.example.com/launch'],
  ['/?search=nothing-has-this', 'Nothing matches'],
  ['/links/launch', 'United States'],
  ['/overview', 'As they come'],
  ['/keys', 'Newsletter job'],
  ['/account', 'Requests per hour'],
  ['/account/security', 'Two-factor sign-in'],
  ['/account/sessions', 'Safari on iPhone'],
  ['/account/yours', 'Export everything'],
  ['/admin', 'Free Prizes Ltd'],
  ['/admin/hosts', 'prizes.example.net'],
  ['/no/such/page', 'No such page'],
]
const DOORS: [path: string, shown: string][] = [
  ['/', 'Sign in with a passkey'],
  ['/sign-up', 'Create your account'],
  ['/reset', 'Forgotten password'],
  ['/reset#token=abc', 'Choose a new password'],
  ['/verify#token=abc', 'Confirm your address'],
  ['/verify', 'This address is not complete'],
]
const LOOKS = [
  ['light, on a wide screen', {}],
  ['dark, on a phone', { theme: 'dark', width: 390, height: 844 }],
] as const

describe.skipIf(hasNoChromium)('in a browser', () => {
  let rig: DashboardRig

  beforeAll(async () => {
    rig = await startDashboardRig()
  })

  afterAll(() => rig.stop())

  describe.each(LOOKS)('in %s', (_, look) => {
    const check = async (path: string, shown: string) => {
      const { page, faults } = await rig.open(path, look)
      await page.getByText(shown).first().waitFor()
      if (path === '/overview' || path.startsWith('/links/'))
        await page.locator('.map path').first().waitFor()
      expect(await axeFindings(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
      expect(faults).toEqual([])
      expect(await page.title()).toMatch(/ · Tern$/)
      await page.context().close()
    }

    test.each(PAGES)('%s shows %j, and axe finds nothing', async (path, shown) => {
      rig.server.setSession(recorded.session)
      await check(path, shown)
    })

    test.each(DOORS)('%s shows %j to who is not signed in, and axe finds nothing', async (path, shown) => {
      rig.server.setSession(SIGNED_OUT)
      await check(path, shown)
    })

    test('a new instance welcomes its operator, and axe finds nothing', async () => {
      rig.server.setSession(NEW_INSTANCE)
      await check('/', 'Welcome to Tern')
    })
  })

  test('the operator’s page is not there for anybody else', async () => {
    rig.server.setSession({ ...recorded.session, user: { ...recorded.session.user!, is_operator: false } })
    const { page } = await rig.open('/admin')
    await page.getByText('There is nothing at this address.').waitFor()
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0)
  })

  test('light or dark is chosen in the menu, and stays so', async () => {
    rig.server.setSession(recorded.session)
    const { page } = await rig.open('/', { theme: 'light' })
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.getByText('go.example.com/launch').first().waitFor()
    const light = await background()
    await page.getByRole('button', { name: /^Your account/ }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    await page.getByText('go.example.com/launch').first().waitFor()
    expect(await background()).toBe(dark)
  })

  test('what cannot be loaded says why, and can be tried again', async () => {
    rig.server.setSession(recorded.session)
    const refusal = { success: false, message: 'This account is suspended.', errors: {} }
    rig.server.answer('GET /links', { status: 403, body: refusal, headers: { 'X-Request-Id': 'request-7' } })
    const { page } = await rig.open('/')
    await page.getByText('This account is suspended.').waitFor()
    await page.getByText('Request request-7').waitFor()
    expect(await axeFindings(page)).toEqual([])
    rig.server.answer('GET /links', undefined)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('go.example.com/launch').first().waitFor()
  })

  test('a session that ended shows the sign-in page, at the same address', async () => {
    rig.server.setSession(recorded.session)
    const { page } = await rig.open('/keys')
    await page.getByText('Newsletter job').waitFor()
    rig.server.setSession(SIGNED_OUT)
    rig.server.answer('GET /links', {
      status: 401,
      body: { success: false, message: 'Sign in.', errors: {} },
    })
    await page.getByRole('link', { name: 'Links', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    rig.server.answer('GET /links', undefined)
  })

  test('nothing jumps: the list takes the place that was held for it', async () => {
    rig.server.setSession(recorded.session)
    const { promise, resolve } = Promise.withResolvers<void>()
    rig.server.answer('GET /links', { status: 0, body: {}, hold: promise })
    const { page } = await rig.open('/')
    const row = page.locator('tbody tr').first()
    await page.locator('tbody .skeleton').first().waitFor()
    const held = await row.boundingBox()
    resolve()
    rig.server.answer('GET /links', undefined)
    await page.getByText('go.example.com/launch').first().waitFor()
    expect(await row.boundingBox()).toEqual(held)
  })
})
