import { beforeAll, describe, expect, test } from 'bun:test'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { heading, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the audit log', () => {
  const rig = useBrowserRig()
  let user: TestUser

  beforeAll(async () => {
    user = await rig.user()
  })

  test('is empty at first, and for admins only', async () => {
    const page = await rig.open('/audit-log', { user })
    await heading(page, 'Audit log')
    await shown(page, 'Changes to links, keys, domains and settings appear here.')
    await shown(page, 'are kept for 400 days')
    expect(await axeFindings(page)).toEqual([])
    const editor = await memberOf(rig, user, 'editor')
    const theirs = await rig.open('/audit-log', { user: editor })
    await heading(theirs, 'You don’t have access')
  })

  test('shows changes under their day, before and after, and all of an opened entry', async () => {
    await makeHistory()
    const page = await rig.open('/audit-log', { user })
    await shown(page, '4 entries')
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    await row('Today').waitFor()
    expect(await row('disabled 2 links').innerText()).toContain('Active → Disabled')
    expect(await row('created 3 links').innerText()).toContain('winter … summer')
    await page
      .getByRole('button', { name: 'Details: set the title, the password, and the tags of winter' })
      .press('Enter')
    const details = page.locator('.audit-box')
    expect(await details.innerText()).toMatch(/Title\s+None\s+Snow/)
    expect(await details.innerText()).toMatch(/Password\s+None\s+set/)
    expect(await details.innerText()).toContain('Firefox on Linux')
    expect(await page.content()).not.toContain('open sesame')
    expect(await axeFindings(page)).toEqual([])
    await details.getByRole('link', { name: 'Open link' }).click()
    await page.waitForURL('**/dashboard/links/winter')
  })

  test('is narrowed by filters that stay in the URL, and says when nothing matches', async () => {
    const page = await rig.open('/audit-log', { user })
    await page.getByRole('button', { name: 'Action', exact: true }).click()
    await page.getByRole('option', { name: 'created the API key' }).click()
    await page.keyboard.press('Escape')
    await shown(page, '1 entry')
    expect(new URL(page.url()).search).toBe('?action=key.created')
    await page.reload()
    await shown(page, 'Shop backend')
    await page.getByRole('searchbox').fill('nothing has this')
    await shown(page, 'No entries match.')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await shown(page, '4 entries')
    expect(new URL(page.url()).search).toBe('')
  })

  test('restores a link as it was before a change, after a question, and takes it back', async () => {
    const own = await rig.user()
    const { browser } = own
    const code = 'restored'
    await browser.succeed('POST', '/links', { original_url: 'https://example.com/old', custom_code: code })
    await browser.succeed('PUT', `/links/${code}`, { original_url: 'https://example.com/wrong' })
    await browser.succeed('PUT', `/links/${code}`, { title: 'Later' })
    const destination = async () => (await browser.succeed('GET', `/links/${code}`)).original_url
    const page = await rig.open(`/audit-log?search=${code}`, { user: own })
    await page.getByRole('button', { name: `Details: created ${code}` }).click()
    await page.getByText('Open link').waitFor()
    const button = page.getByRole('button', { name: 'Restore before' })
    expect(await button.count()).toBe(0)
    await page.getByRole('button', { name: `Details: changed the destination of ${code}` }).click()
    await button.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('so later changes are undone too').waitFor()
    await dialog.locator('.version-diff .hint').nth(1).waitFor()
    expect(await dialog.locator('.version-diff .hint').allInnerTexts()).toEqual(['Title', 'Destination'])
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await destination()).toBe('https://example.com/wrong')
    await button.click()
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    const undo = page.getByRole('button', { name: 'Undo' })
    // It stays while the pointer is on it.
    await undo.hover()
    expect(await destination()).toBe('https://example.com/old')
    await undo.click()
    await shown(page, 'The link is as it was before')
    expect(await destination()).toBe('https://example.com/wrong')
    await page.reload()
    await shown(page, 'restored a version of')
  })

  test('comes as a file of what is filtered', async () => {
    const page = await rig.open('/audit-log?action=key.created', { user })
    await shown(page, '1 entry')
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'NDJSON' }).click(),
    ])
    const text = await Bun.file(await download.path()).text()
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).action),
    ).toEqual(['key.created'])
  })

  test('loads more on demand, fits a phone, and says when it cannot be loaded', async () => {
    for (let n = 0; n < 50; n++) await user.browser.succeed('POST', '/tags', { name: `Tag ${n}` })
    const page = await rig.open('/audit-log', { user, width: 390, height: 844 })
    await shown(page, '54 entries')
    expect(await overflowOf(page)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    const more = page.getByRole('button', { name: 'Load more' })
    await more.scrollIntoViewIfNeeded()
    await shown(page, 'created 3 links')
    expect(await more.count()).toBe(0)
    await page.route('**/api/audit-log?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto(`${rig.config.baseUrl}/dashboard/audit-log?search=x`)
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
  })

  const makeHistory = async () => {
    const { browser } = user
    const links = ['winter', 'spring', 'summer'].map((code) => ({
      original_url: `https://example.com/${code}`,
      custom_code: code,
    }))
    await browser.succeed('POST', '/bulk-shorten', { links })
    await browser.succeed('PUT', '/links/winter', { title: 'Snow', tags: ['Ads'], password: 'open sesame' })
    await browser.succeed('POST', '/links/bulk-update', {
      short_codes: ['spring', 'summer'],
      set: { is_active: false },
    })
    await browser.succeed('POST', '/keys', { name: 'Shop backend', scopes: ['links:read'] })
  }
})
