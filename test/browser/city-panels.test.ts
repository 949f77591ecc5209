import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { madeMmdb } from '../rigs/clicks/made-mmdb.ts'
import { eventually } from '../rigs/eventually.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { analyticsOn } from './pages/analytics-page.ts'
import { shown } from './user-pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'tern-cities-'))
const database = join(folder, 'cities.mmdb')
writeFileSync(database, madeMmdb({ country_code: 'US', state1: 'Illinois', city: 'Springfield' }))

describe.skipIf(hasNoChromium)('with a database of cities', () => {
  const rig = useBrowserRig(() => startBrowserRig({ GEOIP_DB: database, TRUSTED_PROXIES: '127.0.0.1' }))
  let owner: TestUser

  beforeAll(visitOnce)
  afterAll(() => rmSync(folder, { recursive: true }))

  test('countries have their regions and cities behind tabs, and each row filters', async () => {
    const page = await rig.open('/links/places', { user: owner })
    const { card } = analyticsOn(() => page)
    const countries = card('Countries')
    await countries.getByRole('tab', { name: 'Regions' }).click()
    await countries.getByText('Illinois, US').waitFor()
    await countries.getByRole('tab', { name: 'Cities' }).click()
    expect(await axeFindings(page)).toEqual([])
    await countries.getByRole('button', { name: 'Springfield, Illinois, US' }).click()
    await shown(page, '1 of 2 clicks match')
    await page.getByRole('button', { name: 'City: Springfield, Illinois, US', exact: true }).waitFor()
  })

  async function visitOnce(): Promise<void> {
    owner = await rig.user()
    await owner.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: 'places',
    })
    for (const ip of ['1.2.3.4', '200.2.3.4'])
      await rig.call('GET', '/places', { headers: { 'X-Forwarded-For': ip } })
    await eventually(
      () => owner.browser.succeed('GET', '/analytics'),
      ({ total_clicks: clicks }) => clicks === 2,
    )
  }
})
