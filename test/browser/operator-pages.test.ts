import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { assignPlan } from '../../src/accounts/assign-plan.ts'
import type { Person } from '../rigs/dashboard-rig.ts'
import { axeFindings, type BrowserRig, startBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { fill, heading, pagesOf, press, shown } from './people-pages.ts'

describe.skipIf(hasNoChromium)('the operator', () => {
  let rig: BrowserRig
  let operator: Person
  const pages = pagesOf(() => rig)

  beforeAll(async () => {
    rig = await startBrowserRig()
    operator = await rig.person({ email: 'operator@example.com' })
  })

  afterAll(() => rig.stop())

  afterEach(() => expect(pages.faults()).toEqual([]))

  const openAdmin = (path = '') => pages.open(`/admin${path}`, { person: operator })
  const visit = async (code: string) => (await rig.call('GET', `/${code}`)).status
  const linkOf = async ({ browser }: Person, url: string): Promise<string> =>
    (await browser.succeed('POST', '/links', { original_url: url })).short_code
  const choose = async (page: Awaited<ReturnType<typeof openAdmin>>, name: string, act: string) => {
    await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
    await page.getByRole('menuitem', { name: act }).click()
  }
  const answer = (page: Awaited<ReturnType<typeof openAdmin>>, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  test('suspends an account, whose links say so to visitors, and lifts it again', async () => {
    const person = await rig.person({ email: 'spammer@example.com' })
    const code = await linkOf(person, 'https://example.com/')
    expect(await visit(code)).toBe(302)
    const page = await openAdmin()
    await choose(page, person.name, 'Suspend')
    await shown(page, 'They are signed out and cannot sign in')
    expect(await axeFindings(page)).toEqual([])
    await answer(page, 'Suspend')
    await shown(page, `${person.name} is suspended`)
    await page
      .getByRole('row', { name: /spammer/ })
      .getByText('Suspended')
      .waitFor()
    expect(await visit(code)).toBe(410)
    expect((await person.browser.ask('GET', '/session')).status).toBe(401)
    await choose(page, person.name, 'Reinstate')
    await answer(page, 'Reinstate')
    await shown(page, `${person.name} is reinstated`)
    expect(await visit(code)).toBe(302)
  })

  test('blocks the host that an address names, and frees it again', async () => {
    const person = await rig.person()
    const code = await linkOf(person, 'https://www.prizes.example.org/win')
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

  test('finds an account by a part of its address, and gives it a plan, a limit and the role', async () => {
    const person = await rig.person({ email: 'needle@example.com' })
    const page = await openAdmin()
    const rowOf = (email: string) => page.getByRole('row').filter({ hasText: email })
    await rowOf('operator@example.com').waitFor()
    await page.getByRole('searchbox', { name: 'Search names and emails' }).fill('NEEDLE')
    await rowOf('operator@example.com').waitFor({ state: 'detached' })
    await rowOf('needle@example.com').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    // Nobody is on a plan, so nothing speaks of plans until somebody is put on one.
    expect(await page.getByRole('columnheader', { name: 'Plan' }).count()).toBe(0)
    await choose(page, person.name, 'Edit account')
    await page.getByRole('combobox', { name: 'Role' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Plan' }).count()).toBe(0)
    await press(page, 'Cancel')
    await assignPlan(rig.store, person.email, 'pro')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Plan' }).waitFor()
    await choose(page, person.name, 'Edit account')
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('Business')
    await fill(page, 'Requests per hour, per key', '0')
    await press(page, 'Save changes')
    await shown(page, 'The rate limit must be an integer between 1 and 1000000000.')
    expect(await axeFindings(page)).toEqual([])
    await fill(page, 'Requests per hour, per key', '2500')
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Operator')
    await press(page, 'Save changes')
    await shown(page, `${person.name} is updated`)
    expect(await person.browser.succeed('GET', '/session')).toMatchObject({
      plan: 'business',
      requests_per_hour: 2500,
      role: 'admin',
    })
    await page.getByRole('searchbox').fill('nobody has this')
    await heading(page, 'No accounts found')
    await press(page, 'Show all accounts')
    await rowOf('operator@example.com').waitFor()
    // So that there is one operator again.
    await rig.store.db
      .updateTable('accounts')
      .set({ role: 'user', plan: 'free' })
      .where('email', '=', person.email)
      .execute()
  })

  test('vouches for an address that waits to be confirmed', async () => {
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

  test('cannot suspend the own account, nor be one no more when nobody else is', async () => {
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
    const now = Date.now() * 1000
    const rows = Array.from({ length: 40 }, (_, i) => ({
      name: `Crowd ${i}`,
      email: `crowd${i}@example.com`,
      password_hash: 'none',
      plan: 'free',
      subscription_status: 'active',
      role: 'user' as const,
      created_at: now,
    }))
    await rig.store.db.insertInto('accounts').values(rows).execute()
    const page = await openAdmin()
    await shown(page, 'Crowd 39')
    await press(page, 'Next')
    await page.getByRole('row', { name: /Crowd 39/ }).waitFor({ state: 'detached' })
    await press(page, 'Previous')
    await shown(page, 'Crowd 39')
  })

  test('withdraws an invitation, whose link is good for nothing then', async () => {
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

  test('has a page that is not there for anybody else', async () => {
    const page = await pages.open('/admin', { person: await rig.person() })
    await shown(page, 'There is no page at this URL.')
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0)
  })
})
