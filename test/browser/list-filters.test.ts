import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { listFiltersOn } from './pages/list-filters.ts'
import { chooseFrom, hasFocus, pressKeys } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the filters of the list', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  let users = 0
  const { choose, clear, filter, remove, saveView, sort, view, views } = listFiltersOn(() => page)

  beforeEach(openWithLinks)

  describe('of two pages', () => {
    beforeEach(makeSecondPage)

    test('the last one is shown in place of one that is not there, or no longer', async () => {
      page = await rig.open('/overview', { user })
      await page.goto(`${rig.config.baseUrl}/dashboard/?page=300`)
      await page.waitForURL(/\/dashboard\/\?page=2$/)
      await row('plain').waitFor()
      await range('26–28 of 28')
      await press('Control+a')
      await page.getByRole('status').getByText('3 selected').waitFor()
      await press('a')
      await page.waitForURL(/\/dashboard\/$/)
      await range('1–25 of 25')
      await page.getByRole('navigation', { name: 'Pages of links' }).waitFor({ state: 'detached' })
      await page.goBack()
      await page.waitForURL(/\/overview$/)
    })

    async function makeSecondPage(): Promise<void> {
      const links = Array.from({ length: 24 }, (_, at) => ({
        original_url: 'https://example.com/',
        custom_code: code(`more-${at}`),
        title: at < 20 ? `Title of more, ${at}` : '',
      }))
      await user.browser.succeed('POST', '/bulk-shorten', { links })
    }

    const range = (text: string) => page.locator('.pages').getByText(text, { exact: true }).waitFor()
  })

  test('are set by keyboard alone: tag, status, the mode of tags, and back', async () => {
    await open()
    await press('f', 'ArrowRight', 'Enter')
    await page.getByRole('option', { name: 'Winter 2026' }).waitFor()
    await typeToFind('win')
    await becomes(() => page.locator('.options mark').allTextContents(), ['Win', 'Win'])
    await clean()
    await press('ArrowDown', 'Enter')
    await shown('winter', 'window')
    // A choice empties the find field, and the list begins where it was.
    await typeToFind('windows')
    await press('Enter')
    await filter('all').press('Enter')
    await shown('window')
    await press('Escape')
    await hasFocus(filter('Tag: Winter 2026 and Windows'))
    await press('f', 'Enter')
    await typeToFind('act')
    await press('Enter', 'Escape')
    await page.getByText('No links match').waitFor()
    await page.waitForFunction(() => location.search.includes('tag_mode=all'))
    await page.waitForURL(/status=active/)
    await clean()
    await page.reload()
    await page.getByText('No links match').waitFor()
    // The last filter goes first.
    await filter('Status: Active').waitFor()
    await press('Backspace')
    await filter('Tag').waitFor()
    await shown('plain', 'winter', 'print')
    await press('/', 'Backspace')
    await shown('plain', 'winter', 'window', 'print')
    await queryIs('')
    await page.goBack()
    await filter('Status: Active').waitFor()
    await shown('plain', 'winter', 'print')
    await clean()
  })

  test('say how many links each value has, under the other filters', async () => {
    await make('stored', { tags: ['Winter 2026', 'Storage'], archived: true })
    await open()
    const counts = async (name: string, ...rows: string[]) => {
      await filter(name).click()
      for (const row of rows) await page.getByRole('option', { name: row, exact: true }).waitFor()
      await press('Escape')
    }
    await counts('Tag', 'Print 1', 'Storage 0', 'Windows 1', 'Winter 2026 2')
    await counts('Status', 'Active 3', 'Disabled 1', 'Expired 0')
    await page.goto(`${rig.config.baseUrl}/dashboard/?folder=Campaigns`)
    await shown('winter')
    await counts('Tag', 'Print 0', 'Winter 2026 1')
    await counts('Status', 'Active 1', 'Disabled 0')
    await page.goto(`${rig.config.baseUrl}/dashboard/tags`)
    await page.getByRole('link', { name: '2 links' }).click()
    await shown('winter', 'window')
    await page.goto(`${rig.config.baseUrl}/dashboard/tags`)
    await page.getByRole('link', { name: '1 archived' }).click()
    await row('stored').waitFor()
    await queryIs('?tag=Storage&archived=only')
    await press('ControlOrMeta+k')
    await typeToFind('storage')
    await page.getByRole('option', { name: 'Tag: Storage 0 links' }).waitFor()
  })

  test('and rows name who created links, where others can', async () => {
    await open()
    expect(await page.getByRole('button', { name: 'Created by' }).count()).toBe(0)
    expect(await page.getByText(`Created by ${user.name}`).count()).toBe(0)
    const member = await memberOf(rig, user, 'editor')
    await member.browser.succeed('PUT', '/account', { name: 'Grace Hopper' })
    const link = {
      original_url: 'https://example.com/',
      custom_code: code('theirs'),
      title: 'Title of theirs',
    }
    await member.browser.succeed('POST', '/links', link)
    await page.reload()
    await row('theirs').getByText('Created by Grace Hopper').waitFor()
    await row('plain').getByText(`Created by ${user.name}`).waitFor()
    await choose('Created by', 'Grace Hopper')
    await shown()
    await row('theirs').waitFor()
    await filter('Created by: Grace Hopper').waitFor()
    expect(query()).toMatch(/^\?created_by=\d+$/)
    await clean()
  })

  test('and a search alone are cleared together', async () => {
    await open('/?search=winter')
    await clear()
    await shown('plain', 'winter', 'window', 'print')
    await queryIs('')
    await clean()
  })

  test('and a search keep a letter that is typed just when the ones before it are sent', async () => {
    await open()
    await page.evaluate(() => {
      const { replaceState } = history
      history.replaceState = (...state) => {
        history.replaceState = replaceState
        replaceState.apply(history, state)
        document.execCommand('insertText', false, 'w')
      }
    })
    await page.getByRole('searchbox').fill('windo')
    await queryIs('?search=window')
    await becomes(() => page.getByRole('searchbox').inputValue(), 'window')
    await shown('window')
  })

  test('combine a folder with days, and go at once', async () => {
    await open()
    await choose('Folder', /^Campaigns/)
    await shown('winter')
    await filter('Created').first().click()
    await page.getByLabel('From').fill('2020-01-01')
    await page.getByLabel('To', { exact: true }).fill('2020-01-31')
    await page.getByText('No links match').waitFor()
    await clean()
    await press('Escape')
    await page.getByRole('button', { name: /^Created: .*2020/ }).waitFor()
    await queryIs('?folder=Campaigns&created_from=2020-01-01&created_to=2020-01-31')
    await clear()
    await shown('plain', 'winter', 'window', 'print')
    await queryIs('')
  })

  test('and order, columns and the number of rows are in the URL', async () => {
    await open()
    await sort('Newest', 'Title')
    await filter('Sort: Title').waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByLabel('Created', { exact: true }).uncheck()
    await page.getByLabel('Last click', { exact: true }).check()
    await page.getByRole('columnheader', { name: 'Last click' }).waitFor()
    await page.getByLabel('Links on a page').selectOption('50')
    await page.waitForURL(/\?sort=title&columns=labels%2Cclicks%2Clast_click&per_page=50$/)
    await clean()
    await page.reload()
    await filter('Sort: Title').waitFor()
    await page.locator('.link-title').first().waitFor()
    const titles = () => page.locator('.link-title').allTextContents()
    await becomes(titles, ['Title of plain', 'Title of print', 'Title of window', 'Title of winter'])
  })

  test('are kept as a view, which is opened, changed, renamed, shared and deleted', async () => {
    await open('/?tag=Winter+2026')
    await shown('winter', 'window')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name').fill('Winter campaign')
    await clean()
    await press('Enter')
    await page.getByText('View “Winter campaign” saved').waitFor()
    await isCurrent('Winter campaign')
    await view('All links').click()
    await shown('plain', 'winter', 'window', 'print')
    await view('Winter campaign').click()
    await shown('winter', 'window')
    await page.reload()
    await shown('winter', 'window')
    await isCurrent('Winter campaign')
    await page.goBack()
    await shown('plain', 'winter', 'window', 'print')
    await isCurrent('All links')
    await page.goForward()
    await shown('winter', 'window')
    await choose('Status', 'Disabled')
    await shown('window')
    await chooseFrom(page, 'Save view', 'Update “Winter campaign”')
    await page.getByRole('button', { name: 'New view' }).waitFor()
    const chooseForView = async (item: string) => {
      await chooseFrom(page, /^Actions for the view/, item)
    }
    await chooseForView('Rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('Off in winter')
    await press('Enter')
    await view('Off in winter').waitFor()
    await chooseForView('Share with everyone')
    await page.getByText('Everyone sees “Off in winter” now').waitFor()
    await becomes(ownViews, [
      { name: 'Off in winter', query: 'status=disabled&tag=Winter+2026', is_shared: true, is_own: true },
    ])
    await clean()
    await chooseForView('Delete')
    await view('Off in winter').waitFor({ state: 'detached' })
    await page.getByText('View “Off in winter” deleted').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await view('Off in winter').waitFor()
    await becomes(ownViews, [
      { name: 'Off in winter', query: 'status=disabled&tag=Winter+2026', is_shared: true, is_own: true },
    ])
    await view('Off in winter').click()
    await chooseForView('Delete')
    await view('Off in winter').waitFor({ state: 'detached' })
    await shown('plain', 'winter', 'window', 'print')
    await becomes(ownViews, [])
  })

  test('that find nothing are named, with the archive where it was searched, and a button clears the search', async () => {
    await make('archived', { archived: true })
    await open('/?search=nowhere&tag=Winter+2026&tag=Print&status=active&archived=only')
    await page
      .getByText(
        'No link matches “nowhere” with Status: Active, Tag: Winter 2026 or Print, and Archived: only.',
      )
      .waitFor()
    await remove('Archived')
    await page.getByText('Archived links were searched too.').waitFor()
    await clean()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await shown('winter', 'print')
    await hasFocus(page.getByRole('searchbox'))
    await queryIs('?status=active&tag=Winter+2026&tag=Print')
    await page.getByRole('button', { name: 'Clear search' }).waitFor({ state: 'detached' })
  })

  test('that find nothing offer the code that was searched for', async () => {
    await open()
    await press('/')
    await typeToFind(code('wintr'))
    await page.getByText('No links match').waitFor()
    await clean()
    const host = new URL(rig.config.baseUrl).host
    await page.getByRole('button', { name: `Create ${host}/${code('wintr')}` }).click()
    await page.getByLabel('Destination').fill('https://example.com/wintr')
    await press('ControlOrMeta+Enter')
    await page.getByRole('row').filter({ hasText: 'example.com/wintr' }).waitFor()
    expect((await user.browser.succeed('GET', `/links/${code('wintr')}`)).original_url).toBe(
      'https://example.com/wintr',
    )
  })

  test('show what ends soon', async () => {
    await change('winter', { expires_at: inDays(9) })
    await change('window', { expires_at: inDays(10) })
    await change('print', { expires_at: inDays(20) })
    await open()
    await view('Expiring soon').click()
    // The window is disabled.
    await shown('winter')
    await filter('Ends: within 14 days').click()
    await page.getByRole('option', { name: 'within 30 days' }).click()
    await shown('winter', 'print')
    await clean()
    await remove('Ends')
    await shown('plain', 'winter', 'print')
  })

  test('say how many links each view has, and what needs attention only where something does', async () => {
    await open('/?tag=Winter+2026')
    await saveView('Winter campaign')
    const counted = async (...wanted: string[]) => {
      for (const text of wanted) await view(text).waitFor()
      expect((await views()).map((text) => text.replace(/\s+/g, ' '))).toEqual(wanted)
    }
    await counted('All links 4', 'Expiring soon 0', 'Winter campaign 2')
    await change('winter', { expires_at: inDays(2) })
    await page.reload()
    await counted('All links 4', 'Expiring soon 1', 'Winter campaign 2', 'Needs attention 1')
    await view('Needs attention').click()
    await shown('winter')
    await filter('Attention: needed').click()
    await page
      .getByRole('option', {
        name: 'Blocked, on a domain that does not work, ending within 7 days, or 90% of the limit used',
      })
      .waitFor()
    await press('Escape')
    await clean()
    await chooseFrom(page, `More actions for ${code('winter')}`, 'Archive')
    await page.getByText('No links match').waitFor()
    // The open view stays, although it is empty now.
    await counted('All links 3', 'Expiring soon 0', 'Winter campaign 1', 'Needs attention 0')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await shown('plain', 'window', 'print')
  })

  test('are opened by the overview where links need attention, and only there', async () => {
    page = await rig.open('/account', { user })
    const attention = page.getByRole('link', { name: /needs? attention/ })
    const counted = page.waitForResponse(/needs_attention=true/)
    await page.goto(`${rig.config.baseUrl}/dashboard/overview`)
    await (await counted).finished()
    await page.getByText('4 links, 3 active').waitFor()
    expect(await attention.count()).toBe(0)
    await change('winter', { expires_at: inDays(2) })
    await page.reload()
    await page.getByRole('link', { name: '1 needs attention', exact: true }).waitFor()
    await change('print', { expires_at: inDays(3) })
    await page.reload()
    await attention.getByText('2 need attention', { exact: true }).waitFor()
    await clean()
    await attention.focus()
    await press('Enter')
    await page.waitForURL(/\/dashboard\/\?needs_attention=true&view=attention$/)
    await shown('winter', 'print')
    await view('Needs attention 2').waitFor()
  })

  test('find archived links as well, at the end', async () => {
    for (const name of ['winter', 'window']) await change(name, { archived: true })
    await open()
    await press('/')
    await typeToFind('Title of win')
    await page.getByText('No links match').waitFor()
    await page.getByText('2 archived links match').waitFor()
    await page.getByRole('searchbox').fill('Title of')
    await shown('plain', 'print')
    await page.getByText('2 archived links match').waitFor()
    await clean()
    await page.getByRole('button', { name: 'Show archived links' }).click()
    await shown('winter', 'window')
    await page.getByRole('searchbox').fill('window')
    await shown('window')
    await becomes(() => page.getByText('match').count(), 0)
    await remove('Archived')
    await page.getByText('1 archived link matches').waitFor()
  })

  test('lead to archived links where there are no others, and not to a first link', async () => {
    for (const name of ['plain', 'winter', 'window', 'print']) await change(name, { archived: true })
    page = await rig.open('/', { user })
    await page.getByText('All links are archived').waitFor()
    await page.getByText('4 archived links are not in this list. They keep redirecting.').waitFor()
    expect(await page.getByText('Create your first link').count()).toBe(0)
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
    await clean()
    await page.getByRole('button', { name: 'Show archived links' }).click()
    await shown('plain', 'winter', 'window', 'print')
  })

  test('and the list say when they could not be loaded, and try again', async () => {
    page = await rig.open('/overview', { user })
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.route('**/dashboard/api/list-links?**', (route) =>
      route.fulfill({
        status: 500,
        json: { success: false, code: 'internal_error', message: 'Server error.', errors: {} },
      }),
    )
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Links could not be loaded' })
    await alert.getByText('Redirects are not affected.').waitFor()
    await clean()
    await page.unroute('**/dashboard/api/list-links?**')
    await alert.getByRole('button', { name: 'Try again' }).click()
    await shown('plain', 'winter', 'window', 'print')
  })

  test('are a sheet on a phone, and those that are set stand below the search', async () => {
    await open('/', { width: 390, height: 844 })
    await filter('Filters').click()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await sheet.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByRole('option', { name: /^Print/ }).click()
    await press('Escape')
    await sheet.getByRole('button', { name: 'Tag: Print', exact: true }).waitFor()
    await clean()
    await sheet.getByRole('button', { name: 'Show links' }).click()
    await shown('print')
    await page.getByRole('button', { name: 'Filters, 1 set' }).waitFor()
    expect(await overflowOf(page)).toBe(0)
    await clean()
    const small = await page
      .locator('.list-head :is(button:not(.text-button), input)')
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 36).length)
    expect(small).toBe(0)
    await remove('Tag')
    await shown('plain', 'winter', 'window', 'print')
  })

  async function openWithLinks(): Promise<void> {
    user = await rig.user()
    users++
    await make('plain')
    await make('winter', { tags: ['Winter 2026'], folder: 'Campaigns' })
    await make('window', { tags: ['Winter 2026', 'Windows'], is_active: false })
    await make('print', { tags: ['Print'] })
  }

  /** Codes are the whole service's: those of each user end in a number. */
  const code = (name: string) => `${name}-${users}`

  const make = (name: string, others: object = {}) =>
    user.browser.succeed('POST', '/links', {
      original_url: `https://example.com/${name}`,
      custom_code: code(name),
      title: `Title of ${name}`,
      ...others,
    })

  const change = (name: string, fields: object) => user.browser.succeed('PUT', `/links/${code(name)}`, fields)

  const open = async (path = '/', look = {}) => {
    page = await rig.open(path, { user, ...look })
    await row('print').or(page.getByText('No links match')).or(row('winter')).first().waitFor()
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
    await page.locator('.pills, .filter-button').first().waitFor()
  }

  const row = (name: string) => page.getByRole('row').filter({ hasText: `Title of ${name}` })

  const shown = async (...names: string[]) => {
    for (const name of ['plain', 'winter', 'window', 'print'])
      await row(name).waitFor({ state: names.includes(name) ? 'visible' : 'detached' })
  }

  const press = (...keys: string[]) => pressKeys(page, ...keys)
  const query = () => decodeURIComponent(new URL(page.url()).search)
  const queryIs = (text: string) => becomes(query, text)
  const isCurrent = (name: string) => view(name).and(page.locator('[aria-current=page]')).waitFor()

  /** Waits for it: an opened list takes the focus after it is shown, and letters typed before that are keys of the page. */
  const typeToFind = async (text: string) => {
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(text)
  }

  const ownViews = async () =>
    (await user.browser.succeed('GET', '/views')).map(({ name, query: filters, is_shared, is_own }: any) => ({
      name,
      query: filters,
      is_shared,
      is_own,
    }))

  const clean = async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await axeFindings(page)).toEqual([])
  }
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
