import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { KEY, linksIn, serviceOf, SOURCE_APIS } from '../rigs/import/source-apis.ts'
import { type SourceServer, startSourceServer, statusOnly } from '../rigs/import/source-server.ts'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { settingsWithDomain } from '../rigs/service/shared-domain.ts'
import { axeFindings } from './axe.ts'
import { type BrowserRig, overflowOf, startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { importWizardOn } from './pages/import-wizard-page.ts'
import { press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('an import over the network in the wizard', () => {
  const rig = useBrowserRig(startRig)
  let page: Page
  let kutt: SourceServer
  const wizard = importWizardOn(() => page)
  beforeAll(async () => {
    kutt = await startSourceServer(serviceOf(KUTT, () => links))
  })
  afterAll(() => kutt.stop())

  test('is done by keyboard alone, and what is switched off does not come along', async () => {
    const user = await beginWith('many-1')
    page = await rig.open('/imports/new', { user })
    await tabTo('radio', 'Bitly')
    for (let below = 0; below < 4; below++) await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('radio', { name: 'Kutt' }).isChecked()).toBe(true)
    await tabTo('button', 'Continue')
    await page.keyboard.press('Enter')
    await wizard.isAt('Connect Kutt')
    await tabTo('textbox', 'URL')
    await page.keyboard.type(kutt.url)
    await tabTo('textbox', 'API key')
    await page.keyboard.type(KEY)
    await tabTo('switch', 'Clicks')
    await page.keyboard.press('Space')
    expect(await page.getByRole('switch', { name: 'Clicks by day and country' }).count()).toBe(0)
    await tabTo('combobox', 'Domain')
    await page.keyboard.type('localhost')
    await tabTo('combobox', 'Folder')
    await page.keyboard.type('Imported from Kutt')
    expect(await axeFindings(page)).toEqual([])
    await tabTo('button', 'Check links')
    await page.keyboard.press('Enter')
    await wizard.isAt('Check: nothing is stored yet')
    await tabTo('button', 'Import 120 links')
    await page.keyboard.press('Enter')
    await wizard.isAt('120 links imported')
    await tabTo('button', 'Show imported links')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Import: Kutt, / }).waitFor()
    expect(await user.browser.succeed('GET', '/links/many-1-7')).toMatchObject({
      folder: 'Imported from Kutt',
    })
  })

  test('goes on after the source has failed in the middle', async () => {
    const user = await beginWith('many-2')
    page = await rig.open('/imports/new?source=kutt', { user, width: 390, height: 844 })
    kutt.first(
      serviceOf(KUTT, () => links),
      statusOnly(403),
    )
    await connect()
    await wizard.isAt('The check did not end')
    await shown(page, 'Kutt refuses this key.')
    expect([await overflowOf(page), await axeFindings(page)]).toEqual([0, []])
    await press(page, 'Check again')
    await wizard.isAt('Check: nothing is stored yet')
    expect([await overflowOf(page), await axeFindings(page)]).toEqual([0, []])
    await press(page, 'Import 120 links')
    await wizard.isAt('120 links imported')
    expect([await overflowOf(page), await axeFindings(page)]).toEqual([0, []])
  })

  test('puts conflicts and refused codes on another domain', async () => {
    const user = await beginWith('many-3')
    for (const code of ['many-3-1', 'many-3-2', 'many-3-3'])
      await user.browser.succeed('POST', '/links', {
        original_url: 'https://here.example/',
        custom_code: code,
      })
    page = await rig.open('/imports/new?source=kutt', { user })
    await connect()
    await wizard.forAll().selectOption(`Put it on ${OTHER}:${rig.config.port}`)
    await shown(page, 'Import 120 links')
    await wizard.choiceOf('many-3-1').selectOption('Keep mine')
    await shown(page, '119 imported, 1 kept as it is')
    await wizard.next('Import 119 links')
    await wizard.isAt('119 links imported')
    const at = async (domain: string) =>
      (await user.browser.succeed('GET', `/links/many-3-2?domain=${domain}`)).original_url
    expect([await at('localhost'), await at(OTHER)]).toEqual([
      'https://here.example/',
      'https://example.com/2',
    ])
  })

  test('reads one group of Bitly, of what was created since a day', async () => {
    const bitly = SOURCE_APIS.find(({ source }) => source === 'bitly')!
    const service = await startSourceServer(serviceOf(bitly, () => linksIn(bitly)))
    page = await rig.open('/imports/new?source=bitly', { user: await rig.user() })
    // The wizard knows where Bitly is: these requests name the other server.
    await page.route(/\/dashboard\/api\/import-(lists|jobs)$/, (route) =>
      route.request().method() === 'POST'
        ? route.continue({ postData: { ...route.request().postDataJSON(), url: service.url } })
        : route.continue(),
    )
    await page.getByLabel('Access token', { exact: true }).fill('another-key')
    await shown(page, 'Bitly refuses this key.')
    await page.getByLabel('Access token', { exact: true }).fill(KEY)
    await page.getByLabel('Group', { exact: true }).selectOption('fixtureuser')
    await page.getByLabel('Created from').fill('2026-11-01')
    expect(await axeFindings(page)).toEqual([])
    await press(page, 'Check links')
    await wizard.isAt('Check: nothing is stored yet')
    await wizard.figure('Refused').click()
    await wizard
      .list(/refused/)
      .getByText('links before 2026-11-01 are left out')
      .first()
      .waitFor()
    expect(service.requests.some(({ url }) => url.pathname.includes('Bempty'))).toBe(false)
    await service.stop()
  })

  /** A new user, who has links of such names in Kutt. */
  function beginWith(name: string): Promise<TestUser> {
    links = linksNamed(name)
    return rig.user()
  }

  /** With a key, and all links on the domain of BASE_URL. */
  async function connect(): Promise<void> {
    await page.getByLabel('URL', { exact: true }).fill(kutt.url)
    await page.getByLabel('API key', { exact: true }).fill(KEY)
    await page.getByLabel('Domain', { exact: true }).selectOption({ index: 1 })
    await press(page, 'Check links')
  }

  /** Presses Tab until this has the focus. */
  async function tabTo(role: Parameters<Page['getByRole']>[0], name: string): Promise<void> {
    const target = page.getByRole(role, { name, exact: role !== 'radio' })
    await target.waitFor()
    for (let presses = 0; presses < TABS_MAX; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${name} was not reached by Tab`)
  }

  const TABS_MAX = 80
})

const OTHER = 'go.example'
let links: ReturnType<typeof linksNamed> = []

async function startRig(): Promise<BrowserRig> {
  const folder = mkdtempSync(join(tmpdir(), 'tern-network-import-'))
  return startBrowserRig(await settingsWithDomain(folder, OTHER), REACHABLE)
}

const REACHABLE = { reachableIps: ['127.0.0.1'], reachesAnyPort: true }
const KUTT = SOURCE_APIS.find(({ source }) => source === 'kutt')!
const linksNamed = (name: string) =>
  Array.from({ length: 120 }, (_, at) => ({
    id: String(at),
    address: `${name}-${at}`,
    target: `https://example.com/${at}`,
    link: `https://many.example/${name}-${at}`,
  }))
