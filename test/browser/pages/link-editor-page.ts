import type { Locator, Page } from 'playwright-core'
import { chooseForLink } from '../user-pages.ts'

/** The panel that creates and edits links. `page`: the one that is open now. */
export function linkEditorOn(page: () => Page) {
  const panel = () => page().locator('dialog.panel')
  const label = (name: string) => page().getByLabel(name, { exact: true })
  const isOpen = () => label('Destination').waitFor()
  const summary = (section: string) => page().locator('summary').filter({ hasText: section })
  return {
    panel,
    label,
    combobox: (name: string) => page().getByRole('combobox', { name, exact: true }),
    button: (name: string) => page().getByRole('button', { name, exact: true }),
    /** What a closed section says. */
    summary: (section: string) => summary(section).locator('.section-summary'),
    unfold: (section: string) => summary(section).click(),
    /** From the list. */
    edit: async (code: string) => {
      await chooseForLink(page(), code, 'Edit')
      await isOpen()
    },
    /** From the page of a link. */
    editThis: async () => {
      await page().getByRole('button', { name: 'Edit', exact: true }).first().click()
      await isOpen()
    },
    save: () => page().keyboard.press('ControlOrMeta+Enter'),
    isClosed: () => panel().waitFor({ state: 'detached' }),
    /** Waits for it, also in a part that has no size. */
    hasFocus: (element: Locator) => element.and(page().locator(':focus')).waitFor({ state: 'attached' }),
  }
}
