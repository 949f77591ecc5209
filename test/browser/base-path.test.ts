import { beforeAll, describe, expect, test } from 'bun:test'
import { freePort } from '../rigs/free-port.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { fill } from './user-pages.ts'

const PORT = freePort()
const BASE_URL = `http://localhost:${PORT}/links`

describe.skipIf(hasNoChromium)('the dashboard at a path of a host', () => {
  const rig = useBrowserRig(() => startBrowserRig({ PORT: String(PORT), BASE_URL }))
  let owner: TestUser

  beforeAll(async () => {
    owner = await rig.user()
  })

  test('is all there: its pages, what they load, and links to the rest of the server', async () => {
    const page = await rig.open('/', { user: owner })
    await fill(page, 'Paste a long URL', 'https://example.com/launch')
    await page.keyboard.press('Enter')
    await page
      .getByText(/localhost:\d+\/links\/\w+/)
      .first()
      .waitFor()
    const elsewhere = page
      .waitForRequest((request) => !new URL(request.url()).pathname.startsWith('/links/'), { timeout: 3_000 })
      .then((request) => request.url())
      .catch(() => undefined)
    for (const path of ['/overview', '/domains', '/keys', '/account/security', '/admin']) {
      await page.goto(`${BASE_URL}/dashboard${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect(new URL(page.url()).pathname).toStartWith('/links/dashboard')
    }
    expect(await elsewhere).toBeUndefined()
  })

  test('a page of the server leads to its other pages', async () => {
    const page = await rig.open('/sign-in')
    await page.locator('a.brand').first().click()
    await page.getByRole('link', { name: 'API reference' }).first().click()
    expect(new URL(page.url()).pathname).toBe('/links/docs')
  })
})
