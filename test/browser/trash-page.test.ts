import { beforeAll, describe, expect, test } from 'bun:test'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { renameInTrash } from '../rigs/store/renamed-in-trash.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { chooseFrom, heading, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the trash', () => {
  const rig = useBrowserRig()
  let user: TestUser

  beforeAll(async () => {
    user = await rig.user()
  })

  test('is empty at first', async () => {
    const page = await rig.open('/', { user })
    await chooseFrom(page, 'More views', 'Trash')
    await heading(page, 'Trash')
    await shown(page, 'The trash is empty')
    await shown(page, 'Deleted links are kept here for 30 days, and can be restored until then.')
    expect(await axeFindings(page)).toEqual([])
  })

  test('restores links, and deletes them for good after a question', async () => {
    await makeDeleted('first', 'second', 'third')
    const page = await rig.open('/trash', { user })
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    expect(await row('About second').innerText()).toContain('30 days')
    await page.getByRole('button', { name: 'Restore second' }).click()
    await shown(page, 'second restored, with its clicks')
    await row('About second').waitFor({ state: 'detached' })
    expect((await rig.call('GET', '/second')).status).toBe(302)
    await page.getByRole('button', { name: 'Delete first for good' }).click()
    const question = page.getByRole('dialog', { name: 'Delete first for good?' })
    expect(await axeFindings(page)).toEqual([])
    await question.getByRole('button', { name: 'Delete for good' }).click()
    await shown(page, 'first deleted for good')
    await row('About first').waitFor({ state: 'detached' })
    await row('About third').waitFor()
    expect((await user.browser.request('POST', '/links/first/restore')).status).toBe(404)
  })

  test('says why a link cannot be restored', async () => {
    await makeDeleted('taken')
    const link = { original_url: 'https://example.com/newer', custom_code: 'newer' }
    await user.browser.succeed('POST', '/links', link)
    await renameInTrash(rig.store.db, 'taken', 'newer')
    const page = await rig.open('/trash', { user, width: 390, height: 844 })
    await page.getByRole('button', { name: 'Restore newer' }).click()
    await shown(page, 'Not restored: The short code opens another link now.')
    expect(await overflowOf(page)).toBe(0)
  })

  const makeDeleted = async (...codes: string[]) => {
    for (const code of codes) {
      const link = { original_url: `https://example.com/${code}`, custom_code: code, title: `About ${code}` }
      await user.browser.succeed('POST', '/links', link)
      await user.browser.succeed('DELETE', `/links/${code}`)
    }
  }
})
