import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import type { TestUser } from '../rigs/service/dashboard-rig.ts'
import { ruleIdsIn } from '../../src/links/rules/rule-ids.ts'
import { axeFindings } from './axe.ts'
import { overflowOf, useBrowserRig } from './browser-rig.ts'
import { hasNoChromium, type Look } from './chromium.ts'
import { chooseForLink, chooseFrom, dialogIs, pressKeys } from './user-pages.ts'
import { linkEditorOn } from './pages/link-editor-page.ts'

const SHOP = 'https://www.northlight-supply.com'

describe.skipIf(hasNoChromium)('redirect rules in the editor', () => {
  const rig = useBrowserRig()
  let user: TestUser
  let page: Page
  const { panel, label, save, isClosed, hasFocus, button, unfold } = linkEditorOn(() => page)
  let code: string
  let tests = 0

  beforeAll(addUser)
  beforeEach(makeLink)

  test('are made by keyboard alone: two rules, one of them a split', async () => {
    await open()
    await page.getByRole('button', { name: 'Bulk create' }).focus()
    await press('Shift+C')
    await dialogIs(page, 'New link')
    await page.keyboard.type('https://example.com/winter')
    await press('Tab')
    await page.keyboard.type(code)
    await tabTo(page.locator('summary').filter({ hasText: 'Redirect rules' }))
    await press('Enter', 'Tab')
    await hasFocus(button('Add rule'))
    await press('Enter')
    await hasFocus(button('Add a condition to rule 1'))
    await addCondition(0, 'jap')
    await tabTo(label('URL of rule 1'))
    await page.keyboard.type('northlight-supply.com/jp')
    await press('Tab')
    await hasFocus(button('Add rule'))
    await press('Enter')
    await hasFocus(button('Add a condition to rule 2'))
    await addCondition(0, 'germ', 'austria')
    await tabTo(button('Add a condition to rule 2'))
    await addCondition(0, 'pho')
    await tabTo(label('Where rule 2 goes'))
    await page.keyboard.type('Split')
    await tabTo(label('URL of variant A'))
    await page.keyboard.type(`${SHOP}/a`)
    await tabTo(label('URL of variant B'))
    await page.keyboard.type(`${SHOP}/b`)
    await press('Tab')
    await hasFocus(label('Share of variant B'))
    await press('ArrowRight', 'Shift+ArrowRight')
    await tabTo(button('Variant'))
    await press('Enter')
    await press('Shift+Tab', 'Shift+Tab')
    await hasFocus(label('Share of variant C in percent'))
    await page.keyboard.type('20')
    await press('Shift+Tab', 'Shift+Tab')
    await page.keyboard.type(`${SHOP}/c`)
    expect(await heading()).toEqual(['Rule 1: Japan', 'Rule 2: Germany + 1, phone'])
    await save()
    await isClosed()
    const rules = await rulesOf()
    expect(rules[0]).toEqual({ when: { country: ['JP'] }, to: 'https://northlight-supply.com/jp' })
    expect(rules[1].when).toEqual({ country: ['DE', 'AT'], device: ['mobile'] })
    expect(rules[1].split.map(({ to }: any) => to)).toEqual([`${SHOP}/a`, `${SHOP}/b`, `${SHOP}/c`])
    const weights: number[] = rules[1].split.map(({ weight }: any) => weight)
    expect(weights[2]).toBe(20)
    expect(weights.reduce((all, weight) => all + weight)).toBe(100)
    // 39 to 61, as far as whole numbers allow.
    expect(weights[0]! / weights[1]!).toBeCloseTo(39 / 61, 1)
  })

  test('change places by keyboard, which is announced, and Escape puts them back', async () => {
    await edit([JAPAN, SPLIT, APP])
    expect(await heading()).toEqual(['Rule 1: Japan', 'Rule 2: Phone', 'Rule 3: ios'])
    const said = (text: string) => panel().getByText(text, { exact: true }).waitFor({ state: 'attached' })
    await button('Reorder rule 1').focus()
    await press(' ')
    await said('Rule lifted. Position 1 of 3.')
    await press('ArrowDown', 'ArrowDown', 'ArrowDown')
    await said('Position 3 of 3.')
    await hasFocus(button('Reorder rule 3'))
    await press('Escape')
    await said('Put back. It is rule 1 again.')
    expect(await heading()).toEqual(['Rule 1: Japan', 'Rule 2: Phone', 'Rule 3: ios'])
    await hasFocus(button('Reorder rule 1'))
    await press(' ', 'ArrowDown', ' ')
    await said('Rule dropped. It is rule 2 now.')
    await press('ArrowDown')
    expect(await heading()).toEqual(['Rule 1: Phone', 'Rule 2: Japan', 'Rule 3: ios'])
    await save()
    await isClosed()
    expect(await rulesOf()).toEqual([SPLIT, JAPAN, APP])
  })

  test('change places by dragging their grips', async () => {
    await edit([JAPAN, SPLIT, APP])
    const before = await ids()
    const middleOf = async (name: string) => {
      const grip = button(name)
      await grip.scrollIntoViewIfNeeded()
      const { x, y, width, height } = (await grip.boundingBox())!
      return [x + width / 2, y + height / 2] as const
    }
    const from = await middleOf('Reorder rule 3')
    await page.mouse.move(...from)
    await page.mouse.down()
    await panel().locator('.rule.is-lifted').waitFor()
    const up = await panel().locator('.rule').first().boundingBox()
    for (let step = 1; step <= 10; step++)
      await page.mouse.move(from[0], from[1] + ((up!.y + 5 - from[1]) * step) / 10)
    await page.mouse.up()
    expect(await heading()).toEqual(['Rule 1: ios', 'Rule 2: Japan', 'Rule 3: Phone'])
    expect(await panel().locator('.rule.is-lifted').count()).toBe(0)
    const second = await middleOf('Reorder rule 1')
    await page.mouse.move(...second)
    await page.mouse.down()
    await page.mouse.move(second[0], second[1] + 400, { steps: 10 })
    await press('Escape')
    await page.mouse.up()
    expect(await heading()).toEqual(['Rule 1: ios', 'Rule 2: Japan', 'Rule 3: Phone'])
    await save()
    await isClosed()
    expect(await rulesOf()).toEqual([APP, JAPAN, SPLIT])
    expect(await ids()).toEqual([before.at(-1)!, ...before.slice(0, -1)])
  })

  test('keep the weights of the API until a share is moved', async () => {
    await edit([SPLIT])
    const before = await ids()
    expect(await label('Share of variant A in percent').inputValue()).toBe('33')
    expect(await label('Share of variant B').inputValue()).toBe('67')
    await label('URL of variant A').fill(`${SHOP}/new`)
    await save()
    await isClosed()
    expect((await rulesOf())[0].split).toEqual([
      { to: `${SHOP}/new`, weight: 1 },
      { to: `${SHOP}/b`, weight: 2 },
    ])
    expect(await ids()).toEqual(before)
    await chooseForLink(page, code, 'Edit')
    await page.locator('summary').filter({ hasText: 'Redirect rules' }).click()
    await label('Share of variant B in percent').fill('300')
    expect(await label('Share of variant A in percent').inputValue()).toBe('33')
    await press('Tab')
    expect(await label('Share of variant A in percent').inputValue()).toBe('1')
    await button('Even split').click()
    await label('Share of variant A').fill('60')
    await page.getByRole('img', { name: 'Shares: A 60%, B 40%' }).waitFor()
    // Saved by the keys, while the field still has the focus.
    await label('Share of variant A in percent').fill('55')
    await save()
    await isClosed()
    expect((await rulesOf())[0].split.map(({ weight }: any) => weight)).toEqual([55, 45])
  })

  test('show each error of the server at its rule, until that part is edited', async () => {
    await edit([JAPAN, SPLIT, APP])
    await chooseFrom(page, 'Add a condition to rule 1', 'Query parameter')
    // Before it is there, Escape closes the editor.
    await label('Parameter').waitFor()
    await press('Escape')
    await label('URL of variant B').fill('nowhere at all')
    await label('URL of rule 3').fill('')
    await page.locator('summary').filter({ hasText: 'Redirect rules' }).click()
    await save()
    await panel().getByText('3 fields need attention').waitFor()
    const card = (at: number) => panel().locator('.rule').nth(at)
    const chip = card(0).getByRole('button', { name: /^Query parameter is/ })
    await hasFocus(chip)
    await card(0).getByText('The query must have between 1 and 10 names.').waitFor()
    expect(await label('URL of variant A').getAttribute('aria-invalid')).toBe('false')
    expect(await label('URL of variant B').getAttribute('aria-invalid')).toBe('true')
    expect(await label('URL of rule 3').getAttribute('aria-invalid')).toBe('true')
    expect(await axeFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await axeFindings(page, 'only the colors')).toEqual([])
    // It follows its rule.
    await chooseFrom(page, 'More for rule 3', 'Move up')
    expect(await label('URL of rule 2').getAttribute('aria-invalid')).toBe('true')
    await label('URL of rule 2').fill(`${SHOP}/app2`)
    await panel().getByText('2 fields need attention').waitFor()
    await chip.click()
    await label('Parameter').fill('partner')
    await press('Escape')
    await panel().getByText('1 field needs attention').waitFor()
    await label('URL of variant B').fill(`${SHOP}/b2`)
    await save()
    await isClosed()
    expect(await rulesOf()).toEqual([
      { ...JAPAN, when: { ...JAPAN.when, query: { partner: true } } },
      { ...APP, to: `${SHOP}/app2` },
      { ...SPLIT, split: SPLIT.split.with(1, { to: `${SHOP}/b2`, weight: 2 }) },
    ])
  })

  test('have every kind of condition', async () => {
    await edit([{ to: SHOP }])
    const add = async (kind: string) => {
      await chooseFrom(page, 'Add a condition to rule 1', kind)
      await page.locator('.floating').waitFor()
    }
    const done = async () => {
      expect(await axeFindings(page)).toEqual([])
      await press('Escape')
      await page.locator('.floating').waitFor({ state: 'detached' })
    }
    await add('Hours')
    await page.getByRole('button', { name: 'Sat', exact: true }).click()
    await label('To').fill('00:00')
    await label('Time zone').fill('tokyo')
    await press('Enter')
    await page.getByRole('listbox').waitFor({ state: 'detached' })
    await done()
    await add('Dates')
    await label('From date').fill('2026-12-01')
    await done()
    await add('Query parameter')
    await label('Parameter').fill('utm_source')
    await label('Value of the parameter').selectOption('is')
    await label('Value').fill('press')
    await done()
    await add('Language')
    await page.keyboard.type('de-AT')
    await press('Enter')
    await done()
    await add('Browser')
    await page.locator('.floating').getByRole('option', { name: 'Instagram' }).click()
    await done()
    await chooseFrom(page, 'Browser', 'System')
    await page.locator('.floating').getByRole('option', { name: 'iOS', exact: true }).click()
    await done()
    await button('Remove condition: Dates').click()
    await hasFocus(button('Add a condition to rule 1'))
    await save()
    await isClosed()
    expect(await rulesOf()).toEqual([
      {
        when: {
          hours: {
            days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
            from: '09:00',
            to: '24:00',
            timezone: 'Asia/Tokyo',
          },
          query: { utm_source: 'press' },
          language: ['de-AT'],
          os: ['iOS'],
        },
        to: `${SHOP}/`,
      },
    ])
  })

  test('are duplicated up to 20, deleted, and say which can never match', async () => {
    await edit([{ to: SHOP }, ...Array.from({ length: 18 }, () => APP)])
    await panel().getByText('Rule 1 already matches every visitor of this rule.').first().waitFor()
    await chooseFrom(page, 'More for rule 2', 'Duplicate')
    await panel().getByText('A link has at most 20 rules.').waitFor()
    expect(await button('Add rule').getAttribute('aria-disabled')).toBe('true')
    await button('Add rule').click({ force: true })
    expect(await heading()).toHaveLength(20)
    await chooseFrom(page, 'More for rule 1', 'Delete')
    await hasFocus(button('Add rule'))
    expect(await heading()).toHaveLength(19)
    expect(await button('Add rule').getAttribute('aria-disabled')).toBe('false')
    await save()
    await isClosed()
    expect(await rulesOf()).toEqual(Array.from({ length: 19 }, () => APP))
  })

  test('take the UTM parameters of the destination', async () => {
    await edit([JAPAN, SPLIT])
    await page.locator('summary').filter({ hasText: 'Campaign' }).click()
    await label('Source').fill('news letter')
    await button('Add to all rules').click()
    await panel().getByText('Added to the URLs of all rules.').waitFor()
    await save()
    await isClosed()
    const [japan, split] = await rulesOf()
    expect(japan.to).toBe(`${SHOP}/jp?utm_source=news%20letter`)
    expect(split.split.map(({ to }: any) => to)).toEqual([
      `${SHOP}/a?utm_source=news%20letter`,
      `${SHOP}/b?utm_source=news%20letter`,
    ])
  })

  test('show the starts of their URLs and whole headings, on a phone too', async () => {
    const long = `${SHOP}/a/long/way/home`
    const when = { country: ['DE', 'AT'], device: ['mobile'], language: ['de'] }
    const split = ['one', 'two'].map((end) => ({ to: `${long}/${end}`, weight: 1 }))
    await edit(
      [
        { when, split },
        { ...APP, to: long },
      ],
      { width: 390, height: 844 },
    )
    const url = label('URL of variant A')
    const atStart = (field: typeof url) =>
      field.evaluate((input) => [input.scrollLeft, input.scrollWidth > input.clientWidth])
    expect(await atStart(url)).toEqual([0, true])
    expect(
      await panel()
        .locator('.rule h3')
        .first()
        .evaluate((title) => title.scrollWidth - title.clientWidth),
    ).toBe(0)
    await page.getByRole('button', { name: 'Rule 2: ' }).last().click()
    expect(await atStart(label('URL of rule 2'))).toEqual([0, true])
  })

  test('say on a phone, while folded, which can never match, and are open where the tested visitor goes', async () => {
    const never = { when: { device: ['mobile'], os: ['ios'] }, to: `${SHOP}/never` }
    await edit([JAPAN, SPLIT, never], { width: 390, height: 844 })
    await label('URL of rule 1').waitFor()
    expect(await panel().getByText('Rule 2 already matches every visitor of this rule.').isVisible()).toBe(
      true,
    )
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('tab', { name: 'Test' }).click()
    await page.locator('.link-test').getByLabel('Device', { exact: true }).selectOption('mobile')
    await page.locator('.test-answer').filter({ hasText: 'northlight-supply.com' }).waitFor()
    await page.getByRole('tab', { name: 'Link', exact: true }).click()
    await label('URL of variant A').waitFor()
    expect(await panel().locator('.rule.is-matched h3').innerText()).toContain('Phone')
    expect(await label('URL of rule 1').count()).toBe(0)
  })

  test('are open one at a time on a phone, except for errors', async () => {
    await edit([JAPAN, SPLIT, APP], { width: 390, height: 844 })
    const isOpen = () =>
      panel()
        .locator('.rule')
        .evaluateAll((cards) => cards.map((card) => card.querySelector('.rule-body') !== null))
    expect(await isOpen()).toEqual([true, false, false])
    await page.getByRole('button', { name: 'Rule 2: Phone' }).click()
    expect(await isOpen()).toEqual([false, true, false])
    const slider = (await label('Share of variant A').boundingBox())!
    const url = (await label('URL of variant A').boundingBox())!
    expect(slider.y).toBeGreaterThanOrEqual(url.y + url.height)
    const fits = () =>
      page.locator('.panel-form').evaluate((element) => element.scrollWidth <= element.clientWidth)
    expect(await fits()).toBe(true)
    expect(await overflowOf(page)).toBe(0)
    // Only the form scrolls in it, whatever is spoken there.
    expect(await panel().evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    await label('URL of variant A').fill('')
    await page.getByRole('button', { name: 'Rule 3: ios' }).click()
    await button('Save changes').click()
    await hasFocus(label('URL of variant A'))
    expect(await isOpen()).toEqual([false, true, true])
    expect(await fits()).toBe(true)
    await label('URL of variant A').fill(`${SHOP}/phone`)
    await button('Save changes').click()
    await isClosed()
    expect((await rulesOf())[1].split[0]).toEqual({ to: `${SHOP}/phone`, weight: 1 })
  })

  async function addUser(): Promise<void> {
    user = await rig.user()
  }

  function makeLink(): void {
    code = `rules-${++tests}`
  }

  const open = async (look: Look = {}) => {
    page = await rig.open('/', { user, ...look })
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor()
  }

  const edit = async (rules: object[], look: Look = {}) => {
    await user.browser.succeed('POST', '/links', {
      original_url: 'https://example.com/winter',
      custom_code: code,
      rules,
    })
    await open(look)
    await chooseForLink(page, code, 'Edit')
    await unfold('Redirect rules')
  }

  const heading = () => panel().locator('.rule h3').allTextContents()

  /** Without the IDs, which the server gives. */
  const rulesOf = async (of = code) => {
    const { rules } = await user.browser.succeed('GET', `/links/${of}`)
    return JSON.parse(JSON.stringify(rules, (key, value) => (key === 'id' ? undefined : value)))
  }

  const ids = async () => ruleIdsIn((await user.browser.succeed('GET', `/links/${code}`)).rules)
  const press = (...keys: string[]) => pressKeys(page, ...keys)

  /** With the focus on "+ Condition". */
  const addCondition = async (downs: number, ...values: string[]) => {
    await press('Enter')
    await page.getByRole('menu').waitFor()
    for (let step = 0; step < downs; step++) await press('ArrowDown')
    await press('Enter')
    const find = page.getByRole('combobox', { name: /^Find in/ })
    await hasFocus(find)
    for (const value of values) {
      await page.getByRole('listbox').getByRole('option').first().waitFor()
      await page.keyboard.type(value)
      await press('Enter')
    }
    await press('Escape')
    await find.waitFor({ state: 'detached' })
  }

  const tabTo = async (locator: Locator) => {
    for (let step = 0; step < 30; step++) {
      if (await locator.evaluate((element) => element === document.activeElement)) return
      await press('Tab')
    }
    throw new Error('The focus does not come there.')
  }
})

const JAPAN = { when: { country: ['JP'] }, to: `${SHOP}/jp` }
const APP = { when: { os: ['ios'] }, to: `${SHOP}/app` }

const SPLIT = {
  when: { device: ['mobile'] },
  split: [
    { to: `${SHOP}/a`, weight: 1 },
    { to: `${SHOP}/b`, weight: 2 },
  ],
}
