import { beforeAll, describe, expect, test } from 'bun:test'
import { workspaceSwitchOn } from './pages/workspace-switch.ts'
import type { MemberRole } from '../../src/access/roles-and-scopes.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { type TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { chooseFrom, clipboard, fill, heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('workspaces and members', () => {
  const rig = useBrowserRig()

  beforeAll(async () => {
    await rig.user()
  })

  test('somebody who is alone reads nothing of workspaces, and invites from the settings; the invited joins by the copied link', async () => {
    const owner = await rig.user()
    await owner.browser.succeed('POST', '/links', LINK)
    const page = await rig.open('/settings', { user: owner })
    await heading(page, 'Settings')
    const bar = page.locator('.side-bar')
    expect(await bar.getByRole('link').allTextContents()).toEqual([
      'Tern',
      'Links',
      'Overview',
      'Tags and folders',
      'Trash',
      'Domains',
      'API keys',
      'Settings',
    ])
    expect(await bar.innerText()).not.toMatch(/workspace/i)
    const guest = await rig.user()
    await press(page, 'Invite someone')
    const emails = page.getByRole('dialog').getByLabel('Email addresses', { exact: true })
    await page.evaluate((text) => navigator.clipboard.writeText(text), `Ann Lee <${guest.email}>\nbob`)
    await emails.press('Control+v')
    await shown(page, '“bob” is not an email address.')
    await page.getByRole('radio', { name: /^Viewer/ }).check()
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Send 2 invitations')
    await shown(page, '“bob” is not an email address.')
    await press(page, 'Remove bob')
    await press(page, 'Send invitation')
    await shown(page, 'Invited')
    await press(page, 'Done')
    await bar.getByRole('link', { name: 'Members' }).click()
    await heading(page, 'Pending invitations')
    await shown(page, '7 days left')
    await press(page, `Copy link for ${guest.email}`)
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    const link = await clipboard(page)
    const path = link.slice(`${rig.config.baseUrl}/dashboard`.length)
    const guestPage = await rig.open(path, { user: guest })
    await shown(guestPage, `${owner.name} has invited you`)
    expect(await axeFindings(guestPage)).toEqual([])
    await press(guestPage, 'Join workspace')
    await shown(guestPage, 'Of the team')
  })

  test('a viewer is shown what the role allows, and nothing that would be refused', async () => {
    const owner = await rig.user()
    await owner.browser.succeed('POST', '/links', { ...LINK, custom_code: 'seen' })
    const viewer = await memberOf(owner, 'viewer')
    const page = await rig.open('/', { user: viewer })
    await shown(page, 'Of the team')
    expect(await page.getByRole('checkbox').count()).toBe(0)
    for (const name of ['Create link', 'Bulk create', 'Edit seen'])
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0])
    await page.keyboard.press('c')
    await page.getByRole('button', { name: 'More actions for seen' }).click()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'Copy short URL',
      'QR code',
      'Open destination',
    ])
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /seen/ }).click()
    await page.getByRole('button', { name: 'Share' }).waitFor()
    expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    expect(await page.getByRole('switch').count()).toBe(0)
    const places = page.locator('.side-bar').getByRole('link')
    expect(await places.allTextContents()).toEqual([
      'Links',
      'Overview',
      'Tags and folders',
      'Trash',
      'API keys',
      'Settings',
    ])
    await places.filter({ hasText: 'Settings' }).click()
    for (const card of ['Leave workspace', 'Email report', 'Own traffic']) await heading(page, card)
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Email report',
      'Own traffic',
      'Leave workspace',
    ])
  })

  test('the switcher changes the workspace, by key too; other tabs stay where they are', async () => {
    const owner = await rig.user()
    await owner.browser.succeed('POST', '/links', { ...LINK, custom_code: 'of-first' })
    await owner.browser.succeed('POST', '/workspaces', { name: 'Side project' })
    const page = await rig.open('/', { user: owner })
    await shown(page, 'Of the team')
    const other = await page.context().newPage()
    await other.goto(`${rig.config.baseUrl}/dashboard/`)
    await shown(other, 'Of the team')
    await workspaceSwitchOn(() => page).open()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('2')
    await shown(page, 'Create your first link')
    await workspaceSwitchOn(() => page).isAt('Side project')
    await other.getByRole('link', { name: 'Overview' }).first().click()
    await heading(other, 'Overview')
    await workspaceSwitchOn(() => other).isAt(owner.name)
    await other.getByRole('link', { name: 'Links' }).first().click()
    await shown(other, 'Of the team')
    await page.reload()
    await shown(page, 'Create your first link')
    await workspaceSwitchOn(() => page).open()
    await page.getByRole('menuitem', { name: 'New workspace' }).click()
    await fill(page, 'Name', 'Third')
    await press(page, 'Create workspace')
    await workspaceSwitchOn(() => page).isAt('Third')
  })

  test('a member whose role changes, and who is then removed, goes on in their own workspace', async () => {
    const owner = await rig.user()
    await owner.browser.succeed('POST', '/links', { ...LINK, custom_code: 'left' })
    const member = await memberOf(owner, 'editor')
    const memberPage = await rig.open('/', { user: member })
    await shown(memberPage, 'Of the team')
    const page = await rig.open('/members', { user: owner })
    await page.getByLabel(`Role of ${member.name}`).selectOption('Admin')
    await shown(page, `${member.name} is now Admin`)
    await memberPage.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await shown(memberPage, 'Your role is now Admin.')
    await memberPage.getByRole('link', { name: 'Members' }).first().waitFor()
    await press(page, 'Undo')
    await page
      .getByLabel(`Role of ${member.name}`)
      .and(page.locator('select:has(:checked[value=editor])'))
      .waitFor()
    await chooseFrom(page, `More about ${member.name}`, 'Remove from workspace')
    await shown(page, 'They lose access immediately.')
    await press(page, 'Remove from workspace')
    await shown(page, `${member.name} was removed`)
    await memberPage.getByRole('link', { name: 'Overview' }).first().click()
    await memberPage.getByRole('link', { name: 'Tern' }).first().waitFor()
    await memberPage.getByRole('link', { name: 'Links' }).first().click()
    await shown(memberPage, 'Create your first link')
    // The browser says that the request in the old workspace was refused.
    expect(rig.takeFaults().filter((fault) => !/404/.test(fault))).toEqual([])
  })

  test('where a second factor is required, a member without one is led to turn it on', async () => {
    const owner = await rig.user()
    const member = await memberOf(owner, 'editor')
    const required = rig.store.db.updateTable('workspaces').set({ requires_second_factor: 1 })
    await required.where('id', '=', owner.workspaceId).execute()
    const page = await rig.open('/overview', { user: member })
    await heading(page, 'Turn on two-factor sign-in')
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Turn on')
    await heading(page, 'Account')
  })

  test('settings are saved, and a workspace is deleted by its name and the password', async () => {
    const owner = await rig.user()
    const { id } = await owner.browser.succeed('POST', '/workspaces', { name: 'Doomed' })
    await owner.browser.succeed('POST', `/workspaces/${id}/choose`)
    const page = await rig.open('/settings', { user: owner })
    await fill(page, 'Name', 'Renamed')
    await page.keyboard.press('Enter')
    await workspaceSwitchOn(() => page).isAt('Renamed')
    await press(page, 'Add color')
    await shown(page, 'Settings saved')
    expect(await axeFindings(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await press(page, 'Delete workspace')
    await fill(page, 'Type Renamed to confirm', 'Renamed')
    await fill(page, 'Current password', PASSWORD)
    await page.keyboard.press('Enter')
    await shown(page, 'Renamed is deleted')
    await page.locator('.side-bar').getByRole('link', { name: 'Tern' }).waitFor()
  })

  test('the only owner of a workspace with members, which is their only one, is told what to do before leaving, and can delete it', async () => {
    const owner = await rig.user()
    const member = await memberOf(owner, 'admin')
    const page = await rig.open('/settings', { user: owner })
    await shown(page, 'You are the only owner. Transfer the ownership or make another member an owner first.')
    const leave = page.getByRole('button', { name: 'Leave workspace' })
    expect(await leave.count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    const memberPage = await rig.open('/settings', { user: member })
    // They have an own one too, and are in this one by their choice.
    await member.browser.succeed('POST', `/workspaces/${owner.workspaceId}/choose`)
    await memberPage.reload()
    await memberPage.getByRole('button', { name: 'Leave workspace' }).waitFor()
    await page.goto(`${rig.config.baseUrl}/dashboard/members`)
    await page.getByLabel(`Role of ${member.name}`).selectOption('Owner')
    await shown(page, `${member.name} is now Owner`)
    await page.goto(`${rig.config.baseUrl}/dashboard/settings`)
    await leave.waitFor()
    await press(page, 'Delete workspace')
    await fill(page, `Type ${owner.name} to confirm`, owner.name)
    await fill(page, 'Current password', PASSWORD)
    // Until the session says which workspace is next, nothing may be read of the one that is gone.
    await page.route(/\/session$/, async (route) => {
      await Bun.sleep(500)
      await route.continue()
    })
    const refused: string[] = []
    page.on('response', (answer) => {
      if (answer.status() === 404) refused.push(new URL(answer.url()).pathname)
    })
    await page.keyboard.press('Enter')
    await shown(page, `${owner.name} is deleted`)
    await shown(page, 'Create your first link')
    expect([...new Set(refused)]).toEqual(['/dashboard/api/session'])
  })

  test('on a phone the bar has the pages behind More, and members are cards', async () => {
    const owner = await rig.user()
    const member = await memberOf(owner, 'viewer')
    const page = await rig.open('/', { user: owner, width: 390, height: 844 })
    const bar = page.locator('.bottom-bar')
    await bar.getByRole('link', { name: 'Create link' }).waitFor()
    expect(await bar.getByRole('link').allTextContents()).toEqual(['Links', 'Overview', '', 'Domains'])
    await bar.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Members' }).click()
    await shown(page, member.email)
    expect(await overflowOf(page)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  /** A member of the owner's workspace, with an own one too. */
  async function memberOf(owner: TestUser, role: MemberRole): Promise<TestUser> {
    const member = await rig.user()
    const joined = { workspace_id: owner.workspaceId, user_id: member.userId, role, joined_at: 1 }
    await rig.store.db.insertInto('members').values(joined).execute()
    return member
  }
})

const LINK = { original_url: 'https://example.com/', title: 'Of the team', custom_code: 'team' }
