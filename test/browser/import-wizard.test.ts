import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { importWizardOn } from './pages/import-wizard-page.ts'
import { heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the wizard that imports links', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const wizard = importWizardOn(() => page)

  beforeAll(async () => {
    user = await rig.user()
  })

  test('imports a table with broken rows in five steps, and undoes that', async () => {
    page = await rig.open('/', { user })
    await press(page, 'Import links')
    await wizard.isAt('Where are your links now?')
    await wizard.choose('CSV file')
    await wizard.isAt('Upload the table')
    expect(await wizard.step()).toBe('Upload')
    await wizard.upload('broken-rows.csv', await Bun.file(BROKEN_ROWS).text())
    await wizard.next('Choose columns')
    await wizard.isAt('Which column is what?')
    expect(await wizard.fieldOf('url').inputValue()).toBe('destination')
    await wizard.next('Check links')
    await wizard.isAt('Check: nothing is stored yet')
    expect(await wizard.step()).toBe('Check')
    expect(await linkCount()).toBe(0)
    await wizard.figure('Refused').click()
    await shown(page, 'javascript:alert(1)')
    expect(await wizard.refusedCsv()).toContain('not a url')
    await wizard.next('Import 8 links')
    await wizard.isAt('8 links imported')
    await press(page, 'Show imported links')
    await page.getByRole('button', { name: /^Import: CSV file, / }).waitFor()
    expect(await linkCount()).toBe(8)
    await page.goBack()
    await press(page, 'Undo import')
    await page.getByRole('dialog').getByText('8 links will be moved to the trash').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await shown(page, 'The import was undone.')
    expect(await linkCount()).toBe(0)
  })

  test('does with each conflict what was chosen, and renames only what was chosen for that', async () => {
    for (const code of ['winter', 'sale', 'jobs', 'karte'])
      await user.browser.succeed('POST', '/links', { original_url: `${HERE}/${code}`, custom_code: code })
    page = await rig.open('/imports/new?source=csv', { user })
    await wizard.upload('links.csv', table('winter', 'sale', 'jobs', 'karte'))
    await wizard.next('Choose columns')
    await wizard.next('Check links')
    await wizard.list('4 conflicts').getByText('here.example/winter', { exact: true }).waitFor()
    await shown(page, 'Nothing to import.')
    await wizard.forAll().selectOption('Replace mine')
    await shown(page, 'Import 4 links')
    await wizard.choiceOf('winter').selectOption('Import as winter-2')
    await wizard.choiceOf('sale').selectOption('Keep mine')
    await wizard.choiceOf('karte').selectOption('Keep mine, fill in what is empty')
    await shown(page, '3 imported, 1 kept as it is')
    await wizard.next('Import 3 links')
    await wizard.isAt('3 links imported')
    await shown(page, '1 link has another code')
    expect(await Promise.all(['winter', 'winter-2', 'sale', 'jobs', 'karte'].map(linkOf))).toEqual([
      [`${HERE}/winter`, ''],
      [`${THERE}/winter`, 'About winter'],
      [`${HERE}/sale`, ''],
      [`${THERE}/jobs`, 'About jobs'],
      [`${HERE}/karte`, 'About karte'],
    ])
  })

  test('continues after a reload, and from the list of imports, where it can be removed', async () => {
    page = await rig.open('/imports/new?source=csv', { user })
    await wizard.isAt('Upload the table')
    await wizard.drop('dropped.csv', table('dropped'))
    await shown(page, 'uploaded')
    await wizard.next('Choose columns')
    await wizard.isAt('Which column is what?')
    await page.reload()
    await wizard.fieldOf('title').selectOption('Do not import')
    await wizard.next('Check links')
    await wizard.isAt('Check: nothing is stored yet')
    await page.reload()
    await wizard.isAt('Check: nothing is stored yet')
    await press(page, 'Back')
    await wizard.isAt('Which column is what?')
    expect(await wizard.fieldOf('title').inputValue()).toBe('')
    await page.goto(`${rig.config.baseUrl}/dashboard/imports`)
    await shown(page, 'CSV file, dropped.csv')
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Continue the import from CSV file')
    await wizard.isAt('Check: nothing is stored yet')
    await page.goBack()
    await press(page, 'Remove the import from CSV file')
    await page.getByText('CSV file, dropped.csv').waitFor({ state: 'detached' })
    await page.goBack()
  })

  test('can be left, stopped and continued while it imports, and every member follows it', async () => {
    const member = await rig.open('/', { user: await memberOf(rig, user, 'editor') })
    page = await rig.open('/imports/new?source=csv', { user })
    await wizard.upload('many.csv', table('one-1', 'two-2', 'three-3'))
    await wizard.next('Choose columns')
    await wizard.next('Check links')
    await shown(page, 'Import 3 links')
    await holdImports(true)
    await wizard.next('Import 3 links')
    await wizard.isAt('Importing from CSV file')
    const line = (on: Page) => on.getByRole('link', { name: 'Import of CSV file' })
    await line(member).getByText('0%').waitFor()
    await press(page, 'Stop import')
    await wizard.isAt('The import is stopped')
    await line(member).waitFor({ state: 'detached' })
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Continue')
    await wizard.isAt('Importing from CSV file')
    await page.getByRole('link', { name: 'API keys' }).click()
    for (const each of [page, member]) await line(each).waitFor()
    expect(await axeFindings(member)).toEqual([])
    await holdImports(false)
    for (const each of [page, member]) {
      await shown(each, '3 links imported from CSV file')
      await line(each).waitFor({ state: 'detached' })
    }
    await page.getByRole('status').getByRole('button', { name: 'Show' }).click()
    await wizard.isAt('3 links imported')
  })

  test('says what is missing and what is refused', async () => {
    page = await rig.open('/imports/new', { user, width: 390, height: 844 })
    await shown(page, 'Choose a source.')
    await wizard.choose('Shlink')
    await shown(page, 'Enter the key, or upload a file.')
    await page.getByLabel('API key', { exact: true }).fill('a-key')
    await wizard.next('Check links')
    await shown(page, 'The url of Shlink is required.')
    expect(await overflowOf(page)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await wizard.add('empty.csv', '')
    await shown(page, 'empty.csv is empty.')
  })

  test('is not there for viewers', async () => {
    const viewer = await memberOf(rig, user, 'viewer')
    page = await rig.open('/imports', { user: viewer })
    await heading(page, 'Imports')
    expect(await page.getByRole('button', { name: 'Import links' }).count()).toBe(0)
    page = await rig.open('/imports/new', { user: viewer })
    await heading(page, 'You don’t have access')
    page = await rig.open('/', { user: viewer })
    await press(page, 'More views')
    await page.getByRole('menuitem', { name: 'Imports' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Import links' }).count()).toBe(0)
  })

  const BROKEN_ROWS = join(import.meta.dir, '../fixtures/import/csv/broken-rows.csv')
  const [HERE, THERE] = ['https://here.example', 'https://there.example']

  const table = (...codes: string[]) =>
    ['url,slug,title', ...codes.map((code) => `${THERE}/${code},${code},About ${code}`)].join('\n')

  /** As if another node had them, which imports nothing. */
  const holdImports = (isHeld: boolean) =>
    rig.store.db
      .updateTable('import_jobs')
      .set(isHeld ? { runner: 'elsewhere', runner_until: Number.MAX_SAFE_INTEGER } : { runner: null })
      .where('workspace_id', '=', user.workspaceId)
      .execute()

  const linkCount = async (): Promise<number> =>
    (await user.browser.request('GET', '/links?per_page=1')).body.meta.total

  const linkOf = async (code: string): Promise<[string, string]> => {
    const { original_url: url, title } = await user.browser.succeed('GET', `/links/${code}`)
    return [url, title]
  }
})
