import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasNoChromium } from './chromium.ts'
import { axeFindings, type DashboardRig, startDashboardRig } from './dashboard-rig.ts'

describe.skipIf(hasNoChromium)('many links at once', () => {
  let rig: DashboardRig
  let page: Page

  beforeAll(async () => {
    rig = await startDashboardRig()
  })

  afterAll(() => rig.stop())

  beforeEach(async () => {
    await rig.begin()
    ;({ page } = await rig.open('/'))
    await page.getByRole('button', { name: 'Create many' }).click()
    await page.getByLabel('One address a line').waitFor()
  })

  const lines = (text: string) => page.getByLabel('One address a line').fill(text)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const sent = (line: string) =>
    rig.server.requests.filter((each) => each.line === line).map(({ body }) => body)

  test('a bad row is shown with its line and reason before anything is stored', async () => {
    await lines('https://example.com/a, First\nno address\nhttps://example.com/c')
    await press('Check')
    await page.getByText('1 row is refused.').waitFor()
    const cells = await page.locator('dialog tbody td').allTextContents()
    expect(cells).toEqual(['2', 'no address', 'The original url must be an absolute http or https address.'])
    expect(sent('POST /bulk-shorten')).toEqual([])
    expect(await axeFindings(page)).toEqual([])
  })

  test('the others are created without it', async () => {
    await lines('https://example.com/a, First\nno address\nhttps://example.com/c')
    await press('Check')
    await press('Create 2 links')
    await page.getByText('2 links created').waitFor()
    expect(sent('POST /bulk-shorten')).toEqual([
      {
        links: [
          { original_url: 'https://example.com/a', title: 'First' },
          { original_url: 'https://example.com/c' },
        ],
      },
    ])
    await page.getByRole('row').filter({ hasText: 'example.com/c' }).waitFor()
  })

  test('the lines can be mended and are as they were', async () => {
    await lines('no address')
    await press('Check')
    await press('Mend the lines')
    expect(await page.getByLabel('One address a line').inputValue()).toBe('no address')
  })

  test('a file is read into the field, where it can be mended', async () => {
    await page.locator('input[type=file]').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('url,title\nhttps://example.com/a,"One, two"\n'),
    })
    await page.waitForFunction(() => document.querySelector('textarea')?.value !== '')
    expect(await page.getByLabel('One address a line').inputValue()).toBe('https://example.com/a, "One, two"')
  })

  test('after a failure midway only the rest is tried again', async () => {
    await lines(Array.from({ length: 150 }, (_, at) => `https://example.com/${at}`).join('\n'))
    await press('Check')
    const before = rig.server.links.length
    // The first hundred go through, the server is away for the second.
    let asked = 0
    await page.route('**/bulk-shorten', (route) => (++asked === 2 ? route.abort() : route.continue()))
    await press('Create 150 links')
    await page.getByText('Stopped: 100 links were created').waitFor()
    await press('Create 50 links')
    await page.getByText('50 links created').waitFor()
    expect(rig.server.links.length - before).toBe(150)
  })
})
