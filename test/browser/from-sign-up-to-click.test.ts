import { beforeAll, describe, expect, test } from 'bun:test'
import { keysOn } from './pages/keys-page.ts'
import { PASSWORD } from '../rigs/service/add-user.ts'
import { skipBecause } from '../skips.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { fill, heading, isSignedInAt, press, shown } from './user-pages.ts'

const EMAIL = 'newcomer@example.com'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const hasNoCurl = Bun.which('curl') === null && skipBecause('the key in a shell', 'apt-get install curl')

describe.skipIf(hasNoChromium || hasNoCurl)('a newcomer', () => {
  const rig = useBrowserRig()

  beforeAll(async () => {
    await rig.user({ email: 'operator@example.com' })
  })

  test('signs up, opens the email, creates a key, creates a link with it, and sees the first click', async () => {
    const page = await rig.open('/sign-up')
    await fill(page, 'Your name', 'Newcomer')
    await fill(page, 'Email', EMAIL)
    await fill(page, 'Password', PASSWORD)
    await page.keyboard.press('Enter')
    await shown(page, `We sent a link to ${EMAIL}.`)
    const { text } = await rig.mailTo(EMAIL)
    await page.goto(/https?:\/\/\S+#[\w-]+/.exec(text)![0])
    await press(page, 'Confirm email')
    await press(page, 'Sign in')
    await fill(page, 'Password', PASSWORD)
    await page.keyboard.press('Enter')
    await isSignedInAt(page)
    // The first link is one paste away.
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Paste a long URL',
    )

    await page.getByRole('link', { name: 'Keys' }).first().click()
    await heading(page, 'No API keys yet')
    const keys = keysOn(() => page)
    await keys.open('Shell')
    const key = await keys.create()
    await keys.close()
    const made = JSON.parse(
      await curl('-d', '{"original_url":"https://example.com/","custom_code":"first"}', key),
    )
    expect(made).toMatchObject({ success: true, data: { short_code: 'first', click_count: 0 } })

    // No user is back within the second in which a list that was just read counts as fresh.
    await page.reload()
    await page.getByRole('link', { name: 'Links' }).first().click()
    await page.getByRole('link', { name: /\/first$/ }).click()
    await shown(page, 'No clicks yet')
    await page.getByText('Live', { exact: true }).waitFor()
    const visit = await fetch(made.data.short_url, { redirect: 'manual', headers: { 'User-Agent': FIREFOX } })
    expect(visit.headers.get('location')).toBe('https://example.com/')
    await page.getByRole('listitem').filter({ hasText: 'Firefox' }).waitFor()
    expect(rig.takeFaults()).toEqual([])
  })

  async function curl(option: string, body: string, key: string): Promise<string> {
    const headers = ['-H', `X-API-Key: ${key}`, '-H', 'Content-Type: application/json']
    const child = Bun.spawn(['curl', '-s', `${rig.config.baseUrl}/api/links`, ...headers, option, body])
    return new Response(child.stdout).text()
  }
})
