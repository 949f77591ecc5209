import { beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { assignPlan } from '../../src/operator/assign-plan.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { chooseFrom, fill, givePassword, heading, press, shown } from './user-pages.ts'
import { addAccount } from '../rigs/service/add-account.ts'

describe.skipIf(hasNoChromium)('the operator', () => {
  const rig = useBrowserRig()
  let operator: TestUser

  beforeAll(async () => {
    operator = await rig.user({ email: 'operator@example.com' })
  })

  test('suspends a user, whose links go on working, and reinstates them', async () => {
    const user = await rig.user({ email: 'intruder@example.com' })
    const code = await linkOf(user, 'https://example.com/')
    const page = await openAdmin()
    await choose(page, user.name, 'Suspend')
    await shown(page, 'They are signed out and cannot sign in')
    expect(await axeFindings(page)).toEqual([])
    await answer(page, 'Suspend')
    await shown(page, `${user.name} is suspended`)
    await page
      .getByRole('row', { name: /intruder/ })
      .getByText('Suspended')
      .waitFor()
    expect((await user.browser.request('GET', '/session')).status).toBe(401)
    expect(await visit(code)).toBe(302)
    await choose(page, user.name, 'Reinstate')
    await answer(page, 'Reinstate')
    await shown(page, `${user.name} is reinstated`)
  })

  test('suspends a workspace, whose links tell visitors so, and reinstates it', async () => {
    const user = await rig.user({ email: 'spammer@example.com' })
    const code = await linkOf(user, 'https://example.com/')
    expect(await visit(code)).toBe(302)
    const page = await openAdmin('/workspaces')
    await choose(page, user.name, 'Suspend')
    await shown(page, 'Its links show a notice')
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

  test('adds a domain for all workspaces, sees those of workspaces, and removes it', async () => {
    const user = await rig.user({ email: 'dora@example.com' })
    const page = await openAdmin('/domains')
    await heading(page, 'Only the domain of this server')
    await user.browser.succeed('POST', '/domains', { host: 'dora.example.com' })
    await press(page, 'Add shared domain')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Domain').fill('https://go.example.com/')
    await dialog.getByRole('button', { name: 'Add shared domain' }).click()
    await shown(page, 'The host must be a domain name')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByLabel('Domain').fill('go.example.com')
    await dialog.getByRole('button', { name: 'Add shared domain' }).click()
    await shown(page, 'go.example.com is added')
    await page.getByRole('row', { name: /go\.example\.com Shared.*All workspaces/ }).waitFor()
    const own = page.getByRole('row', { name: /dora\.example\.com/ })
    await own.getByText('Not verified').waitFor()
    await own.getByText(user.name).waitFor()
    await choose(page, 'dora.example.com', 'Check now')
    await page
      .getByRole('status')
      .getByText('There is no TXT record _tern.dora.example.com with the expected value.')
      .waitFor()
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    const { browser } = user
    const link = { original_url: 'https://example.com/', custom_code: 'there', domain: 'go.example.com' }
    expect((await browser.request('POST', '/links', link)).status).toBe(201)
    await choose(page, 'go.example.com', 'Remove domain')
    await answer(page, 'Remove domain')
    await shown(page, 'go.example.com is removed')
    await page.getByRole('row', { name: /go\.example\.com/ }).waitFor({ state: 'detached' })
    expect((await browser.request('POST', '/links', { ...link, custom_code: 'again' })).status).toBe(422)
    await choose(page, 'dora.example.com', 'Remove domain')
    await shown(page, `come back when ${user.name} adds and verifies it again`)
    await answer(page, 'Remove domain')
    await shown(page, 'dora.example.com is removed')
    const left = (await browser.succeed('GET', '/domains')).map(({ host }: { host: string }) => host)
    expect(left).not.toContain('dora.example.com')
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('answers what visitors have reported, %s and %d pixels wide', async (theme, width) => {
    const user = await rig.user()
    const code = await linkOf(user, 'https://example.com/prizes')
    const message = '<b>Not text</b>'
    const body = new URLSearchParams({ reason: 'phishing', message }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
    expect((await rig.call('POST', `/report/${code}`, { headers, body })).status).toBe(303)
    const page = await rig.open('/admin/reports', { user: operator, theme, width })
    await shown(page, message)
    await shown(page, user.email)
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await page.getByRole('button', { name: /^Dismiss: / }).click()
    await heading(page, 'No open reports')
    await press(page, 'Undo')
    await shown(page, 'are open again')
    await page.getByRole('button', { name: /^Disable link: / }).click()
    await shown(page, 'The owner can enable the link again.')
    expect(await axeFindings(page)).toEqual([])
    await answer(page, 'Disable link')
    await heading(page, 'No open reports')
    expect(await visit(code)).toBe(404)
    await press(page, 'Closed')
    await shown(page, message)
    await page.getByText(`by ${operator.name}`).first().waitFor()
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
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

  test('finds a user by part of their email address, and makes them an operator and a user again', async () => {
    const user = await rig.user({ email: 'needle@example.com' })
    const page = await openAdmin()
    const rowOf = (email: string) => page.getByRole('row').filter({ hasText: email })
    await rowOf('operator@example.com').waitFor()
    await page.getByRole('searchbox', { name: 'Search names and emails' }).fill('NEEDLE')
    await rowOf('operator@example.com').waitFor({ state: 'detached' })
    await rowOf('needle@example.com').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await choose(page, user.name, 'Make operator')
    await givePassword(page, 'not the password')
    await shown(page, 'The password is incorrect.')
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await givePassword(page)
    await shown(page, `${user.name} is an operator`)
    await rowOf('needle@example.com').getByText('Operator', { exact: true }).waitFor()
    const role = async () => (await user.browser.succeed('GET', '/session')).role
    expect(await role()).toBe('admin')
    await choose(page, user.name, 'Remove operator role')
    await givePassword(page)
    await shown(page, `${user.name} is no longer an operator`)
    expect(await role()).toBe('user')
    await page.getByRole('searchbox').fill('nobody has this')
    await heading(page, 'No users found')
    await press(page, 'Show all users')
    await rowOf('operator@example.com').waitFor()
  })

  test('finds a workspace by its owner, and sets its plan and limit', async () => {
    const user = await rig.user({ email: 'haystack@example.com' })
    const page = await openAdmin('/workspaces')
    const row = page.getByRole('row').filter({ hasText: user.email })
    await page.getByRole('searchbox', { name: 'Search names and owners' }).fill('HAYSTACK@')
    await page.getByRole('row').filter({ hasText: 'operator@example.com' }).waitFor({ state: 'detached' })
    await row.waitFor()
    // Nobody is on a plan, so nothing speaks of plans until somebody is put on one.
    expect(await page.getByRole('columnheader', { name: 'Plan' }).count()).toBe(0)
    await choose(page, user.name, 'Change limits')
    const dialog = page.getByRole('dialog', { name: `Limits of the workspace ${user.name}` })
    await dialog.getByLabel('Requests per hour, per key').waitFor()
    expect(await page.getByRole('combobox', { name: 'Plan' }).count()).toBe(0)
    await press(page, 'Cancel')
    await assignPlan({ ...rig.store, clock: systemClock }, user.email, 'pro')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Plan' }).waitFor()
    await choose(page, user.name, 'Change limits')
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('Business')
    await fill(page, 'Requests per hour, per key', '0')
    await press(page, 'Save changes')
    await shown(page, 'The rate limit must be an integer between 1 and 1000000000.')
    expect(await axeFindings(page)).toEqual([])
    await fill(page, 'Requests per hour, per key', '2500')
    await press(page, 'Save changes')
    await shown(page, `${user.name} is updated`)
    await row.getByText('2,500').waitFor()
    expect(await user.browser.succeed('GET', '/session')).toMatchObject({
      plan: 'business',
      requests_per_hour: 2500,
    })
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

  test('cannot suspend themselves, or give up the role as the only operator', async () => {
    const page = await openAdmin()
    await page.getByRole('button', { name: `More for ${operator.name}` }).click()
    const suspend = page.getByRole('menuitem', { name: 'Suspend' })
    expect(await suspend.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('menuitem', { name: 'Remove operator role' }).click()
    await givePassword(page)
    await shown(page, 'This is the only operator account. Make another account an operator first.')
    await page.goto(`${rig.config.baseUrl}/dashboard/admin/workspaces`)
    await page.getByRole('row').filter({ hasText: operator.email }).getByRole('button').click()
    await page.getByRole('menuitem').first().waitFor()
    expect(await suspend.count()).toBe(0)
  })

  test.each(['', '/workspaces'])('pages through many users and workspaces: %s', async (path) => {
    const crowd = path === '' ? 'Crowd' : 'Team'
    for (let i = 0; i < 40; i++)
      await addAccount(rig.store.db, {
        name: `${crowd} ${i}`,
        email: `${crowd.toLowerCase()}${i}@example.com`,
      })
    const page = await openAdmin(path)
    await shown(page, `${crowd} 39`)
    await press(page, 'Next')
    await page.getByRole('row', { name: new RegExp(`${crowd} 39`) }).waitFor({ state: 'detached' })
    await press(page, 'Previous')
    await shown(page, `${crowd} 39`)
  })

  test('withdraws an invitation, whose link stops working', async () => {
    const page = await rig.open('/admin/invitations', { user: operator, width: 390 })
    await shown(page, 'Anyone can sign up')
    // Of more tabs than fit, the open one is in sight.
    const tab = await page.getByRole('tab', { name: 'Invitations' }).boundingBox()
    expect(tab!.x + tab!.width).toBeLessThanOrEqual(390)
    await press(page, 'Invite someone')
    await page.getByRole('dialog').getByLabel('Email').fill('late@example.com')
    await press(page, 'Send invitation')
    const { token } = await rig.mailTo('late@example.com')
    await press(page, 'Withdraw: late@example.com')
    await shown(page, 'The invitation to late@example.com is withdrawn')
    const guest = await rig.open(`/sign-up#${token}`)
    await heading(guest, 'This invitation no longer works')
  })

  test('has a page that nobody else can open', async () => {
    const page = await rig.open('/admin', { user: await rig.user() })
    await shown(page, 'There is no page at this URL.')
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0)
  })

  const openAdmin = (path = '') => rig.open(`/admin${path}`, { user: operator })
  const visit = async (code: string) => (await rig.call('GET', `/${code}`)).status

  const linkOf = async ({ browser }: TestUser, url: string): Promise<string> =>
    (await browser.succeed('POST', '/links', { original_url: url })).short_code

  const choose = async (page: Awaited<ReturnType<typeof openAdmin>>, name: string, act: string) => {
    await chooseFrom(page, `More for ${name}`, act)
  }

  const answer = (page: Awaited<ReturnType<typeof openAdmin>>, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
})
