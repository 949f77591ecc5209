import { beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { becomes } from '../rigs/eventually.ts'
import { memberOf, type TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { shareDialogOn } from './pages/share-dialog-page.ts'
import { chooseFrom, clipboard, copies, field, fill, hasFocus, heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the dialog that shares statistics', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  let links = 0
  const { dialog, url, panel, button, turnOn, save } = shareDialogOn(() => page)

  beforeEach(openLink)

  test('turns the public page of a link on and off, copies its link, and opens it', async () => {
    await press(page, 'Share')
    await shown(page, 'Nobody outside this workspace can see these statistics.')
    const first = await turnOn()
    expect(first).toStartWith(`${rig.config.baseUrl}/share/`)
    await copies(page, () => button('Copy public link').click())
    expect(await clipboard(page)).toBe(first)
    const opened = page.waitForEvent('popup')
    await dialog().getByRole('link', { name: 'Open page' }).click()
    await heading(await opened, `${new URL(rig.config.baseUrl).host}/${code()}`)
    await (await opened).close()
    await dialog().getByRole('switch').click()
    await shown(page, 'The statistics are no longer shared.')
    await url().waitFor({ state: 'detached' })
    expect(await statusOf(first)).toBe(404)
    expect(await turnOn()).not.toBe(first)
  })

  test('changes what visitors see, with an end and a password, all at once', async () => {
    await press(page, 'Share')
    const link = await turnOn()
    await becomes(chosen, ['Clicks over time', 'Countries'])
    await panel('Clicks over time').uncheck()
    await panel('Sources').check()
    await field(page, 'End date').fill('2199-12-31')
    await dialog().getByLabel('Password', { exact: true }).fill('open sesame')
    await save()
    expect(await shareOf()).toMatchObject({
      url: link,
      panels: ['countries', 'sources'],
      ends_at: expect.stringMatching(/^2199-12-31T/),
      has_password: true,
    })
    await shown(page, 'Visitors enter a password.')
    expect(await statusOf(link)).toBe(403)
    await press(page, 'Never')
    await press(page, 'Remove')
    await save()
    expect(await shareOf()).toMatchObject({ ends_at: null, has_password: false })
  })

  test('says what is wrong with an end in the past, and keeps what was entered', async () => {
    await press(page, 'Share')
    await turnOn()
    await field(page, 'End date').fill('2020-01-01')
    await shown(page, 'The page has ended.')
    await press(page, 'Save changes')
    await shown(page, 'The end must be in the future.')
    await hasFocus(field(page, 'End date'))
    expect(await axeFindings(page)).toEqual([])
    expect(await shareOf()).toMatchObject({ ends_at: null })
  })

  test('resets the link after a question, and keeps all else', async () => {
    await press(page, 'Share')
    const before = await turnOn()
    await panel('Destination').check()
    await save()
    await button('Reset link').click()
    const question = page.getByRole('dialog', { name: 'Reset the public link?' })
    await question.getByRole('button', { name: 'Reset link' }).click()
    await question.waitFor({ state: 'detached' })
    await becomes(async () => (await url().inputValue()) === before, false)
    expect(await statusOf(before)).toBe(404)
    expect(await statusOf(await url().inputValue())).toBe(200)
    await becomes(chosen, ['Clicks over time', 'Countries', 'Destination'])
  })

  test('has the badge as Markdown and HTML, unless there is a password', async () => {
    await press(page, 'Share')
    const link = await turnOn()
    await dialog().getByText('Badge', { exact: true }).click()
    const picture = dialog().getByRole('img', { name: 'Clicks' })
    await becomes(() => picture.evaluate((image: HTMLImageElement) => image.naturalHeight), 20)
    await copies(page, () => button('Copy: Markdown').click())
    expect(await clipboard(page)).toBe(`[![Clicks](${link}/badge.svg)](${link})`)
    await copies(page, () => button('Copy: HTML').click())
    expect(await clipboard(page)).toBe(
      `<a href="${link}"><img src="${link}/badge.svg" alt="Clicks" height="20"></a>`,
    )
    await dialog().getByLabel('Password', { exact: true }).fill('open sesame')
    await save()
    await shown(page, 'A page with a password has no badge.')
  })

  test.each(['tag', 'folder'])('opens from the menu of a %s', async (kind) => {
    const name = `Spring ${kind}`
    await user.browser.succeed('POST', `/${kind}s`, { name })
    page = await rig.open(`/tags${kind === 'folder' ? '/folders' : ''}`, { user })
    await chooseFrom(page, `More for ${name}`, 'Share statistics')
    await shown(page, `Share the statistics of ${name}`)
    const link = await turnOn()
    expect(await dialog().getByRole('checkbox').count()).toBe(6)
    expect([await panel('Top links').count(), await panel('Destination').count()]).toEqual([1, 0])
    expect(await statusOf(link)).toBe(200)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await hasFocus(page.getByRole('button', { name: `More for ${name}` }))
  })

  test('shows viewers how the statistics are shared, and lets them copy the link only', async () => {
    const viewer = await memberOf(rig, user, 'viewer')
    const asViewer = () => openLink({}, viewer)
    await asViewer()
    await press(page, 'Share')
    await shown(page, 'Nobody outside this workspace can see these statistics.')
    expect(await page.getByRole('switch').count()).toBe(0)
    await user.browser.succeed('POST', `/links/${code()}/share`, { panels: ['via'] })
    await page.reload()
    await press(page, 'Share')
    await becomes(chosen, ['How they came'])
    expect(await dialog().getByRole('checkbox', { disabled: false }).count()).toBe(0)
    for (const name of ['Reset link', 'Save changes']) expect(await button(name).count()).toBe(0)
    await copies(page, () => button('Copy public link').click())
  })

  test('is used with the keyboard alone', async () => {
    const opener = page.getByRole('button', { name: 'Share', exact: true })
    await opener.focus()
    await page.keyboard.press('Enter')
    await dialog().getByRole('switch').focus()
    await page.keyboard.press('Space')
    await url().waitFor()
    await panel('Clicks over time').focus()
    await page.keyboard.press('Space')
    await dialog().getByLabel('Password', { exact: true }).focus()
    await page.keyboard.type('open sesame')
    await page.keyboard.press('Enter')
    await shown(page, 'Visitors enter a password.')
    expect(await shareOf()).toMatchObject({ panels: ['countries'], has_password: true })
    await page.keyboard.press('Escape')
    await hasFocus(opener)
  })

  const LOOKS: Look[] = [
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 1280 },
    { theme: 'light', width: 320 },
    { theme: 'dark', width: 320 },
  ]
  test.each(LOOKS)('has nothing wrong with it, %j', async (look) => {
    await openLink(look)
    await press(page, 'Share')
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await turnOn()
    await dialog().getByText('Badge', { exact: true }).click()
    await fill(page, 'Password', 'open sesame')
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await button('Reset link').click()
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
  })

  const code = () => `shared-${links}`

  async function openLink(look: Look = {}, as?: TestUser): Promise<void> {
    if (as === undefined) {
      links++
      user = await rig.user()
      await user.browser.succeed('POST', '/links', { url: 'https://example.com/', custom_code: code() })
    }
    page = await rig.open(`/links/${code()}`, { user: as ?? user, ...look })
  }

  const shareOf = () => user.browser.succeed('GET', `/links/${code()}/share`)

  const statusOf = async (link: string) =>
    (await rig.call('GET', new URL(link).pathname, { headers: { Accept: 'text/html' } })).status

  const chosen = async () => {
    const boxes = dialog().getByRole('checkbox', { checked: true })
    return Promise.all(
      (await boxes.all()).map((box) => box.evaluate((each) => each.closest('label')!.textContent!.trim())),
    )
  }
})
