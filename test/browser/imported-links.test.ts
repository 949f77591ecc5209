import { beforeAll, describe, expect, test } from 'bun:test'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { linkEditorOn } from './pages/link-editor-page.ts'
import { shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('an imported link with an unusual code', () => {
  const rig = useBrowserRig()
  let owner: TestUser

  beforeAll(importLink)

  test('is shown as people read it, has its page, and keeps its codes in an edit', async () => {
    const page = await rig.open('/', { user: owner })
    const row = page.locator('a.row-link')
    expect(await row.getAttribute('href')).toEndWith(`/links/${encodeURIComponent(CODE)}`)
    await shown(page, CODE)
    expect(await axeFindings(page)).toEqual([])
    await row.click()
    const heading = page.getByRole('heading', { level: 1 })
    await heading.filter({ hasText: `/${CODE}` }).waitFor()
    await page.reload()
    await heading.filter({ hasText: `/${CODE}` }).waitFor()
    const editor = linkEditorOn(() => page)
    await editor.editThis()
    await page.getByRole('button', { name: 'Add alias' }).click()
    await page.keyboard.type('added-code ')
    await editor.save()
    await editor.isClosed()
    const { aliases } = await owner.browser.succeed('GET', `/links/${encodeURIComponent(CODE)}`)
    expect(aliases).toEqual(['added-code', ALIAS])
  })

  const [CODE, ALIAS] = ['冬/セール.2026', 'b,c/d']

  async function importLink(): Promise<void> {
    owner = await rig.user()
    const link = { original_url: 'https://example.com/', custom_code: CODE, aliases: [ALIAS] }
    await owner.browser.succeed('POST', '/links/import', { links: [link] })
  }
})
