import type { Page } from 'playwright-core'
import { hasFocus } from '../user-pages.ts'

/** The command palette, by keyboard. `page`: the one that is open now. */
export function paletteOn(page: () => Page) {
  const press = (key: string) => page().keyboard.press(key)
  const field = () => page().getByRole('combobox', { name: 'Search links, pages and actions' })
  /** The row that Enter runs. */
  const active = (row: string | RegExp) => page().getByRole('option', { name: row, selected: true })
  const open = async (text = '') => {
    await press('ControlOrMeta+k')
    await hasFocus(field())
    await page().keyboard.type(text)
  }
  return {
    field,
    active,
    open,
    option: (row: string | RegExp) => page().getByRole('option', { name: row }),
    /** The rows under a heading. */
    rows: (group: string) => page().getByRole('group', { name: group }).getByRole('option'),
    isClosed: () => page().locator('dialog.palette').waitFor({ state: 'detached' }),
    run: async (text: string, row: string | RegExp) => {
      await open(text)
      await active(row).waitFor()
      await press('Enter')
    },
    /** Finds a link and goes on to what can be done with it. */
    openActions: async (text: string, row: string | RegExp) => {
      await open(text)
      await active(row).waitFor()
      await press('ArrowRight')
    },
  }
}
