import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TestUser } from '../rigs/dashboard-rig.ts'
import { type BrowserRig, startBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { pagesOf } from './user-pages.ts'

const HOSTILE = '"><img src=x onerror=alert(1)></script><svg/onload=alert(1)>'
const STRANGE = 'img[src="x"], [onerror], [onload], main script, a[href^="javascript"]'

describe.skipIf(hasNoChromium)('names that look like markup', () => {
  let rig: BrowserRig
  let operator: TestUser
  const pages = pagesOf(() => rig)

  beforeAll(async () => {
    rig = await startBrowserRig()
    operator = await rig.user()
    await operator.browser.succeed('PUT', '/account', { name: HOSTILE })
    await operator.browser.succeed('PUT', '/workspace', { name: HOSTILE })
    await operator.browser.succeed('POST', '/domains', { host: 'go.example.com' })
    await operator.browser.succeed('POST', '/keys', { name: HOSTILE, scopes: ['links:read'] })
    await operator.browser.succeed('POST', '/admin/blocked-hosts', { host: 'evil.example', reason: HOSTILE })
  })

  afterAll(() => rig.stop())

  test.each(['/account', '/keys', '/admin', '/admin/workspaces', '/admin/domains', '/admin/hosts'])(
    'are only text on %s',
    async (path) => {
      const page = await pages.open(path, { user: operator })
      await page.getByText(HOSTILE).filter({ visible: true }).first().waitFor()
      expect(await page.locator(STRANGE).count()).toBe(0)
      // What the page's policy refuses is a fault on its console.
      expect(pages.faults()).toEqual([])
      await page.context().close()
    },
  )
})
