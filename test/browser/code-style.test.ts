import { beforeAll, describe, expect, test } from 'bun:test'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { fill, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the codes of a workspace', () => {
  const rig = useBrowserRig()
  let owner: TestUser

  beforeAll(async () => {
    owner = await rig.user()
  })

  test('are made as its settings say', async () => {
    const page = await rig.open('/settings', { user: owner })
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Codes' }) })
    await card.getByLabel('New codes are made of').selectOption('Words')
    await fill(page, 'Begin with', 'go/')
    await card.getByRole('button', { name: 'Save' }).click()
    await shown(page, 'up to 20 letters, digits, dashes and underscores')
    await fill(page, 'Begin with', 'go-')
    await card.getByRole('button', { name: 'Save' }).click()
    await shown(page, 'Settings saved')
    expect(await axeFindings(page)).toEqual([])
    const create = (fields: object) =>
      owner.browser.succeed('POST', '/links', { original_url: 'https://example.com/', ...fields })
    expect((await create({})).short_code).toMatch(/^go-[a-z]+-[a-z]+-[a-z]+$/)
    await card.getByRole('switch', { name: 'Any characters in chosen codes' }).click()
    await page.getByRole('switch', { name: 'Any characters in chosen codes', checked: true }).waitFor()
    expect((await create({ custom_code: 'v1.2' })).short_code).toBe('v1.2')
  })
})
