import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium } from './chromium.ts'
import { field, heading, press } from './user-pages.ts'

describe.skipIf(hasNoChromium)('the look of all pages', () => {
  const rig = useBrowserRig()
  let user: TestUser

  beforeAll(async () => {
    user = await rig.user()
    const link = { original_url: 'https://example.com/', title: 'First', custom_code: 'first' }
    await user.browser.succeed('POST', '/links', link)
  })

  test.each(['light', 'dark'] as const)(
    'the focus ring is blue, and red only on invalid fields, %s',
    async (theme) => {
      const page = await rig.open('/', { theme, user })
      const field = page.getByLabel('Paste a long URL')
      await field.focus()
      const [focus, bad] = [await token(page, '--focus'), await token(page, '--bad')]
      expect(focus).not.toBe(bad)
      expect(await ringOf(page)).toBe(focus)
      await field.fill('ftp://nowhere')
      await press(page, 'Create link')
      await page.locator('[aria-invalid=true]').waitFor()
      expect(await ringOf(page)).toBe(bad)
      await page.keyboard.press('Tab')
      expect(await ringOf(page)).toBe(focus)
    },
  )

  test('only the primary action, the current page and what is new have the accent color', async () => {
    const page = await rig.open('/', { user })
    for (const path of ['/', '/links/first', '/overview', '/keys', '/account']) {
      await page.goto(`${rig.config.baseUrl}/dashboard${path}`)
      await page.locator('h1').first().waitFor()
      const accent = await token(page, '--accent')
      const colored = await page.evaluate(
        (color) =>
          [...document.querySelectorAll('a, button, p, span, td')]
            .filter((element) => getComputedStyle(element).color === color)
            .map(({ outerHTML }) => outerHTML),
        accent,
      )
      expect(colored).toEqual([])
    }
  })

  test('on a phone, touch targets are large enough for a thumb', async () => {
    const page = await rig.open('/', { width: 390, height: 844, user })
    for (const path of ['/', '/links/first', '/account/security']) {
      await page.goto(`${rig.config.baseUrl}/dashboard${path}`)
      await page.getByRole('button', { name: /^Your account/ }).waitFor()
      await page.waitForFunction(() => document.querySelector('main .skeleton') === null)
      const small = await page.evaluate((least) => {
        const pressed = document.querySelectorAll<HTMLElement>('main :is(button, select, [role=switch])')
        return [...pressed]
          .filter((element) => element.checkVisibility())
          .filter((element) => {
            element.scrollIntoView({ block: 'center' })
            const { left, top, width, height } = element.getBoundingClientRect()
            const [x, y] = [left + width / 2, top + height / 2]
            // What takes the finger may reach beyond what is drawn.
            const takes = (dy: number) => document.elementFromPoint(x, y + dy)?.closest('button, select')
            return takes(1 - least / 2) !== element || takes(least / 2 - 1) !== element
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 120))
      }, TOUCH_PX)
      expect(small).toEqual([])
    }
  })

  test('at 400% zoom the navigation bar covers nothing, and nothing scrolls sideways', async () => {
    const page = await rig.open('/', { width: 320, height: 225, user })
    await heading(page, 'Links')
    const bar = page.locator('.bottom-bar')
    // Until it has loaded another one stands in its place, whose button does nothing.
    await bar.getByRole('button', { name: 'More', disabled: false }).waitFor()
    expect(await bar.evaluate((element) => getComputedStyle(element).position)).toBe('static')
    // The bar is under the list and its tools, which would push it away between two touches.
    await page.getByText('First', { exact: true }).waitFor()
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
    await page.getByRole('button', { name: 'Filters', exact: true }).waitFor()
    await bar.scrollIntoViewIfNeeded()
    await bar.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await heading(page, 'Account')
    await field(page, 'Name').waitFor()
    expect(await overflowOf(page)).toBe(0)
  })

  test('a row on a narrow phone has room for many clicks and a badge', async () => {
    const owner = await rig.user()
    const link = { original_url: 'https://example.com/', custom_code: 'many-clicks', is_active: false }
    await owner.browser.succeed('POST', '/links', link)
    const { id, workspace_id } = await rig.store.db
      .selectFrom('links')
      .select(['id', 'workspace_id'])
      .where('code', '=', 'many-clicks')
      .executeTakeFirstOrThrow()
    const counters = { clicks: 99_999, visitors: 99_999, bots: 0 }
    await rig.store.db
      .insertInto('link_totals')
      .values({ link_id: id, workspace_id: workspace_id!, ...counters, last_clicked_at: null })
      .execute()
    const narrow = { width: 320, height: 640, user: owner }
    const page = await rig.open('/', narrow)
    await page.getByText('99,999').waitFor()
    await page.getByText('Disabled', { exact: true }).last().waitFor()
    expect(await page.evaluate(() => innerWidth)).toBe(320)
    expect(await overflowOf(page)).toBe(0)
  })

  test('a preview page is no wider than a phone, whatever it shows', async () => {
    const { browser } = await rig.user()
    const code = 'Wm-'.repeat(21)
    const host = `${'www-'.repeat(15)}x.${'wide-'.repeat(12)}x.example`
    await browser.succeed('POST', '/links', {
      original_url: `https://${host}/${'W'.repeat(400)}`,
      title: 'W'.repeat(200),
      custom_code: code,
    })
    const page = await rig.open('/', { width: 320, height: 568 })
    await page.goto(`${rig.config.baseUrl}/${code}+`)
    await page.getByText('Title given by the owner').waitFor()
    expect(await overflowOf(page)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  test('a notice is no wider than a phone, whatever was typed', async () => {
    const page = await rig.open('/', { width: 320, height: 568 })
    await page.goto(`${rig.config.baseUrl}/${'Wm_'.repeat(21)}`)
    await heading(page, 'No such link')
    expect(await overflowOf(page)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    // What is wider than the text scrolls in its own place, and does not push the page sideways.
    await page.evaluate(() => {
      const wide = document.createElement('pre')
      wide.textContent = 'W'.repeat(200)
      wide.style.overflow = 'auto'
      document.querySelector('.notice-card')!.append(wide)
    })
    expect(await overflowOf(page)).toBe(0)
  })

  /** A token as the browser computes it. */
  const token = (page: Page, name: string) =>
    page.evaluate((wanted) => {
      const probe = document.createElement('span')
      probe.style.color = `var(${wanted})`
      document.body.append(probe)
      const { color } = getComputedStyle(probe)
      probe.remove()
      return color
    }, name)

  const ringOf = (page: Page) => page.evaluate(() => getComputedStyle(document.activeElement!).outlineColor)
})

/** What a finger needs (WCAG 2.5.5). */
const TOUCH_PX = 44
