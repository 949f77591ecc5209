import type { Page } from 'playwright-core'
import { chooseForLink, pressKeys } from '../user-pages.ts'

/** The list of links. `page`: the one that is open now. */
export const linkListOn = (page: () => Page) => ({
  row: (text: string) => page().getByRole('row').filter({ hasText: text }),
  /** The field that creates a link. */
  newUrl: () => page().getByLabel('Paste a long URL', { exact: true }),
  /** The menus of rows come after the rows; the keys of the list work by then. */
  hasMenu: (code: string) =>
    page()
      .getByRole('button', { name: `More actions for ${code}`, exact: true, disabled: false })
      .waitFor(),
  tick: (code: string) => page().getByRole('checkbox', { name: `Select ${code}`, exact: true }),
  /** Chooses an item of the menu of a row. */
  choose: (code: string, item: string) => chooseForLink(page(), code, item),
  /** A toast, or what the bar of selected links says. */
  says: (text: string) => page().getByRole('status').getByText(text, { exact: true }).waitFor(),
  press: (...keys: string[]) => pressKeys(page(), ...keys),
})
