import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { eventually } from '../rigs/eventually.ts'
import {
  bytesAnswer,
  type PageServer,
  REACHES_PAGES,
  redirectTo,
  startPageServer,
} from '../rigs/outside/page-server.ts'
import { PNG_PIXEL } from '../rigs/pictures.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, startBrowserRig, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { chooseForLink } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the destination in the editor', () => {
  const rig = useBrowserRig(() => startBrowserRig(...REACHES_PAGES))
  let pages: PageServer
  let user: TestUser
  let page: Page

  beforeAll(makeLinks)
  afterAll(() => pages.stop())
  beforeEach(() => openEditor())

  test('says that it is reachable, and shows what its page says', async () => {
    await destination().fill(pages.url('/winter'))
    await badge('Reachable')
    await heading(WINTER_TITLE)
    await titleIs(WINTER_TITLE)
    const found = `127.0.0.2 · page title, icon and image found`
    expect(await eventually(source, (now) => now === found)).toBe(found)
    await panel().locator('.social-card .social-picture').waitFor()
    expect(await panel().locator('.social-card p').textContent()).toStartWith('Insulated jackets')
    expect(await created()).toMatchObject({ original_url: pages.url('/winter'), title: WINTER_TITLE })
  })

  test('is clean for axe in both themes, and on a phone', async () => {
    const looks = [
      { look: {}, rules: 'all' },
      { look: { theme: 'dark' }, rules: 'only the colors' },
      { look: { width: 390 }, rules: 'all but the colors' },
    ] as const
    for (const { look, rules } of looks) {
      await openEditor(look)
      await destination().fill(pages.url('/winter'))
      await badge('Reachable')
      await preview().locator('.page-image').waitFor()
      expect(await axeFindings(page, rules)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
    }
  })

  test('a title that somebody typed is kept, and so is an empty one', async () => {
    pages.serve('/one', '<title>One</title>')
    pages.serve('/two', '<title>Two</title>')
    pages.serve('/none', '<p>Nothing</p>')
    await destination().fill(pages.url('/one'))
    await titleIs('One')
    await destination().fill(pages.url('/two'))
    await titleIs('Two')
    await destination().fill(pages.url('/none'))
    await heading('No title found')
    await titleIs('')
    await title().fill('Mine')
    await title().fill('')
    await destination().fill(pages.url('/one'))
    await heading('One')
    await titleIs('')
    expect(await created()).toMatchObject({ title: '' })
  })

  test('a stored link is given a title only when its destination is edited', async () => {
    const { short_code: code } = await user.browser.succeed('POST', '/links', {
      original_url: pages.url('/winter'),
    })
    await open()
    await chooseForLink(page, code, 'Edit')
    await heading(WINTER_TITLE)
    await titleIs('')
    await destination().fill(pages.serve('/edited', '<title>Edited</title>'))
    await titleIs('Edited')
    await page.keyboard.press('ControlOrMeta+Enter')
    await panel().waitFor({ state: 'detached' })
    expect(await user.browser.succeed('GET', `/links/${code}`)).toMatchObject({ title: 'Edited' })
  })

  test('says what is wrong with it, and is saved all the same', async () => {
    await destination().fill(pages.url('/missing'))
    await badge('Error 404')
    await heading('No title found')
    await destination().fill('http://127.0.0.1:1/')
    await badge('Can’t reach this site')
    await heading('Couldn’t load this page')
    pages.serve('/away', redirectTo('/winter'))
    await destination().fill(pages.url('/away'))
    await badge('Redirects to /winter')
    await destination().fill(pages.serve('/loop', redirectTo('/loop')))
    await heading('Couldn’t load this page')
    expect(await panel().locator('.destination .badge').count()).toBe(0)
    expect(await created()).toMatchObject({ original_url: pages.url('/loop') })
  })

  test('is looked at again on request', async () => {
    const url = pages.serve('/changing', '<title>Before</title>')
    await destination().fill(url)
    await heading('Before')
    pages.serve('/changing', '<title>After</title>')
    await page.getByRole('button', { name: 'Fetch again' }).click()
    await heading('After')
    await titleIs('After')
  })

  test('a picture that is none is left out', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    pages.serve('/picture', bytesAnswer(svg, { 'Content-Type': 'image/png' }))
    await destination().fill(
      pages.serve('/bad', '<title>Bad</title><meta property="og:image" content="/picture">'),
    )
    await heading('Bad')
    await preview().locator('.page-image').waitFor({ state: 'detached' })
    expect(await source()).toBe('127.0.0.2 · page title found')
    // The browser reports the missing picture.
    expect(rig.takeFaults().filter((fault) => !fault.includes('/destinations/picture'))).toEqual([])
  })

  test.each<[what: string, title: string, shown: string]>([
    [
      'markup',
      '&lt;img src=x onerror="document.title=1"&gt;<script>document.title=2</script>',
      '<img src=x onerror="document.title=1"><script>document.title=2</script>',
    ],
    ['marks that reorder text', 'a\u202egpj.exe\u2066b', 'agpj.exeb'],
    ['another direction', 'שלום עולם', 'שלום עולם'],
  ])('a title with %s is text', async (_, written, shown) => {
    await destination().fill(pages.serve('/hostile', `<meta charset=utf-8><title>${written}</title>`))
    await heading(shown)
    await titleIs(shown)
    expect(await panel().locator('.link-preview script, .link-preview img').count()).toBe(0)
    expect(await page.title()).toContain('Links')
  })

  test('a title of a megabyte is cut, and moves nothing', async () => {
    await destination().fill(pages.serve('/long', `<title>${'Winter'.repeat(170_000)}</title>`))
    await badge('Reachable')
    await titleIs(`${'Winter'.repeat(43).slice(0, 254)}…`)
    expect(await overflowOf(page)).toBe(0)
    const { width, height } = (await preview().boundingBox())!
    expect({ isNarrow: width < 700, isFlat: height < 80 }).toEqual({ isNarrow: true, isFlat: true })
  })

  test('its page stands in the section about social previews', async () => {
    await destination().fill(pages.url('/winter'))
    await heading(WINTER_TITLE)
    await page.locator('summary').filter({ hasText: 'Social preview' }).click()
    expect(await panel().locator('.social-found').textContent()).toContain('Insulated jackets')
    await page
      .getByRole('radio', { name: 'Custom' })
      .or(page.getByRole('button', { name: 'Custom' }))
      .click()
    expect(await page.getByLabel('Preview title').getAttribute('placeholder')).toBe(WINTER_TITLE)
  })

  async function makeLinks(): Promise<void> {
    pages = await startPageServer()
    user = await rig.user()
    await user.browser.succeed('POST', '/links', { original_url: pages.url('/'), custom_code: FIRST })
    pages.serve('/winter', WINTER)
    for (const path of ['/icon.png', '/winter.png']) pages.serve(path, bytesAnswer(PNG_PIXEL))
  }

  const title = () => page.getByLabel('Title', { exact: true })

  const open = async (look: Look = {}) => {
    page = await rig.open('/', { user, ...look })
    await page.getByText(FIRST).first().waitFor()
  }

  const openEditor = async (look: Look = {}) => {
    await open(look)
    await page.keyboard.press('Shift+C')
    await destination().waitFor()
  }

  const panel = () => page.locator('dialog.panel')
  const destination = () => page.getByLabel('Destination', { exact: true })
  const badge = (text: string) => panel().locator('.destination .badge').filter({ hasText: text }).waitFor()
  const preview = () => panel().locator('.link-preview')

  const heading = async (text: string) => {
    const shown = () => preview().locator('strong').textContent()
    expect(await eventually(shown, (now) => now === text)).toBe(text)
  }

  const source = () => preview().locator('.page-source').textContent()

  const titleIs = async (text: string) =>
    expect(
      await eventually(
        () => title().inputValue(),
        (now) => now === text,
      ),
    ).toBe(text)

  const created = async () => {
    await page.keyboard.press('ControlOrMeta+Enter')
    await panel().waitFor({ state: 'detached' })
    return (await user.browser.succeed('GET', '/links'))[0]
  }
})

describe.skipIf(hasNoChromium)('the destination in the editor of a server that does not look', () => {
  const rig = useBrowserRig()

  test('is a field and nothing else', async () => {
    const user = await rig.user()
    await user.browser.succeed('POST', '/links', { original_url: 'https://example.com/', custom_code: FIRST })
    const page = await rig.open('/', { user })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.getByText(FIRST).first().waitFor()
    await page.keyboard.press('Shift+C')
    await page.getByLabel('Destination', { exact: true }).fill('https://example.com/winter')
    await page.keyboard.press('ControlOrMeta+Enter')
    await page.locator('dialog.panel').waitFor({ state: 'detached' })
    expect(asked.filter((url) => url.includes('/destinations/'))).toEqual([])
  })
})

const WINTER = `<title>Winter collection 2026: jackets, merino and everything for the first snow</title>
  <meta name="description" content="Insulated jackets, merino base layers and 40 more reasons to go outside.">
  <link rel="icon" href="/icon.png"><meta property="og:image" content="/winter.png">`

/** Is in the list when the page has loaded. */
const FIRST = 'first-link'

const WINTER_TITLE = 'Winter collection 2026: jackets, merino and everything for the first snow'
