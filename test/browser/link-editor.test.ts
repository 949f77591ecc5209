import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { becomes, until } from '../rigs/eventually.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { dialogIs, shown } from './user-pages.ts'
import { linkEditorOn } from './pages/link-editor-page.ts'

describe.skipIf(hasNoChromium)('the link editor', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const { panel, label, unfold, save, isClosed, hasFocus, edit, summary } = linkEditorOn(() => page)
  let code: string
  let tests = 0

  beforeAll(addUser)
  beforeEach(openWithLink)

  test('creates a link by keyboard alone, with what was typed before it opened', async () => {
    await page.keyboard.press('c')
    await hasFocus(label('Paste a long URL'))
    await page.keyboard.type('example.com/spring')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Bulk create' }).focus()
    await page.keyboard.press('Shift+C')
    await dialogIs(page, 'New link')
    await hasFocus(label('Destination'))
    await holds('Destination', 'example.com/spring')
    await page.keyboard.press('Tab')
    await page.keyboard.type(`spring-${tests}`)
    await page.keyboard.press('Tab')
    for (const next of ['Suggest another code', 'Add alias']) {
      await hasFocus(page.getByRole('button', { name: next }))
      await page.keyboard.press('Tab')
    }
    await page.keyboard.type('Spring')
    for (const next of [page.getByRole('button', { name: 'Manage tags' }), label('Tags'), label('Folder')]) {
      await page.keyboard.press('Tab')
      await hasFocus(next)
    }
    await page.keyboard.press('Tab')
    await page.keyboard.type('For us')
    await save()
    await isClosed()
    await shown(page, `/spring-${tests}`)
    await holds('Paste a long URL', '')
    expect(await linkOf(`spring-${tests}`)).toMatchObject({
      original_url: 'https://example.com/spring',
      title: 'Spring',
      notes: 'For us',
      status: 'active',
    })
  })

  test('reaches the edge of the window, and leaves the page behind it where it is', async () => {
    await page.setViewportSize({ width: 1600, height: 700 })
    // The rows decide whether the page scrolls.
    await page.waitForFunction(() => innerWidth === 1600 && document.querySelector('.skeleton') === null)
    const heading = page.getByRole('heading', { name: 'Links', exact: true, includeHidden: true })
    const before = await heading.boundingBox()
    await edit(code)
    const { x, width } = (await panel().boundingBox())!
    expect(x + width).toBe(1600)
    expect(await heading.boundingBox()).toEqual(before)
  })

  test('opens from other pages, and stays open for another link', async () => {
    await open(`/links/${code}`)
    await page.keyboard.press('Shift+C')
    await dialogIs(page, 'New link')
    await page.getByLabel('Create another').check()
    for (const name of ['one', 'two']) {
      await label('Destination').fill(`https://example.com/${name}`)
      await label('Custom code').fill(`${name}-${tests}`)
      await save()
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('.panel .input')!.value === '',
      )
      await hasFocus(label('Destination'))
    }
    await page.keyboard.press('Escape')
    await isClosed()
    for (const name of ['one', 'two']) await linkOf(`${name}-${tests}`)
  })

  test('edits every option, sends only what was changed, and says in each fold what it holds', async () => {
    await open(`/links/${code}`)
    await page.keyboard.press('e')
    await dialogIs(page, 'Edit link')
    expect(await label('Custom code').getAttribute('readonly')).not.toBeNull()
    await summaryIs('Schedule', 'Always on')
    await summaryIs('Social preview', 'From the page')
    await summaryIs('Advanced', '302, query not forwarded')
    await unfold('Schedule')
    await shown(page, 'Times are in Europe/Berlin, the time zone of this browser.')
    await label('Start date').fill('2030-12-01')
    await label('End date').fill('2031-01-15')
    await label('End time').fill('18:30')
    await label('Click limit').fill('250000')
    await label('When the link is unavailable').selectOption('fallback')
    await label('Fallback URL').fill('example.com/over')
    await unfold('Social preview')
    await panel().getByRole('button', { name: 'Custom', exact: true }).click()
    await label('Preview title').fill(SOCIAL.social_title)
    await label('Description').fill(SOCIAL.social_description)
    await label('Image URL').fill(SOCIAL.social_image_url)
    await panel().getByText('Image from cdn.example.net').waitFor()
    await unfold('Advanced')
    await label('Forward the query string').selectOption('Add')
    await page.getByRole('switch', { name: 'Forward the path' }).click()
    await label('Redirect status').selectOption('301')
    await shown(page, 'Browsers may remember a 301 for 90 seconds.')
    await label('External ID').fill(`shop-${tests}`)
    await page.getByRole('switch', { name: 'Archived' }).click()
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
    await summaryIs('Schedule', 'Starts 1 Dec 2030, 09:00 · Ends 15 Jan 2031, 18:30 · 250,000 clicks')
    await summaryIs('Social preview', 'Custom title, description, image')
    await summaryIs('Advanced', '301, query forwarded, path forwarded, archived')
    await panel().getByText('12 unsaved changes').waitFor()
    const sending = page.waitForRequest((request) => request.method() === 'PUT')
    await save()
    expect((await sending).postDataJSON()).toEqual({
      starts_at: '2030-12-01T08:00:00.000Z',
      expires_at: '2031-01-15T17:30:00.000Z',
      max_clicks: 250_000,
      fallback_url: 'https://example.com/over',
      ...SOCIAL,
      forward_query: true,
      forward_path: true,
      redirect_status: 301,
      external_id: `shop-${tests}`,
      archived: true,
      seen_version: 1,
    })
    await isClosed()
    await shown(page, 'Starts 1 Dec 2030')
    await page.keyboard.press('e')
    await unfold('Schedule')
    await page.getByRole('button', { name: 'Start now' }).click()
    await page.getByRole('button', { name: 'Never' }).click()
    await label('When the link is unavailable').selectOption('notice')
    await unfold('Social preview')
    await page.getByRole('button', { name: 'From the page' }).click()
    await unfold('Advanced')
    await page.getByRole('button', { name: 'Use 302' }).click()
    await holds('Forward the query string', 'add')
    await label('Forward the query string').selectOption('Replace')
    await summaryIs('Advanced', '302, query replaced, path forwarded, archived')
    await save()
    await isClosed()
    expect(await linkOf()).toMatchObject({
      status: 'active',
      starts_at: null,
      expires_at: null,
      fallback_url: null,
      social_title: null,
      social_image_url: null,
      redirect_status: 302,
      forward_query: 'replace',
      archived: true,
    })
  })

  test('writes UTM parameters into the destination, and reads them from there', async () => {
    await edit(code)
    await unfold('Campaign')
    await label('Source').fill('news letter')
    await label('Campaign').fill('winter-26')
    const url = 'https://example.com/winter?utm_source=news%20letter&utm_campaign=winter-26'
    await holds('Destination', url)
    await label('Destination').fill(`${url}&utm_medium=email#top`)
    await holds('Medium', 'email')
    await summaryIs('Campaign', 'news letter / email / winter-26')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear all' }).click()
    await holds('Destination', 'https://example.com/winter#top')
    await hasFocus(label('Source'))
    await label('Source').fill('instagram')
    await save()
    await isClosed()
    expect(await linkOf()).toMatchObject({
      original_url: 'https://example.com/winter?utm_source=instagram#top',
    })
    await label('Paste a long URL').fill('')
    await page.getByRole('button', { name: 'More options' }).click()
    await unfold('Campaign')
    expect(await label('Source').isDisabled()).toBe(true)
  })

  test('previews a card without the destination where previews are not told it', async () => {
    await edit(code)
    const card = panel().locator('.panel-aside .social-card')
    await card.getByText('Winter collection').waitFor()
    await card.getByText('example.com', { exact: true }).waitFor()
    await unfold('Schedule')
    await label('Click limit').fill('5')
    await panel().getByRole('button', { name: 'Preview', exact: true }).click()
    const host = new URL(rig.config.baseUrl).host
    await becomes(() => card.innerText(), `${host.split(':')[0]}\n${host}/${code}`)
    await panel()
      .getByText('Chat apps don’t see where a link with a password or a click limit goes.')
      .waitFor()
    await save()
    await isClosed()
    const bot = { 'User-Agent': 'Slackbot-LinkExpanding 1.0' }
    const { text } = await rig.call('GET', `/${code}`, { headers: bot })
    expect(text).toContain(`<meta property="og:title" content="${host}/${code}" />`)
    expect(text).not.toContain('example.com')
  })

  test('shows the QR code, which can be customized and downloaded', async () => {
    await edit(code)
    const picture = panel().getByRole('img', { name: /^QR code for/ })
    await picture.waitFor()
    await panel().getByText('Plain style').waitFor()
    const download = page.waitForEvent('download')
    await panel().getByRole('link', { name: 'Download as SVG' }).click()
    expect((await download).suggestedFilename()).toBe(`${new URL(rig.config.baseUrl).hostname}-${code}.svg`)
    await panel().getByRole('button', { name: 'Customize' }).click()
    const designer = page.getByRole('dialog', { name: /^QR code/ })
    const before = (await picture.getAttribute('src'))!
    await designer.getByRole('radio', { name: 'Dots' }).check()
    await designer.getByRole('button', { name: 'Save as default style' }).click()
    await page.getByText('Saved as default style').waitFor()
    await designer.getByRole('button', { name: 'Close' }).click()
    await designer.waitFor({ state: 'detached' })
    await panel().getByText('Default style').waitFor()
    // Another URL, so that the browser asks for the picture in the new style.
    await until(async () => (await picture.getAttribute('src')) !== before)
  })

  test('sets a password, which it never shows, replaces it and removes it', async () => {
    await edit(code)
    await unfold('Password')
    const asks = page.getByRole('switch', { name: 'Ask for a password before redirecting' })
    await asks.click()
    await save()
    await panel().getByText('1 field needs attention').waitFor()
    await label('Password of the link').fill('open sesame')
    await save()
    await isClosed()
    expect((await linkOf()).has_password).toBe(true)
    await page.locator('.link-badges').getByText('Password').waitFor()
    await edit(code)
    await summaryIs('Password', 'Set')
    await unfold('Password')
    await panel().getByText('A password is set.').waitFor()
    await page.getByRole('button', { name: 'Replace it' }).click()
    await hasFocus(label('Password of the link'))
    await holds('Password of the link', '')
    expect(await axeFindings(page)).toEqual([])
    await asks.click()
    await save()
    await isClosed()
    expect((await linkOf()).has_password).toBe(false)
  })

  test('gives a link aliases, and says which of them is taken', async () => {
    await user.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/',
      custom_code: `taken-${tests}`,
    })
    await edit(code)
    await page.getByRole('button', { name: 'Add alias' }).click()
    await hasFocus(label('Aliases'))
    await label('Aliases').fill(`schnee-${tests}, taken-${tests}`)
    await page.keyboard.press('Enter')
    await save()
    await panel().getByText(`taken-${tests}: The alias has already been taken.`).waitFor()
    await becomes(() => panel().locator('li.is-wrong').count(), 1)
    await panel()
      .locator('li.is-wrong')
      .filter({ hasText: `taken-${tests}` })
      .waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: `Remove taken-${tests}` }).click()
    await hasFocus(label('Aliases'))
    await page.keyboard.type(`a/b w26-${tests}`)
    await panel().getByText('a/b: an alias has 3 to 64 letters, digits, hyphens and underscores.').waitFor()
    await page.getByRole('button', { name: 'Remove a/b' }).click()
    await summaryIs('Advanced', '2 aliases, 302, query not forwarded')
    await save()
    await isClosed()
    expect((await linkOf()).aliases).toEqual([`schnee-${tests}`, `w26-${tests}`])
  })

  test('shows the errors of the server below their fields, in folds that open by themselves', async () => {
    await edit(code)
    await unfold('Schedule')
    await label('Start date').fill('2030-12-01')
    await label('End date').fill('2030-11-01')
    await unfold('Schedule')
    await unfold('Social preview')
    await panel().getByRole('button', { name: 'Custom', exact: true }).click()
    await label('Image URL').fill('http://example.com/picture.png')
    await unfold('Social preview')
    await save()
    await panel().getByText('2 fields need attention').waitFor()
    await hasFocus(label('End date'))
    await panel().getByText('The end must be after the start, 1 Dec 2030, 09:00.').waitFor()
    await panel().getByRole('button', { name: 'Test', exact: true }).click()
    const test = panel().locator('.link-test .notice-line')
    // What is wrong stands under the fields already.
    await becomes(() => test.innerText(), 'Fix the errors to run the test.')
    await label('Image URL').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
    await label('Image URL').fill('https://example.com/picture.png')
    await panel().getByText('1 field needs attention').waitFor()
    await label('Start date').fill('2030-10-01')
    await panel().getByText('3 unsaved changes').waitFor()
    await label('Start date').fill('2030-12-02')
    await test.filter({ hasText: 'The end must be after the start, 2 Dec 2030, 09:00.' }).waitFor()
    await label('End date').fill('2030-12-24')
    await panel().getByText('3 unsaved changes').waitFor()
    await save()
    await isClosed()
    expect(await linkOf()).toMatchObject({ social_image_url: 'https://example.com/picture.png' })
  })

  test('asks before it discards changes, and not without any', async () => {
    await edit(code)
    await page.keyboard.press('Escape')
    await isClosed()
    await edit(code)
    await label('Title').fill('Another title')
    await label('Notes').fill('A note')
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => panel().getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
    ]) {
      await close()
      const question = page.getByRole('dialog', { name: 'Discard 2 changes?' })
      await question.waitFor()
      await question.getByRole('button', { name: 'Keep editing' }).click()
      await question.waitFor({ state: 'detached' })
      await holds('Notes', 'A note')
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await isClosed()
    expect(await linkOf()).toMatchObject({ title: 'Winter collection', notes: null })
  })

  test('opens for the row that has the focus', async () => {
    // The keys of rows are there with the number of rows.
    await page.getByText(/^\d+–\d+ of \d+$/).waitFor()
    await page.locator(`a[href$="/links/${code}"]`).focus()
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Edit link' }).getByText(`/${code}`).first().waitFor()
  })

  test('extends an expired link from the notice on its page', async () => {
    await user.browser.succeed('PUT', `/links/${code}`, { expires_at: '2020-01-01T00:00:00Z' })
    await open(`/links/${code}`)
    await page.getByRole('button', { name: 'Extend' }).click()
    // The fold is open, and has the focus.
    await page.locator('summary:focus').filter({ hasText: 'Schedule' }).waitFor()
    await page.getByRole('button', { name: 'Never' }).click()
    await save()
    await isClosed()
    await page.getByText('This link expired').waitFor({ state: 'detached' })
  })

  test('fills a phone, where the form and its preview take turns', async () => {
    await open('/', { width: 390, height: 844 })
    await edit(code)
    await unfold('Schedule')
    await label('End date').fill('2031-01-15')
    const fits = () =>
      page.locator('.panel-form').evaluate((element) => element.scrollWidth <= element.clientWidth)
    expect(await fits()).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('tab', { name: 'Preview' }).click()
    await panel().getByText('In chat apps and social networks').waitFor()
    expect(await label('Destination').isVisible()).toBe(false)
    expect(await axeFindings(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.getByRole('tab', { name: 'Link' }).click()
    await holds('End date', '2031-01-15')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await isClosed()
  })

  async function addUser(): Promise<void> {
    user = await rig.user()
  }

  async function openWithLink(): Promise<void> {
    code = `winter-${++tests}`
    await user.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/winter',
      custom_code: code,
      title: 'Winter collection',
    })
    await open('/')
  }

  const open = async (path: string, look: Look = {}) => {
    page = await rig.open(path, { user, ...look })
    // It comes with the link. Before that its page shows the code as well, but does not know the keys yet.
    await page.getByRole('button', { name: `More actions for ${code}`, exact: true }).waitFor()
  }

  const summaryIs = (section: string, text: string) => becomes(() => summary(section).textContent(), text)
  const holds = (name: string, value: string) => becomes(() => label(name).inputValue(), value)
  const linkOf = (of = code) => user.browser.succeed('GET', `/links/${of}`)
})

const SOCIAL = {
  social_title: 'The first snow is here',
  social_description: 'Insulated jackets, and 40 more reasons to go outside.',
  social_image_url: 'https://cdn.example.net/winter.jpg',
}
