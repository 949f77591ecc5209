import { beforeAll, describe, expect, test } from 'bun:test'
import { eventually } from '../rigs/eventually.ts'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { chooseFrom, heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the page of imports', () => {
  const rig = useBrowserRig()
  let user: TestUser

  beforeAll(async () => {
    user = await rig.user()
  })

  test('says how to import while there are none', async () => {
    const page = await rig.open('/', { user })
    await chooseFrom(page, 'More views', 'Imports')
    await heading(page, 'Imports')
    await shown(page, 'No imports yet')
    await shown(page, 'tern import csv --file links.csv --dry-run')
    expect(await axeFindings(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await overflowOf(page)).toBe(0)
  })

  test('shows the links of an import as a list, whose filter can be removed', async () => {
    await importLinks('dub', 'dub-one', 'dub-two')
    await user.browser.succeed('POST', '/links', linkTo('not-imported'))
    const page = await rig.open('/imports', { user })
    const row = page.getByRole('row').filter({ hasText: 'Dub' })
    expect(await row.innerText()).toContain('2 created')
    await press(page, 'Show links imported from Dub')
    await shown(page, 'About dub-one')
    await page.getByText('About not-imported').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Import: Dub, / }).waitFor()
    await press(page, 'Remove filter: Import')
    await shown(page, 'About not-imported')
  })

  test('undoes an import after saying what goes, and links in use stay', async () => {
    await importLinks('bitly', 'bitly-one', 'bitly-two', 'bitly-mine')
    await user.browser.succeed('PUT', '/links/bitly-mine', { title: 'Mine now' })
    const page = await rig.open('/imports', { user })
    await press(page, 'Undo the import from Bitly')
    const dialog = page.getByRole('dialog', { name: 'Undo the import from Bitly?' })
    await dialog.getByText('2 links will be moved to the trash').waitFor()
    await dialog.getByText('1 link was edited or clicked since it was imported.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByLabel('Links in use').selectOption('Move them to the trash too')
    await dialog.getByText('3 links will be moved to the trash').waitFor()
    await dialog.getByLabel('Links in use').selectOption('Keep them')
    await dialog.getByRole('button', { name: 'Undo import' }).click()
    await shown(page, 'Import undone: 2 in the trash, 1 stayed')
    const row = page.getByRole('row').filter({ hasText: 'Bitly' })
    expect(await row.innerText()).toContain('Undone')
    expect(await row.getByRole('button').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    const status = async (code: string) => (await rig.call('GET', `/${code}`)).status
    expect(
      await eventually(
        () => status('bitly-one'),
        (each) => each === 404,
      ),
    ).toBe(404)
    expect(await status('bitly-mine')).toBe(302)
  })

  test('says why an undo is refused', async () => {
    const id = await importLinks('kutt', 'kutt-one')
    const page = await rig.open('/imports', { user, width: 390, height: 844 })
    await press(page, 'Undo the import from Kutt')
    const dialog = page.getByRole('dialog', { name: 'Undo the import from Kutt?' })
    await dialog.getByText('1 link will be moved to the trash').waitFor()
    expect(await overflowOf(page)).toBe(0)
    await user.browser.succeed('POST', `/imports/${id}/undo`, {})
    await dialog.getByRole('button', { name: 'Undo import' }).click()
    // The server may be done with it, or not.
    await dialog.getByText(/^The (import was undone|undo of the import has begun) already/).waitFor()
  })

  test('shows viewers the imports, and no way to undo them', async () => {
    await importLinks('sink', 'sink-one')
    const page = await rig.open('/imports', { user: await memberOf(rig, user, 'viewer') })
    await page.getByRole('button', { name: 'Show links imported from Sink' }).waitFor()
    expect(await page.getByRole('button', { name: /^Undo/ }).count()).toBe(0)
  })

  const linkTo = (code: string) => ({
    original_url: `https://example.com/${code}`,
    custom_code: code,
    title: `About ${code}`,
  })

  /** Gives the ID of the import. */
  async function importLinks(source: string, ...codes: string[]): Promise<number> {
    const { id } = await user.browser.succeed('POST', '/imports', { source })
    await user.browser.succeed('POST', '/links/import', { import_id: id, links: codes.map(linkTo) })
    await user.browser.succeed('POST', `/imports/${id}/end`)
    return id
  }
})
