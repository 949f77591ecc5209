import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { dialogIs, press, shown } from './user-pages.ts'
import { linkEditorOn } from './pages/link-editor-page.ts'

describe.skipIf(hasNoChromium)('the head of the link editor', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let member: TestUser
  let page: Page
  const { panel, label, edit } = linkEditorOn(() => page)

  beforeAll(addTeam)
  beforeEach(openWithLinks)

  test('goes to the next and previous link of the list by keys, and asks before changes are lost', async () => {
    await edit('first')
    await page.keyboard.type('j')
    expect(await label('Destination').inputValue()).toContain('j')
    await label('Destination').fill('https://example.com/first')
    await panel().getByRole('button', { name: 'Next link' }).focus()
    await page.keyboard.press('j')
    await isAt('second')
    expect(await label('Title').inputValue()).toBe('The second')
    await page.keyboard.press('j')
    await isAt('third')
    expect(await panel().getByRole('button', { name: 'Next link' }).isDisabled()).toBe(true)
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await isAt('second')
    await both()
    await label('Title').fill('Something else')
    await panel().getByRole('button', { name: 'Previous link' }).click()
    const question = page.getByRole('dialog', { name: 'Discard 1 change?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await label('Title').inputValue()).toBe('Something else')
    await panel().getByRole('button', { name: 'Previous link' }).click()
    await press(page, 'Discard')
    await isAt('first')
    expect((await linkOf('second')).title).toBe('The second')
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
  })

  test('has a menu: archive with undo, QR code, delete', async () => {
    await edit('second')
    await choose('Archive')
    await shown(page, 'second archived. It keeps redirecting.')
    await panel().waitFor({ state: 'detached' })
    await page.getByText('The second').waitFor({ state: 'detached' })
    expect((await linkOf('second')).archived).toBe(true)
    await press(page, 'Undo')
    await page.getByText('The second').waitFor()
    await edit('second')
    await choose('QR code')
    await dialogIs(page, 'QR code')
    await page.keyboard.press('Escape')
    await edit('second')
    await label('Title').fill('Lost')
    await choose('Delete')
    await press(page, 'Discard')
    await shown(page, 'second deleted')
    expect((await user.browser.request('GET', '/links/second')).status).toBe(404)
  })

  test('stands alone on the page of a link, and on a phone', async () => {
    await open('/links/first', { width: 390, height: 844 })
    await press(page, 'Edit')
    await isAt('first')
    expect(await panel().getByRole('button', { name: 'Next link' }).count()).toBe(0)
    const name = panel().locator('.panel-about strong')
    expect(await name.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
    await both()
    expect(await overflowOf(page)).toBe(0)
  })

  test('says who else changed the link, shows what, and overwrites only that', async () => {
    await edit('first')
    await label('Title').fill('Mine')
    const change = (title: string) =>
      member.browser.succeed('PUT', '/links/first', { title, original_url: `https://example.com/${title}` })
    await change('theirs')
    await page.keyboard.press('ControlOrMeta+Enter')
    await shown(page, `${member.name} changed this link`)
    await page.locator('button:focus').getByText('Show changes').waitFor()
    await page.keyboard.press('Enter')
    await shown(page, 'changed the destination and the title')
    expect(await panel().locator('.diff').first().innerText()).toBe(
      '−\nexample.com/first\n+\nexample.com/theirs',
    )
    await both()
    await change('again')
    await press(page, 'Overwrite')
    await shown(page, 'example.com/again')
    expect((await linkOf('first')).title).toBe('again')
    await press(page, 'Overwrite')
    await panel().waitFor({ state: 'detached' })
    expect(await linkOf('first')).toMatchObject({ title: 'Mine', original_url: 'https://example.com/again' })
  })

  async function addTeam(): Promise<void> {
    user = await rig.user()
    member = await memberOf(rig, user, 'editor')
  }

  async function openWithLinks(): Promise<void> {
    for (const code of ['third', 'second', 'first']) {
      for (const place of ['links', 'trash']) await user.browser.request('DELETE', `/${place}/${code}`)
      const link = { original_url: `https://example.com/${code}`, custom_code: code, title: `The ${code}` }
      await user.browser.succeed('POST', '/links', link)
    }
    await open('/')
  }

  const open = async (path: string, look: Look = {}) => {
    page = await rig.open(path, { user, ...look })
  }

  const isAt = (code: string) => panel().locator('.panel-about').getByText(`/${code}`).first().waitFor()
  const linkOf = (code: string) => user.browser.succeed('GET', `/links/${code}`)

  const choose = async (item: string) => {
    await panel()
      .getByRole('button', { name: /^More actions for/ })
      .click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  const both = async () => {
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
  }
})
