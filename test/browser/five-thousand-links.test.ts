import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { selectionBarOn } from './pages/selection-bar.ts'
import { pressKeys } from './user-pages.ts'

setDefaultTimeout(240_000)

describe.skipIf(hasNoChromium)('5,000 links', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const { selectAll } = selectionBarOn(() => page)

  beforeAll(makeLinks)

  test('are found, filtered, kept as a view, tagged, moved, archived, exported and found again by keyboard', async () => {
    page = await rig.open('/', { user })
    await page
      .getByRole('row')
      .filter({ hasText: codeOf(LINKS - 1) })
      .waitFor()
    await page.waitForLoadState('networkidle')

    await press('/')
    await page.keyboard.type('catalog winter')
    await page
      .getByRole('row')
      .filter({ hasText: codeOf(WINTER - 1) })
      .waitFor()
    await tabTo(page.getByRole('button', { name: 'Status', exact: true }))
    await press('Enter')
    await page.getByRole('option', { name: 'Active' }).waitFor()
    await page.keyboard.type('act')
    await press('Enter', 'Escape')
    await page.getByRole('button', { name: 'Status: Active', exact: true }).waitFor()
    await page.waitForURL(/search=catalog.winter.*status=active|status=active.*search=/)
    await page.waitForLoadState('networkidle')

    await isAccessible()
    await tabTo(page.getByRole('button', { name: 'Save view' }), 'Shift+Tab')
    await press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Winter catalog')
    await press('Enter')
    await says('View “Winter catalog” saved')

    await press('j')
    await selectAll(25, '1,300')
    await isAccessible()
    await press('t')
    await chooseInPicker('Catalog 2026', 'Enter', 'Control+Enter')
    await says('Tags of 1,300 links changed')
    expect(await total('tag=catalog+2026')).toBe(WINTER)
    await press('Control+z')
    await says('1,300 links changed back')
    expect(await total('tag=catalog+2026')).toBe(0)

    await press('t')
    await chooseInPicker('Catalog 2026', 'Enter', 'Control+Enter')
    await says('Tags of 1,300 links changed')
    await press('m')
    await chooseInPicker('Shop', 'Enter')
    await says('1,300 links moved')
    expect(await total('folder=shop&tag=catalog+2026')).toBe(WINTER)

    await tabTo(page.getByRole('toolbar').getByRole('button', { name: 'Export' }))
    await press('Enter')
    await page.getByRole('menuitem', { name: 'As CSV' }).and(page.locator(':focus')).waitFor()
    const download = page.waitForEvent('download')
    await press('Enter')
    const exported = await Bun.file((await (await download).path())!).text()
    expect(exported.trimEnd().split('\r\n')).toHaveLength(WINTER + 1)

    await press('j')
    await press('a')
    await says('1,300 links archived. They keep redirecting.')
    await page.getByText('No links match').waitFor()
    expect([await total(''), await total('archived=only')]).toEqual([LINKS - WINTER, WINTER])

    await press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('winter-777')
    await page.getByRole('option').filter({ hasText: 'winter-777' }).first().waitFor()
    await press('Enter')
    await page.waitForURL(/\/links\/winter-777$/)
    await page.getByText('Catalog 2026').waitFor()
    await page.getByText('Shop', { exact: true }).waitFor()
    await isAccessible()
  })

  async function makeLinks(): Promise<void> {
    user = await rig.user()
    for (let from = 0; from < LINKS; from += AT_ONCE) {
      const links = Array.from({ length: AT_ONCE }, (_, at) => ({
        original_url: `https://example.com/${from + at}`,
        custom_code: codeOf(from + at),
        title: from + at < WINTER ? `Winter catalog ${from + at}` : `Spring catalog ${from + at}`,
      }))
      await user.browser.succeed('POST', '/bulk-shorten', { links })
    }
  }

  const press = (...keys: string[]) => pressKeys(page, ...keys)
  const says = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()

  const total = async (query: string): Promise<number> =>
    ((await user.browser.request('GET', `/links?${query}`)).body as any).meta.total

  /** Presses the key until the place has the focus, up to a limit. */
  const tabTo = async (place: Locator, key = 'Tab') => {
    for (let presses = 0; presses < TABS_MAX; presses++) {
      await press(key)
      if (await place.evaluate((element) => element === document.activeElement)) return
    }
    throw new Error(`${key} does not come to ${place}.`)
  }

  const isAccessible = async () => expect(await axeFindings(page)).toEqual([])

  const chooseInPicker = async (text: string, ...keys: string[]) => {
    await page.getByPlaceholder(/^Find or create a (tag|folder)$/).waitFor()
    await page.keyboard.type(text)
    await press(...keys)
  }
})

const LINKS = 5_000
const WINTER = 1_300
const AT_ONCE = 100
const TABS_MAX = 40
const codeOf = (index: number) => `${index < WINTER ? 'winter' : 'spring'}-${index}`
