import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { inDialog } from './user-pages.ts'
import { linkListOn } from './pages/link-list-page.ts'
import { selectionBarOn } from './pages/selection-bar.ts'

describe.skipIf(hasNoChromium)('selected links', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const { choose, row, hasMenu, tick, says, press } = linkListOn(() => page)
  const { button, chooseExport, isGone, moveTo, selectAll } = selectionBarOn(() => page)
  let tests = 0
  /** Codes are the whole service's: each test has its own, the newest first in the list. */
  let codes: string[]

  beforeEach(openWithLinks)

  test('are picked by check boxes that are visible before anything points at them', async () => {
    await open()
    const boxes = page.locator('.link-table').getByRole('checkbox')
    expect(await boxes.count()).toBe(codes.length + 1)
    const hidden = await boxes.evaluateAll((all) =>
      all.filter((each) => !each.checkVisibility({ opacityProperty: true, visibilityProperty: true })),
    )
    expect(hidden).toEqual([])
  })

  test('are exported, exactly these, archived ones too, as the export of the list has them', async () => {
    const [, second, third] = codes as [string, string, string]
    await ask('PUT', `/links/${second}`, { archived: true, title: '=1+1' })
    await open()
    await page.goto(`${page.url()}?archived=include`)
    await row(second).waitFor()
    await tick(third).click()
    await tick(second).click()
    await says('2 selected')
    const exported = async (format: string) =>
      (await user.browser.request('GET', `/export/links?archived=include&format=${format}`)).text
    const all = (await exported('ndjson')).split('\n')
    const linesOf = (text: string) => text.split('\n').map((line) => line && JSON.parse(line))
    const chosen = all.filter((line) => [second, third].some((code) => line.includes(`"${code}"`)))
    expect(linesOf(await download('NDJSON'))).toEqual(linesOf([...chosen, ''].join('\n')))
    const [head, ...rows] = (await exported('csv')).split('\r\n')
    const [chosenHead, ...chosenRows] = (await download('CSV')).split('\r\n')
    expect(chosenHead).toBe(head!)
    expect(chosenRows).toEqual([rows[1]!, rows[2]!, ''])
  })

  test('say so when they cannot be exported, and nothing is saved', async () => {
    await open()
    await selectAll(5)
    await page.route('**/export/links?**', (route) => route.abort())
    await chooseExport('CSV')
    await says('Not exported: The server cannot be reached. Check the connection, then try again.')
    await says('5 selected')
    rig.takeFaults()
  })

  test('are tagged, moved, archived, deleted, and all of it is undone, by keyboard alone', async () => {
    await make('sel-tagged', { tags: ['Retail'] })
    await ask('DELETE', '/links/sel-tagged')
    await open()
    await press('j', 'x', 'Shift+ArrowDown', 'Shift+ArrowDown')
    await says('3 selected')
    const [first, second, third, fourth] = codes as [string, string, string, string]
    expect([await tick(third).isChecked(), await tick(fourth).isChecked()]).toEqual([true, false])

    await press('t')
    await page.getByPlaceholder('Find or create a tag').waitFor()
    await page.keyboard.type('Winter')
    await page.getByText('Create tag “Winter”').waitFor()
    await press('Enter', 'Control+Enter')
    await says('Tags of 3 links changed')
    expect([await read(first), await read(third), await read(fourth)].map(({ tags }) => tags)).toEqual([
      ['Winter'],
      ['Winter'],
      [],
    ])
    await row(first).getByText('Winter').waitFor()
    await press('Control+z')
    await says('3 links changed back')
    expect((await read(second)).tags).toEqual([])

    await moveTo('Fair')
    await says('3 links moved')
    expect((await read(second)).folder).toBe('Fair')

    await press('a')
    await says('3 links archived. They keep redirecting.')
    await isGone()
    await row(third).waitFor({ state: 'detached' })
    expect((await listed()).length).toBe(2)
    await press('Control+z')
    await row(third).waitFor()
    expect((await read(third)).archived).toBe(false)

    await selectAll(5)
    await press('Backspace')
    await says('5 links deleted')
    await page.getByText('Create your first link').waitFor()
    await press('Control+z')
    await says('5 links restored')
    await row(first).waitFor()
    expect((await read(first)).folder).toBe('Fair')
  })

  test('are a range between two ticks with Shift, and Escape ends the selection', async () => {
    await open()
    await tick(codes[1]!).click()
    await tick(codes[3]!).click({ modifiers: ['Shift'] })
    await says('3 selected')
    const head = page.getByRole('checkbox', { name: 'Select all links on this page' })
    expect(await head.evaluate((input: HTMLInputElement) => input.indeterminate)).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await press('Escape')
    await isGone()
    expect(page.url()).toEndWith('/dashboard/')
    await head.click()
    await says('5 selected')
  })

  test('show which tags all of them have and which some, and only what is touched changes', async () => {
    const [one, two] = codes as [string, string]
    await ask('POST', '/links/bulk-update', { short_codes: [one, two], set: { tags: ['Both'] } })
    await ask('POST', '/links/bulk-update', { short_codes: [one], set: { add_tags: ['Some', 'Left'] } })
    await open({ theme: 'dark' })
    await tick(one).click()
    await tick(two).click()
    await button('Tag').click()
    const option = (name: string) => page.getByRole('option', { name })
    await option('Both').getByText('all 2').waitFor()
    await option('Some').getByText('1 of 2').waitFor()
    expect(await option('Some').getAttribute('aria-checked')).toBe('mixed')
    expect(await axeFindings(page)).toEqual([])
    await option('Both').click()
    await option('Some').click()
    await page.getByRole('button', { name: 'Apply to 2 links' }).click()
    await says('Tags of 2 links changed')
    expect((await read(one)).tags.toSorted()).toEqual(['Left', 'Some'])
    expect((await read(two)).tags).toEqual(['Some'])
  })

  test('are disabled and enabled, by whichever all of them can be', async () => {
    await open()
    await tick(codes[0]!).click()
    await button('Disable').click()
    await says('1 link disabled')
    await row(codes[0]!).getByText('Disabled', { exact: true }).waitFor()
    await button('Enable').click()
    await says('1 link enabled')
    await tick(codes[1]!).click()
    await ask('POST', '/links/bulk-update', { short_codes: [codes[1]], set: { is_active: false } })
    await button('Disable').waitFor()
  })

  test('of all pages are changed in parts of 100; a refused part says which link and why', async () => {
    const many = Array.from({ length: 225 }, (_, at) => `part-${tests}-${String(at).padStart(3, '0')}`)
    for (let at = 0; at < many.length; at += 100) {
      const links = many.slice(at, at + 100)
      await ask('POST', '/bulk-shorten', {
        links: links.map((custom_code) => ({ original_url: 'https://example.com/', custom_code })),
      })
    }
    await open({}, many.at(-1)!)
    await selectAll(25, 230)
    // Somebody else deletes one of the second hundred.
    await ask('DELETE', `/links/${many[100]}`)
    // It is not in the file, and the others are.
    const inFile = (await download('CSV')).split('\r\n').slice(1, -1)
    expect(inFile.map((line) => line.split(',')[1])).toEqual(
      [...many.toReversed(), ...codes].filter((code) => code !== many[100]),
    )
    await moveTo('Retail')
    await says('130 of 230 links were moved. The rest was refused.')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Refused links' })
    await dialog.getByRole('row').filter({ hasText: many[100]! }).getByText('Link not found.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await press('Escape')
    expect((await ask('GET', '/folders'))[0]).toMatchObject({ name: 'Retail', link_count: 130 })
    await press('Backspace')
    await page.getByText('They stop redirecting. They stay in the trash for 30 days.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  test('are undone with progress, and what could not be undone can be undone again', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `undo-${tests}-${String(at).padStart(3, '0')}`)
    for (const from of [0, 100])
      await ask('POST', '/bulk-shorten', {
        links: many.slice(from, from + 100).map((custom_code) => ({
          original_url: 'https://example.com/',
          custom_code,
          folder: 'Fair',
        })),
      })
    const moved = async () =>
      (await ask('GET', '/folders')).map(({ name, link_count: links }: any) => `${name} ${links}`)
    await open({}, many.at(-1)!)
    await selectAll(25, 155)
    await moveTo('Shop')
    await says('155 links moved')
    // Two folders that they had: three parts, the second of which fails.
    let sent = 0
    const seen = Promise.withResolvers<void>()
    await page.route('**/links/bulk-update', async (route) => {
      if (++sent !== 2) return route.continue()
      await seen.promise
      return route.abort()
    })
    await press('Control+z')
    await says('100 of 155 links')
    seen.resolve()
    await page.getByText('100 of 155 links were changed back. The server cannot be reached.').waitFor()
    expect(await moved()).toEqual(['Fair 100', 'Shop 55'])
    await press('Control+z')
    await says('55 links changed back')
    expect(await moved()).toEqual(['Fair 150', 'Shop 0'])
    // The browser reports the request by itself.
    rig.takeFaults()
  })

  test('are chosen from the menu of a row, which ends with the picker; a duplicate has a code of its own', async () => {
    await ask('POST', '/links/bulk-update', {
      short_codes: [codes[2]],
      set: { tags: ['Kept'], folder: 'Box' },
    })
    await open()
    await choose(codes[2]!, 'Move to folder')
    await page.getByRole('option', { name: 'No folder' }).click()
    await says('1 link moved')
    await isGone()
    expect((await read(codes[2]!)).folder).toBeNull()
    await choose(codes[2]!, 'Duplicate')
    const destination = page.getByLabel('Destination')
    expect(await destination.inputValue()).toBe(`https://example.com/${codes[2]}`)
    await inDialog(page, 'Create link')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const [made] = await ask('GET', '/links')
    expect(made).toMatchObject({ original_url: `https://example.com/${codes[2]}`, tags: ['Kept'] })
    expect(codes).not.toContain(made.short_code)
  })

  test('on a phone begin with a button or a long press, and take the place of the bars', async () => {
    await open({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await row(codes[0]!).click()
    await row(codes[1]!).click()
    await says('2 selected')
    expect(await axeFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    for (const button of await page.locator('.bulk-bar > button, .bulk-count > button').all())
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Export as CSV' }).waitFor()
    await press('Escape')
    await button('Archive').click()
    await says('2 links archived. They keep redirecting.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(codes[0]!).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Select', exact: true }).waitFor()
  })

  test('begin with a long press, and a short one opens the link', async () => {
    await open({ width: 390, height: 844 })
    const touch = (type: string) =>
      row(codes[1]!).dispatchEvent(type, { pointerType: 'touch', bubbles: true })
    await touch('pointerdown')
    await page.getByText('1 selected').waitFor()
    await touch('pointerup')
    // The click that ends the press.
    await row(codes[1]!).dispatchEvent('click')
    expect(await tick(codes[1]!).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Done' }).click()
    await row(codes[1]!).click()
    await page.waitForURL(new RegExp(`/links/${codes[1]}$`))
  })

  async function openWithLinks(): Promise<void> {
    user = await rig.user()
    codes = ['a', 'b', 'c', 'd', 'e'].map((letter) => `sel-${tests}-${letter}`)
    tests++
    for (const code of codes.toReversed()) await make(code)
  }

  const open = async (look: Look = {}, first = codes[0]!) => {
    page = await rig.open('/', { user, ...look })
    await hasMenu(first)
  }

  const ask = (method: string, path: string, body?: unknown) => user.browser.succeed(method, path, body)

  const make = (custom_code: string, fields: object = {}) =>
    ask('POST', '/links', { original_url: `https://example.com/${custom_code}`, custom_code, ...fields })

  const read = (code: string) => ask('GET', `/links/${code}`)
  const listed = () => page.locator('tbody .row-link').allTextContents()

  /** What the bar exports. */
  const download = async (format: 'CSV' | 'NDJSON') => {
    const saved = page.waitForEvent('download')
    await chooseExport(format)
    const file = await saved
    expect(file.suggestedFilename()).toMatch(new RegExp(`^tern-links-[-\\d]{10}\\.${format.toLowerCase()}$`))
    return Bun.file(await file.path()).text()
  }
})
