import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { analyticsOn } from './pages/analytics-page.ts'
import { shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('a link with aliases', () => {
  const rig = useBrowserRig()
  let owner: TestUser

  beforeAll(openCodes)

  test('shows how often each was opened, and each filters', async () => {
    const page = await rig.open('/links/own-code', { user: owner })
    const ways = analyticsOn(() => page).card('How they came')
    await ways.getByRole('tab', { name: 'Aliases' }).click()
    const rows = ways.getByRole('listitem')
    expect(
      await eventually(
        () => rows.allTextContents(),
        ({ length }) => length === 1,
      ),
    ).toEqual([expect.stringContaining('other-code')])
    expect(await axeFindings(page)).toEqual([])
    await ways.getByRole('button', { name: 'other-code' }).click()
    await shown(page, '1 of 3 clicks match')
    await page.getByRole('button', { name: 'Alias: other-code', exact: true }).waitFor()
  })

  async function openCodes(): Promise<void> {
    owner = await rig.user()
    await owner.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: 'own-code',
      aliases: ['other-code'],
    })
    for (const code of ['own-code', 'own-code', 'other-code']) await rig.call('GET', `/${code}`)
    await eventually(
      () => owner.browser.succeed('GET', '/analytics'),
      ({ total_clicks: clicks }) => clicks === 3,
    )
  }
})
