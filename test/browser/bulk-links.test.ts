import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { clipboard, copies, press as pressOn } from './user-pages.ts'

describe.skipIf(hasNoChromium)('bulk create', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page

  beforeEach(async () => {
    user = await rig.user()
    page = await rig.open('/', { user })
    await page.getByRole('button', { name: 'Bulk create' }).click()
    await field().waitFor()
  })

  test('shows an invalid row with its line and reason before anything is stored', async () => {
    await field().fill('https://example.com/a, First\nno address\nhttps://example.com/c')
    await press('Check links')
    await page.getByText('1 line has an error.').waitFor()
    expect(await cells()).toEqual([['2', 'no address', NOT_A_URL]])
    expect((await stored()).total).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  test('shows what each line becomes, and creates the other rows without it, in their order', async () => {
    await field().fill('https://example.com/a,First of two\nno address\nhttps://example.com/c,,bulk-shown')
    await press('Check links')
    const ready = page.getByRole('region', { name: '2 links are ready' }).getByRole('row')
    await ready.first().waitFor()
    expect(await ready.allInnerTexts()).toEqual([
      'Destination\tTitle\tCustom code',
      'example.com/a\tFirst of two\tRandom',
      'example.com/c\t\tbulk-shown',
    ])
    await press('Create 2 links')
    await created(2)
    expect((await stored()).links).toMatchObject([
      { original_url: 'https://example.com/a', title: 'First of two' },
      { original_url: 'https://example.com/c', title: '', short_code: 'bulk-shown' },
    ])
    await press('Done')
    await page.getByRole('row').filter({ hasText: 'example.com/c' }).waitFor()
  })

  test('gives all links the tags and the folder that are chosen, new ones too', async () => {
    await user.browser.succeed('POST', '/tags', { name: 'Winter 2026' })
    await page.reload()
    await press('Bulk create')
    await field().fill('https://example.com/a\nhttps://example.com/b, Second')
    await page.getByRole('combobox', { name: 'Tags' }).fill('win')
    await page.getByRole('option', { name: 'Winter 2026' }).click()
    await page.keyboard.type('Retail,')
    await page.getByRole('combobox', { name: 'Folder' }).fill('Campaigns')
    expect(await axeFindings(page)).toEqual([])
    await press('Check links')
    await press('Create 2 links')
    await created(2)
    const labels = { tags: ['Retail', 'Winter 2026'], folder: 'Campaigns' }
    expect((await stored()).links).toMatchObject([labels, { ...labels, title: 'Second' }])
  })

  test('names a tag that cannot be, and checks again once it is removed', async () => {
    await field().fill('https://example.com/a\nno address')
    const tags = page.getByRole('combobox', { name: 'Tags' })
    await tags.fill(`${'t'.repeat(51)},`)
    await press('Check links')
    await page.getByText('The tag may not be greater than 50 characters.').waitFor()
    expect(await field().inputValue()).toBe('https://example.com/a\nno address')
    expect(await axeFindings(page)).toEqual([])
    await tags.press('Backspace')
    await tags.fill('')
    await press('Check links')
    await page.getByText('1 line has an error.').waitFor()
    expect(await cells()).toEqual([['2', 'no address', NOT_A_URL]])
  })

  test('ends with the list, to copy or download', async () => {
    await field().fill('https://example.com/a, "First, of two"\nhttps://example.com/b')
    await press('Check links')
    await press('Create 2 links')
    await created(2)
    const { links } = await stored()
    const shortUrls = links.map(({ short_url }) => String(short_url))
    expect(await cells()).toEqual(
      shortUrls.map((url, at) => [url.replace('http://', ''), `example.com/${'ab'[at]}`]),
    )
    expect(await axeFindings(page)).toEqual([])
    // The focus is at what is wanted next.
    await copies(page, () => page.keyboard.press('Enter'))
    expect(await clipboard(page)).toBe(shortUrls.join('\n'))
    const waiting = page.waitForEvent('download')
    await press('Download CSV')
    const download = await waiting
    expect(download.suggestedFilename()).toBe('short-urls.csv')
    expect(await Bun.file(await download.path()).text()).toBe(
      'Short URL,Destination,Title\r\n' +
        `${shortUrls[0]},https://example.com/a,"First, of two"\r\n` +
        `${shortUrls[1]},https://example.com/b,\r\n`,
    )
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('rejects codes that are taken or appear twice, at their lines', async () => {
    await user.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: 'bulk-taken',
    })
    const lines = addresses(120).split('\n')
    lines[0] += ', , bulk-twice'
    lines[50] += ', , bulk-taken'
    lines[110] += ', , bulk-twice'
    await field().fill(lines.join('\n'))
    await press('Check links')
    await page.getByText('2 lines have errors.').waitFor()
    expect(await cells()).toEqual([
      ['51', 'https://example.com/50', 'The custom code has already been taken.'],
      ['111', 'https://example.com/110', 'The code is already used on line 1.'],
    ])
    await page.getByRole('button', { name: 'Create 118 links' }).waitFor()
  })

  test('keeps the list when it is edited', async () => {
    await field().fill('no address')
    await press('Check links')
    await press('Edit list')
    expect(await field().inputValue()).toBe('no address')
  })

  test('reads a file, with the columns that are chosen if their names are not known', async () => {
    await page.locator('input[type=file]').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      // As spreadsheets write "CSV" in Germany: semicolons, Windows-1252.
      buffer: Buffer.from('Long URL;Klicks;Wie\nhttps://example.com/a;1234;Gr\u00f6\u00dfe\n', 'latin1'),
    })
    await page.getByText('was read as Windows-1252').waitFor()
    await page.getByText('Not imported: Klicks, Wie.').waitFor()
    await page.getByLabel('Title', { exact: true }).selectOption('Wie')
    await page.getByText('Not imported: Klicks.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await press('Check links')
    await press('Create 1 link')
    await created(1)
    const [link] = (await stored()).links
    expect(link).toMatchObject({ original_url: 'https://example.com/a', title: 'Größe' })
    expect(link!.short_code).not.toBe('1234')
  })

  test('accepts a dropped file', async () => {
    await page.locator('.drop').evaluate((place) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['https://example.com/dropped,,dropped-code'], 'links.csv'))
      place.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })
    await page.waitForFunction(() => document.querySelector('textarea')?.value !== '')
    expect(await field().inputValue()).toBe('https://example.com/dropped,,dropped-code')
  })

  test('shows its progress while it runs, and is not closed by mistake', async () => {
    await field().fill(addresses(150))
    await press('Check links')
    const { promise: heard, resolve: goOn } = Promise.withResolvers<void>()
    let asked = 0
    await page.route('**/bulk-shorten', async (route) => {
      if (++asked === 2) await heard
      await route.continue()
    })
    await press('Create 150 links')
    await page.getByText('100 of 150 created').waitFor()
    const bar = page.getByRole('progressbar')
    expect([await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')]).toEqual([
      '100',
      '150',
    ])
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(1)
    goOn()
    await created(150)
    expect((await stored()).total).toBe(150)
  })

  test('sends a part whose response was lost again, which is stored once', async () => {
    await field().fill(addresses(150))
    await press('Check links')
    let asked = 0
    await page.route('**/bulk-shorten', async (route) => {
      if (++asked !== 2) return route.continue()
      // The service has stored them; nobody hears of it.
      await route.fetch()
      await route.abort()
    })
    await press('Create 150 links')
    await page.getByText('Stopped after 100 links.').waitFor()
    expect((await stored()).total).toBe(150)
    await press('Create 50 links')
    await created(150)
    expect((await stored()).total).toBe(150)
  })

  test('leaves only rows that were not created when the list is edited after that', async () => {
    await field().fill(`${addresses(101)}\nno address`)
    await press('Check links')
    let asked = 0
    await page.route('**/bulk-shorten', (route) => (++asked === 2 ? route.abort() : route.continue()))
    await press('Create 101 links')
    await page.getByText('Stopped after 100 links.').waitFor()
    await press('Edit list')
    expect(await field().inputValue()).toBe('https://example.com/100\nno address')
    await page.unroute('**/bulk-shorten')
    await press('Check links')
    await press('Create 1 link')
    // Those from before are in the list too.
    await created(101)
    expect((await stored()).total).toBe(101)
  })

  test('reports a code that was taken after the check at its row, and creates the others', async () => {
    await field().fill('https://example.com/a, , bulk-late\nhttps://example.com/b')
    await press('Check links')
    await page.getByRole('button', { name: 'Create 2 links' }).waitFor()
    const somebody = await rig.user()
    await somebody.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: 'bulk-late',
    })
    // The dialog goes on, however long the list behind it takes.
    const { promise: listed, resolve: list } = Promise.withResolvers<void>()
    await page.route('**/links?*', async (route) => {
      await listed
      await route.continue()
    })
    await press('Create 2 links')
    await page.getByText('1 line has an error.').waitFor()
    expect(await cells()).toEqual([['1', 'https://example.com/a', 'The custom code has already been taken.']])
    await press('Create 1 link')
    await created(1)
    list()
    expect((await stored()).links).toMatchObject([{ original_url: 'https://example.com/b' }])
  })

  const field = () => page.getByLabel('One URL per line')
  const press = (name: string) => pressOn(page, name)

  const addresses = (count: number) =>
    Array.from({ length: count }, (_, at) => `https://example.com/${at}`).join('\n')

  const created = (count: number) =>
    page.getByRole('dialog', { name: count === 1 ? '1 link created' : `${count} links created` }).waitFor()

  /** Of the first table: errors stand before what is ready. */
  const cells = () =>
    page
      .locator('dialog table')
      .first()
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent)),
      )

  /** What the service has, oldest first. */
  const stored = async () => {
    const { body } = await user.browser.request('GET', '/links?order=asc&per_page=100')
    return { total: body.meta.total as number, links: body.data as Record<string, unknown>[] }
  }
})

const NOT_A_URL = 'Enter a full URL, for example https://example.com/page.'
