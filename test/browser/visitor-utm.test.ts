import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { analyticsOn } from './pages/analytics-page.ts'
import { shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('UTM parameters of short URLs', () => {
  const rig = useBrowserRig()
  let owner: TestUser

  beforeAll(async () => {
    owner = await rig.user()
    const link = { original_url: 'https://example.com/?utm_source=newsletter', custom_code: 'everywhere' }
    await owner.browser.succeed('POST', '/links', link)
  })

  test('are counted once the workspace says so, and are a panel of the link’s page that filters', async () => {
    const settings = await rig.open('/settings', { user: owner })
    const counts = settings.getByRole('switch', { name: 'UTM parameters of short URLs' })
    await visit('?utm_source=poster')
    await counts.click()
    await shown(settings, 'Settings saved')
    expect(await counts.getAttribute('aria-checked')).toBe('true')
    await visit('?utm_source=poster', '')
    await eventually(
      () => owner.browser.succeed('GET', '/analytics'),
      ({ total_clicks: clicks }) => clicks === 3,
    )

    const page = await rig.open('/links/everywhere', { user: owner })
    const { card } = analyticsOn(() => page)
    const rows = card('Campaigns').getByRole('listitem')
    expect(
      await eventually(
        () => rows.allTextContents(),
        ({ length }) => length === 2,
      ),
    ).toEqual([expect.stringContaining('newsletter'), expect.stringContaining('poster')])
    expect(await axeFindings(page)).toEqual([])
    await card('Campaigns').getByRole('button', { name: 'poster' }).click()
    await shown(page, '1 of 3 clicks match')
    await page.getByRole('button', { name: 'UTM source: poster', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?utm_source=poster')
  })

  async function visit(...queries: string[]): Promise<void> {
    for (const query of queries) await rig.call('GET', `/everywhere${query}`, {})
  }
})
