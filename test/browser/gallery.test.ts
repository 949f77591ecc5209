import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasNoChromium } from './chromium.ts'
import { axeFindings, overflowOf } from './browser-rig.ts'
import { type GalleryRig, startGalleryRig } from './gallery-rig.ts'

describe.skipIf(hasNoChromium)('all components in all states', () => {
  let rig: GalleryRig
  let page: Page
  let faults: string[]

  beforeAll(async () => {
    rig = await startGalleryRig()
    ;({ page, faults } = await rig.open())
    await page.locator('.map path').first().waitFor()
    await page.locator('.chart canvas').first().waitFor()
  })

  afterAll(() => rig.stop())

  test.each(['light', 'dark'] as const)(
    'axe finds nothing, %s, with a dialog and toasts open too',
    async (theme) => {
      await page.emulateMedia({ colorScheme: theme })
      expect(await axeFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Show toast' }).click()
      await page.getByRole('button', { name: 'Show bad toast' }).click()
      await page.getByRole('button', { name: 'Open dialog' }).click()
      expect(await axeFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.getByRole('button', { name: 'Open panel' }).click()
      expect(await axeFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      expect(await page.getByRole('dialog').count()).toBe(0)
    },
  )

  test('fit on a phone without scrolling sideways', async () => {
    const { page: phone } = await rig.open({ width: 390, height: 844 })
    await phone.locator('.chart canvas').first().waitFor()
    expect(await overflowOf(phone)).toBe(0)
  })

  test('a dialog focuses its first field, traps the focus, and returns it', async () => {
    const opener = page.getByRole('button', { name: 'Open dialog' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.tagName)
    expect(await focused()).toBe('INPUT')
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press('Tab')
      const isOutside = await page.evaluate(() =>
        document.activeElement?.matches('main *:not(dialog, dialog *)'),
      )
      expect(isOutside).toBe(false)
    }
    await page.keyboard.press('Escape')
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('arrow keys move through a menu and skip disabled items', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).focus()
    await page.keyboard.press('Enter')
    const focused = (name: string) =>
      page.waitForFunction((wanted) => document.activeElement?.textContent === wanted, name)
    await focused('Edit')
    await page.keyboard.press('ArrowDown')
    await focused('Delete')
    await page.keyboard.press('Escape')
  })

  test('arrow keys move through tabs and skip disabled ones', async () => {
    await page.getByRole('tab', { name: 'Browsers' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { selected: true, name: 'Systems' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { selected: true, name: 'Browsers' }).waitFor()
  })

  test('arrow keys move through the map, most clicked first, and each country is announced', async () => {
    const first = page.getByRole('img', { name: /^Germany: 1,200 clicks, 60/ })
    await first.focus()
    expect(await page.locator('.map .chart-tip').textContent()).toContain('Germany')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Brazil/)
    expect(await page.locator('.map .chart-tip').textContent()).toContain('600')
  })

  test('the chart announces its total, and its numbers are available as a table', async () => {
    const chart = page.getByRole('region', { name: 'Chart', exact: true })
    expect(await chart.getByRole('img').getAttribute('aria-labelledby')).not.toBeNull()
    await chart.getByText('343 clicks between 1 Apr and 7 Apr.').waitFor({ state: 'attached' })
    await chart.getByRole('button', { name: 'Show as table: Chart' }).click()
    expect(await chart.getByRole('row').count()).toBe(8)
    await chart.getByRole('button', { name: 'Show as chart: Chart' }).click()
  })

  test('a chart marks the current interval, and says when it ends', async () => {
    const legend = (title: string) =>
      page.getByRole('region', { name: title, exact: true }).locator('.chart-legend').textContent()
    expect(await legend('Chart of days, the last one not over')).toMatch(
      /Today so far, until 14:32.*Created 1 Apr/,
    )
    expect(await legend('Chart of months, and a million clicks')).toContain('This month so far, until 7 Apr')
    expect(await legend('Chart')).not.toContain('so far')
  })

  test('the last label of the time axis is beside the last point', async () => {
    for (const title of ['Chart', 'Chart of months, and a million clicks']) {
      const chart = page.getByRole('region', { name: title, exact: true }).locator('.chart')
      const [outer, inner] = [await chart.boundingBox(), await chart.locator('.u-over').boundingBox()]
      const place = outer!.x + outer!.width - inner!.x - inner!.width
      const widest = await page.evaluate(() => {
        const context = document.createElement('canvas').getContext('2d')!
        context.font = '12px system-ui, sans-serif'
        return context.measureText('May 2026').width
      })
      const half = title === 'Chart' ? 14 : widest / 2
      expect(place).toBeGreaterThanOrEqual(half)
    }
  })

  test('the text of the first tab is aligned with the card', async () => {
    const tab = page.getByRole('tab', { name: 'Browsers' })
    const start = await tab.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().left - element.parentElement!.getBoundingClientRect().left
    })
    expect(Math.abs(start)).toBeLessThan(1)
  })

  test('a busy button cannot be pressed twice, and a disabled one not at all', async () => {
    expect(await page.locator('.button.is-busy').first().getAttribute('aria-busy')).toBe('true')
    expect(await page.getByRole('button', { name: 'Disabled' }).first().isDisabled()).toBe(true)
  })

  test('colors with too little contrast for a camera cause a warning', async () => {
    const warning = page.getByText('Many cameras will not read it')
    expect(await warning.count()).toBe(0)
    await page.getByLabel('Color', { exact: true }).fill('#dddddd')
    await warning.waitFor()
    await page.getByLabel('Color', { exact: true }).fill('#000000')
  })

  test('the page’s Content Security Policy blocks nothing', () => {
    expect(faults).toEqual([])
  })
})
