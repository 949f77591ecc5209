import { beforeAll, describe, expect, test } from 'bun:test'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the case of codes on a domain', () => {
  const rig = useBrowserRig()
  let owner: TestUser

  beforeAll(addDomain)

  test('is ignored once no two codes differ in it only', async () => {
    const page = await rig.open(`/domains/${HOST}`, { user: owner })
    await heading(page, HOST)
    const ignore = async () => {
      await press(page, 'Ignore case')
      await page.getByRole('dialog').getByRole('button', { name: 'Ignore case' }).click()
    }
    await ignore()
    await shown(
      page,
      'Some codes differ in their case only: PROMO and Promo. Delete one of each, or move it to another domain, first.',
    )
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Cancel')
    await owner.browser.succeed('DELETE', `/links/PROMO?domain=${HOST}`)
    await ignore()
    await shown(page, `${HOST} ignores case.`)
    await shown(page, 'Visitors find a link whatever case they type its code in.')
    expect(await axeFindings(page)).toEqual([])
    const link = await owner.browser.succeed('GET', `/links/PROMO?domain=${HOST}`)
    expect(link.short_code).toBe('Promo')
  })

  const HOST = 'go.example.com'

  async function addDomain(): Promise<void> {
    owner = await rig.user()
    const row = { host: HOST, name: HOST, workspace_id: owner.workspaceId, verified_at: 1, created_at: 1 }
    await rig.store.db.insertInto('domains').values(row).execute()
    // A change of the domain reaches all threads.
    await owner.browser.succeed('PUT', `/domains/${HOST}`, { home_url: 'https://example.com/' })
    for (const custom_code of ['Promo', 'PROMO'])
      await owner.browser.succeed('POST', '/links', {
        original_url: 'https://example.com/',
        custom_code,
        domain: HOST,
      })
  }
})
