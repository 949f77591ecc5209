import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { assignPlan } from '../../src/operator/assign-plan.ts'
import type { TestUser } from '../rigs/dashboard-rig.ts'
import { axeFindings, type BrowserRig, startBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { fill, heading, pagesOf, press, shown } from './user-pages.ts'
import { addAccount } from '../rigs/add-account.ts'

describe.skipIf(hasNoChromium)('the operator', () => {
  let rig: BrowserRig
  let operator: TestUser
  const pages = pagesOf(() => rig)

  beforeAll(async () => {
    rig = await startBrowserRig()
    operator = await rig.user({ email: 'operator@example.com' })
  })

  afterAll(() => rig.stop())

  afterEach(() => expect(pages.faults()).toEqual([]))

  const openAdmin = (path = '') => pages.open(`/admin${path}`, { user: operator })
  const visit = async (code: string) => (await rig.call('GET', `/${code}`)).status
  const linkOf = async ({ browser }: TestUser, url: string): Promise<string> =>
    (await browser.succeed('POST', '/links', { original_url: url })).short_code
  const choose = async (page: Awaited<ReturnType<typeof openAdmin>>, name: string, act: string) => {
    await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: act }).click()
  }
  const answer = (page: Awaited<ReturnType<typeof openAdmin>>, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  test('suspends an account, whose links tell visitors so, and reinstates it', async () => {
    const user = await rig.user({ email: 'spammer@example.com' })
    const code = await linkOf(user, 'https://example.com/')
    expect(await visit(code)).toBe(302)
    const page = await openAdmin()
    await choose(page, user.name, 'Suspend')
    await shown(page, 'They are signed out and cannot sign in')
    expect(await axeFindings(page)).toEqual([])
    await answer(page, 'Suspend')
    await shown(page, `${user.name} is suspended`)
    await page
      .getByRole('row', { name: /spammer/ })
      .getByText('Suspended')
      .waitFor()
    expect(await visit(code)).toBe(410)
    expect((await user.browser.request('GET', '/session')).status).toBe(401)
    await choose(page, user.name, 'Reinstate')
    await answer(page, 'Reinstate')
    await shown(page, `${user.name} is reinstated`)
    expect(await visit(code)).toBe(302)
  })

  test('blocks the host of a URL, and unblocks it', async () => {
    const user = await rig.user()
    const code = await linkOf(user, 'https://www.prizes.example.org/win')
    const page = await openAdmin('/hosts')
    await heading(page, 'No blocked hosts')
    await press(page, 'Block a host')
    await press(page, 'Block host')
    await shown(page, 'The host field is required.')
    await fill(page, 'Host', 'https://prizes.example.org/some/page')
    await fill(page, 'Reason', 'Reported by mail')
    await press(page, 'Block host')
    await shown(page, 'prizes.example.org is blocked')
    await page.getByRole('row', { name: /prizes\.example\.org.*Reported by mail/ }).waitFor()
    expect(await visit(code)).toBe(410)
    await press(page, 'Unblock: prizes.example.org')
    await shown(page, 'prizes.example.org is no longer blocked')
    await heading(page, 'No blocked hosts')
    expect(await visit(code)).toBe(302)
  })

  test('finds an account by part of its email address, and sets its plan, limit and role', async () => {
    const user = await rig.user({ email: 'needle@example.com' })
    const page = await openAdmin()
    const rowOf = (email: string) => page.getByRole('row').filter({ hasText: email })
    await rowOf('operator@example.com').waitFor()
    await page.getByRole('searchbox', { name: 'Search names and emails' }).fill('NEEDLE')
    await rowOf('operator@example.com').waitFor({ state: 'detached' })
    await rowOf('needle@example.com').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    // Nobody is on a plan, so nothing speaks of plans until somebody is put on one.
    expect(await page.getByRole('columnheader', { name: 'Plan' }).count()).toBe(0)
    await choose(page, user.name, 'Edit account')
    await page.getByRole('combobox', { name: 'Role' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Plan' }).count()).toBe(0)
    await press(page, 'Cancel')
    await assignPlan(rig.store, user.email, 'pro')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Plan' }).waitFor()
    await choose(page, user.name, 'Edit account')
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('Business')
    await fill(page, 'Requests per hour, per key', '0')
    await press(page, 'Save changes')
    await shown(page, 'The rate limit must be an integer between 1 and 1000000000.')
    expect(await axeFindings(page)).toEqual([])
    await fill(page, 'Requests per hour, per key', '2500')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Operator')
    await press(page, 'Save changes')
    await shown(page, `${user.name} is updated`)
    expect(await user.browser.succeed('GET', '/session')).toMatchObject({
      plan: 'business',
      requests_per_hour: 2500,
      role: 'admin',
    })
    await page.getByRole('searchbox').fill('nobody has this')
    await heading(page, 'No accounts found')
    await press(page, 'Show all accounts')
    await rowOf('operator@example.com').waitFor()
    // So that there is one operator again.
    await rig.store.db.updateTable('users').set({ role: 'user' }).where('email', '=', user.email).execute()
    await rig.store.db.updateTable('workspaces').set({ plan: 'free' }).execute()
  })

  test('verifies an email address that waits for confirmation', async () => {
    const browser = rig.browser()
    const email = 'waiting@example.com'
    await browser.succeed('POST', '/sign-up', { name: 'Wanda', email, password: 'a long sentence' })
    await browser.succeed('POST', '/session', { email, password: 'a long sentence' })
    const page = await openAdmin()
    await page.getByRole('row', { name: /Wanda/ }).getByText('Unconfirmed').waitFor()
    await choose(page, 'Wanda', 'Confirm email')
    await answer(page, 'Confirm email')
    await shown(page, `${email} is confirmed`)
    expect((await browser.succeed('GET', '/session')).is_verified).toBe(true)
  })

  test('cannot suspend their own account, or give up the role as the only operator', async () => {
    const page = await openAdmin()
    await page.getByRole('button', { name: `More for ${operator.name}` }).click()
    const suspend = page.getByRole('menuitem', { name: 'Suspend' })
    expect(await suspend.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('menuitem', { name: 'Edit account' }).click()
    await page.getByRole('combobox', { name: 'Role' }).selectOption('User')
    await press(page, 'Save changes')
    await shown(page, 'This is the only operator account. Make another account an operator first.')
  })

  test('pages through many accounts', async () => {
    for (let i = 0; i < 40; i++)
      await addAccount(rig.store.db, { name: `Crowd ${i}`, email: `crowd${i}@example.com` })
    const page = await openAdmin()
    await shown(page, 'Crowd 39')
    await press(page, 'Next')
    await page.getByRole('row', { name: /Crowd 39/ }).waitFor({ state: 'detached' })
    await press(page, 'Previous')
    await shown(page, 'Crowd 39')
  })

  test('withdraws an invitation, whose link stops working', async () => {
    const page = await openAdmin('/invitations')
    await shown(page, 'Anyone can sign up')
    await press(page, 'Invite someone')
    await page.getByRole('dialog').getByLabel('Email').fill('late@example.com')
    await press(page, 'Send invitation')
    const { token } = await rig.mailTo('late@example.com')
    await press(page, 'Withdraw: late@example.com')
    await shown(page, 'The invitation to late@example.com is withdrawn')
    const guest = await pages.open(`/sign-up#${token}`)
    await heading(guest, 'This invitation no longer works')
  })

  test('has a page that nobody else can open', async () => {
    const page = await pages.open('/admin', { user: await rig.user() })
    await shown(page, 'There is no page at this URL.')
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0)
  })
})
