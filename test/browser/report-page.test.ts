import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the page to report a link', () => {
  const rig = useBrowserRig()

  beforeAll(async () => {
    const { browser } = await rig.user()
    await browser.succeed('POST', '/links', { url: 'https://example.com/', custom_code: 'odd-link' })
  })

  test('takes a report from the keyboard', async () => {
    const page = await openReport()
    await page.getByRole('radio', { name: 'Phishing or malware' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await page.keyboard.type('It sells things.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await heading(page, 'Thank you')
    const [report] = await rig.store.db.selectFrom('link_reports').selectAll().execute()
    expect(report).toMatchObject({ reason: 'spam', message: 'It sells things.' })
    expect(rig.takeFaults()).toEqual([])
  })

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
    ['dark', 320],
  ] as const)('has nothing wrong with it, %s and %d pixels wide', async (theme, width) => {
    const page = await openReport({ theme, width })
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await page.getByRole('radio', { name: 'Something else' }).check()
    await page.getByLabel('Message').fill('a'.repeat(1_001))
    const refused = page.waitForResponse((response) => response.status() === 422)
    await press(page, 'Send report')
    await refused
    await shown(page, 'The message may not be longer than 1000 characters.')
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await page.getByLabel('Message').fill('')
    await press(page, 'Send report')
    await heading(page, 'Thank you')
    await page.goto(`${rig.config.baseUrl}/odd-link+`)
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
  })

  async function openReport(look: { theme?: 'light' | 'dark'; width?: number } = {}): Promise<Page> {
    const page = await rig.open('/sign-in', look)
    await page.goto(`${rig.config.baseUrl}/odd-link+`)
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await page.getByRole('link', { name: 'Report this link' }).click()
    await shown(page, 'What is wrong with it?')
    return page
  }
})
