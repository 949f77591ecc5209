import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { field, fill, hasFocus, heading, press, shown } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the page of a link with a password', () => {
  const rig = useBrowserRig()

  beforeAll(async () => {
    const user = await rig.user()
    const link = { original_url: DESTINATION, custom_code: 'secret', password: WORD }
    await user.browser.succeed('POST', '/links', link)
  })

  test('takes the password from the keyboard and leads to the destination, from then on by itself', async () => {
    const page = await openLink()
    await hasFocus(field(page, 'Password'))
    await page.keyboard.type('shut sesame')
    await page.keyboard.press('Enter')
    await shown(page, 'Wrong password. 9 attempts are left.')
    await hasFocus(field(page, 'Password'))
    const arrives = page.waitForRequest(DESTINATION)
    await page.keyboard.type(WORD)
    await page.keyboard.press('Enter')
    expect((await arrives).headers().referer).toBeUndefined()
    const again = page.waitForRequest(DESTINATION)
    await page.goto(`${rig.config.baseUrl}/secret`).catch(() => {})
    await again
    // Chromium would say so if a policy kept the form from its destination.
    expect(rig.takeFaults()).toEqual([])
  })

  test('asks on the preview page too, and leads on from there', async () => {
    const page = await rig.open('/sign-in')
    await page.goto(`${rig.config.baseUrl}/secret+`)
    await heading(page, 'This link needs a password')
    await page.keyboard.type('shut sesame')
    await page.keyboard.press('Enter')
    await shown(page, 'Wrong password.')
    const arrives = page.waitForRequest(DESTINATION)
    await page.keyboard.type(WORD)
    await page.keyboard.press('Enter')
    await arrives
    expect(rig.takeFaults()).toEqual([])
  })

  test('that is sent from elsewhere is not checked, and can be entered again', async () => {
    const page = await openLink({ theme: 'dark', width: 320 })
    // No origin is sent from a sandboxed document, as from one of another site.
    await page.setContent(`<iframe sandbox="allow-forms allow-top-navigation"
      srcdoc='<form method="post" target="_top" action="${rig.config.baseUrl}/secret"><input name="password" value="${WORD}"><button>Go</button></form>'></iframe>`)
    await page.frameLocator('iframe').getByRole('button').click()
    await heading(page, 'The password was not checked')
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await page.getByRole('link', { name: 'Try again' }).click()
    await heading(page, 'This link needs a password')
    await hasFocus(field(page, 'Password'))
  })

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
    ['dark', 320],
  ] as const)('has nothing wrong with it, %s and %d pixels wide', async (theme, width) => {
    const page = await openLink({ theme, width })
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    await fill(page, 'Password', 'shut sesame')
    await press(page, 'Continue')
    await shown(page, 'Wrong password.')
    expect([await axeFindings(page), await overflowOf(page)]).toEqual([[], 0])
    expect(rig.takeFaults()).toEqual([])
  })

  async function openLink(look: { theme?: 'light' | 'dark'; width?: number } = {}): Promise<Page> {
    const page = await rig.open('/sign-in', look)
    await page.goto(`${rig.config.baseUrl}/secret`)
    await heading(page, 'This link needs a password')
    return page
  }
})

/** Nobody has that name, so the browser gets no further. */
const DESTINATION = 'https://destination.invalid/here'

const WORD = 'open sesame'
