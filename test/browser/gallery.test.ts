import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasNoChromium } from './chromium.ts'
import { hasFocus } from './user-pages.ts'
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

  test.each([
    ['light', 'all'],
    ['dark', 'only the colors'],
  ] as const)('axe finds nothing, %s, with a dialog and toasts open too', async (theme, rules) => {
    await page.emulateMedia({ colorScheme: theme })
    expect(await axeFindings(page, rules)).toEqual([])
    await page.getByRole('button', { name: 'Show toast' }).click()
    await page.getByRole('button', { name: 'Show bad toast' }).click()
    await page.getByRole('button', { name: 'Open dialog' }).click()
    expect(await axeFindings(page, rules)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Open panel' }).click()
    expect(await axeFindings(page, rules)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('fit on a phone without scrolling sideways', async () => {
    const { page: phone } = await rig.open({ width: 390, height: 844 })
    await phone.locator('.chart canvas').first().waitFor()
    expect(await overflowOf(phone)).toBe(0)
  })

  test('the rows of the command palette have their places, light, dark and on a phone', async () => {
    const { page: phone } = await rig.open({ width: 390, height: 844 })
    for (const each of [page, phone]) {
      const button = each.getByRole('button', { name: 'Show palette' })
      await button.click()
      await each.getByRole('option', { name: 'Tag: Winter 2026 42 links' }).waitFor()
      await each.emulateMedia({ colorScheme: 'light' })
      expect(await axeFindings(each, each === page ? 'all' : 'all but the colors')).toEqual([])
      await each.emulateMedia({ colorScheme: 'dark' })
      expect(await axeFindings(each, 'only the colors')).toEqual([])
      expect(await overflowOf(each)).toBe(0)
      await button.click()
    }
  })

  test('a domain has a word for each state of its records and of its certificate', async () => {
    const row = (host: string) => page.getByRole('row').filter({ hasText: host })
    const words: [host: string, dns: string, tls: RegExp, links: string][] = [
      ['nls.example', 'Points here', /^Not checked$/, '1,190'],
      ['go.northlight.example', 'Points here', /^Validuntil .*\d/, '82'],
      ['soon.northlight.example', 'Points here', /^Expires in 6 dayson .*\d/, '82'],
      ['qr.northlight.example', 'Waiting for DNSchecked ', /^After DNS$/, '0'],
      [
        'schaufenster.nordlicht.example',
        'Points elsewhere198.51.100.7 · since ',
        /^Expired .*\d.*visitors see a warning$/,
        '12',
      ],
      ['back.northlight.example', 'Not verified', /^After DNS$/, '1'],
      ['wrong.northlight.example', 'Points here', /^Wrong hostvisitors see a warning$/, '82'],
      ['own.northlight.example', 'Points here', /^Self-signedvisitors see a warning$/, '82'],
      ['private.northlight.example', 'Points here', /^Not trustedvisitors see a warning$/, '82'],
      ['silent.northlight.example', 'Points here', /^No answervisitors cannot connect$/, '82'],
    ]
    for (const [host, dns, tls, links] of words) {
      expect([host, await row(host).locator('.cell-dns').textContent()]).toEqual([
        host,
        expect.stringContaining(dns),
      ])
      expect(await row(host).locator('.cell-tls').textContent()).toMatch(tls)
      expect([host, await row(host).locator('.cell-links').textContent()]).toEqual([host, links])
    }
    await page.getByText('12 links there cannot be opened.').waitFor()
    await page.getByText('1 link there cannot be opened.').waitFor()
    await page.getByText('The certificate of old.northlight.example has expired.').waitFor()
    // What does not point here has that notice alone.
    expect(await page.getByText('The certificate of schaufenster').count()).toBe(0)
    await page.getByRole('button', { name: 'Open removal of a domain' }).click()
    await page.getByText('82 links stop working immediately. They and their analytics stay.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('the workspaces to choose from are a menu, light and dark', async () => {
    await page.getByRole('button', { name: /Northlight Supply$/ }).click()
    await page.getByRole('menuitem', { name: 'Ada’s own' }).waitFor()
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a picker finds, ticks and creates by keyboard alone, and returns the focus', async () => {
    const opener = page.getByRole('button', { name: /^Tags:/ })
    await opener.focus()
    await page.keyboard.press('Enter')
    const find = page.getByRole('combobox', { name: 'Find in Tags' })
    await find.and(page.locator(':focus')).waitFor()
    const option = (name: string | RegExp) => page.getByRole('option', { name })
    expect(await option('Newsletter').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    expect(await option('Newsletter').getAttribute('aria-selected')).toBe('true')
    expect(await option('Winter').getAttribute('aria-selected')).toBe('true')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.type('spring')
    await option('Create tag “spring”').waitFor()
    await page.keyboard.press('Enter')
    expect(await option('spring').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.type('nothing of this name')
    await page.keyboard.press('Escape')
    await find.waitFor({ state: 'detached' })
    expect(await opener.textContent()).toBe('Tags: 3')
    await hasFocus(opener)
  })

  test('a picker of one closes with the choice, and shows at most 200 options', async () => {
    await page.getByRole('button', { name: 'Number: none' }).click()
    expect(await page.locator('.option').count()).toBe(200)
    await page.getByText('Type to find more.').waitFor()
    await page.keyboard.type('229')
    await page.getByRole('option', { name: 'Option 229' }).click()
    await page.getByRole('button', { name: 'Number: 229' }).waitFor()
    expect(await page.getByRole('listbox').count()).toBe(0)
    await page.getByRole('button', { name: 'Loading' }).click()
    expect(await page.getByRole('listbox').getAttribute('aria-busy')).toBe('true')
    await page.keyboard.press('Escape')
  })

  test('a combobox takes own text where that is allowed, and only options elsewhere', async () => {
    const medium = page.getByRole('combobox', { name: 'Medium' })
    await medium.focus()
    await page.keyboard.type('so')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await medium.inputValue()).toBe('social')
    await page.keyboard.type(' media')
    expect(await page.locator('.option').count()).toBe(0)
    await page.keyboard.press('Tab')
    expect(await medium.inputValue()).toBe('social media')
    const folder = page.getByRole('combobox', { name: 'Folder' })
    await folder.fill('no such')
    await page.getByText('No folders match').waitFor()
    await page.keyboard.press('Escape')
    expect(await folder.inputValue()).toBe('Newsletter')
    await page.keyboard.press('ArrowDown')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await folder.inputValue()).toBe('冬セール')
  })

  test('tags are typed, taken back, pasted as a list, removed, and chosen from those that there are', async () => {
    const input = page.getByRole('combobox', { name: 'Labels' })
    const field = page.locator('.tag-input').filter({ has: input })
    const tags = () => field.getByRole('listitem').allTextContents()
    await input.focus()
    await page.keyboard.type('one,two')
    expect(await tags()).toEqual(['Winter 2026', 'one'])
    await page.keyboard.press('Enter')
    await page.keyboard.type('one')
    await page.keyboard.press('Enter')
    expect(await tags()).toEqual(['Winter 2026', 'one', 'two'])
    expect(await input.inputValue()).toBe('')
    await page.keyboard.press('Backspace')
    expect([await tags(), await input.inputValue()]).toEqual([['Winter 2026', 'one'], 'two'])
    await page.keyboard.press('Tab')
    expect(await tags()).toEqual(['Winter 2026', 'one', 'two'])
    await input.focus()
    await page.keyboard.type('news')
    await page.getByRole('option', { name: 'Newsletter' }).waitFor()
    expect(await page.getByRole('option', { name: 'Winter' }).count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove one' }).press('Enter')
    await hasFocus(input)
    expect(await tags()).toEqual(['Winter 2026', 'two', 'Newsletter'])
    await input.evaluate((element) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'three\n two,four ')
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    expect(await tags()).toEqual(['Winter 2026', 'two', 'Newsletter', 'three', 'four'])
    await page.keyboard.press('Escape')
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
    await hasFocus(opener)
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

  test('tiles are picked with the arrow keys', async () => {
    await page.getByRole('radio', { name: 'rounded' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('radio', { name: 'dots' }).isChecked()).toBe(true)
  })

  test('a color is typed or picked, and what is none goes back', async () => {
    const typed = page.getByRole('textbox', { name: 'Modules', exact: true })
    await typed.fill('#12')
    expect(await typed.getAttribute('aria-invalid')).toBe('true')
    await typed.blur()
    expect(await typed.inputValue()).toBe('#0F3D56')
    expect(await page.getByLabel('Pick a color: Modules').inputValue()).toBe('#0f3d56')
    expect(await page.getByLabel('Pick a color: Background, disabled').isDisabled()).toBe(true)
  })

  test('the page’s Content Security Policy blocks nothing', () => {
    expect(faults).toEqual([])
  })
})
