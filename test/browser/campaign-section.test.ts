import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { dialogIs } from './user-pages.ts'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { linkEditorOn } from './pages/link-editor-page.ts'

const NOTHING = { source: null, medium: null, campaign: null, term: null, content: null }

describe.skipIf(hasNoChromium)('the campaign section of the editor', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const { label, hasFocus, button, editThis, unfold, combobox: field } = linkEditorOn(() => page)

  beforeAll(makeLinks)
  beforeEach(openWithTemplates)

  test('offers the values that links of the workspace have, and warns of another spelling', async () => {
    await field('Source').focus()
    await page.keyboard.type('New')
    await page.getByRole('option', { name: 'newsletter' }).waitFor()
    await page.keyboard.type('sletter')
    await page.getByText('Used before as “newsletter”.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await button('Use it').click()
    await hasFocus(field('Source'))
    expect(await url()).toBe('https://example.com/a?utm_source=newsletter')
    expect(await page.getByText('Used before as').count()).toBe(0)
    await field('Campaign').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await field('Campaign').inputValue()).toBe('winter-26')
    const written = page.getByRole('group', { name: 'Added to the destination URL' })
    expect(await written.locator('strong').allTextContents()).toEqual(['newsletter', 'winter-26'])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFindings(page)).toEqual([])
  })

  test('fills in a template by keyboard alone, and names the one that is used', async () => {
    await button('Use a template').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('insta')
    await page.keyboard.press('Enter')
    await button('Template: Instagram story').waitFor()
    expect(await url()).toBe('https://example.com/a?utm_source=instagram&utm_medium=social')
    await field('Medium').fill('paid')
    await button('Use a template').waitFor()
    await button('Clear all').click()
    expect(await url()).toBe('https://example.com/a')
    await hasFocus(field('Source'))
  })

  test('saves the values as a template, beside those that others have saved since', async () => {
    expect(await saveAs().isDisabled()).toBe(true)
    await field('Source').fill('poster')
    await setTemplates([NEWS, STORY, { ...NOTHING, name: 'Of another member', term: 'x' }])
    await saveAs().click()
    const dialog = page.getByRole('dialog', { name: 'Save as template' })
    await hasFocus(label('Template name'))
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.type('newsletter')
    await dialog.getByText('Replaces the template “Newsletter”.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await hasFocus(saveAs())
    await page.keyboard.press('Enter')
    await label('Template name').fill('Poster')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await button('Template: Poster').waitFor()
    const saved = { ...NOTHING, name: 'Poster', source: 'poster' }
    expect((await templates()).map(({ name }: { name: string }) => name)).toEqual([
      'Newsletter',
      'Instagram story',
      'Of another member',
      'Poster',
    ])
    expect((await templates()).at(-1)).toEqual(saved)
    // Enter in the dialog was not for the editor.
    expect(await user.browser.succeed('GET', '/links/plain')).toMatchObject({
      original_url: 'https://example.com/a',
    })
    expect(await label('Destination').isVisible()).toBe(true)
  })

  test('renames and deletes templates, and says what is wrong', async () => {
    await button('Use a template').click()
    await button('Edit templates').click()
    const dialog = page.getByRole('dialog', { name: 'Edit templates' })
    await label('Name of “Newsletter”').fill('instagram story')
    await button('Save changes').last().click()
    await dialog.getByText('The name field has a duplicate value.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await button('Delete “Instagram story”').click()
    await hasFocus(label('Name of “Newsletter”'))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(await templates()).toEqual([{ ...NEWS, name: 'instagram story' }])
  })

  test('fits a phone', async () => {
    await open({ width: 390, height: 844 })
    await field('Source').fill('Newsletter')
    await page.getByText('Used before as').waitFor()
    const fits = () =>
      page.locator('.panel-form').evaluate((element) => element.scrollWidth <= element.clientWidth)
    expect([await fits(), await overflowOf(page)]).toEqual([true, 0])
    expect(await axeFindings(page)).toEqual([])
  })

  test('suggests another code for a new link, which is available', async () => {
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+C')
    await dialogIs(page, 'New link')
    await button('Suggest another code').click()
    await page.getByText('Available', { exact: true }).waitFor()
    const first = await label('Custom code').inputValue()
    expect(first).toMatch(/^\w{7}$/)
    await button('Suggest another code').click()
    await page.waitForFunction(
      (before) => ![...document.querySelectorAll('input')].some(({ value }) => value === before),
      first,
    )
    await label('Custom code').fill('used')
    await page.getByText('Taken', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
  })

  async function makeLinks(): Promise<void> {
    user = await rig.user()
    const original_url = 'https://example.com/?utm_source=newsletter&utm_medium=email&utm_campaign=winter-26'
    await user.browser.succeed('POST', '/links', { original_url, custom_code: 'used' })
    await user.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/a',
      custom_code: 'plain',
    })
  }

  async function openWithTemplates(): Promise<void> {
    await setTemplates([NEWS, STORY])
    await open()
  }

  const setTemplates = (utm_templates: object[]) =>
    user.browser.succeed('PUT', '/workspace/settings', { utm_templates })

  const templates = async () => (await user.browser.succeed('GET', '/workspace/settings')).utm_templates

  const open = async (look: Look = {}) => {
    page = await rig.open('/links/plain', { user, ...look })
    await editThis()
    await unfold('Campaign')
    await saveAs().waitFor()
  }

  const saveAs = () => button('Save as template')
  const url = () => label('Destination').inputValue()
})

const NEWS = { ...NOTHING, name: 'Newsletter', source: 'newsletter', medium: 'email' }
const STORY = { ...NOTHING, name: 'Instagram story', source: 'instagram', medium: 'social' }
