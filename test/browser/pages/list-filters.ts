import type { Page } from 'playwright-core'

/** What narrows and orders the list of links. `page`: the one that is open now. */
export function listFiltersOn(page: () => Page) {
  const button = (name: string) => page().getByRole('button', { name, exact: true })
  const views = () => page().getByRole('navigation', { name: 'Views' })
  return {
    /** A filter with its name, and with its values where some are chosen. */
    filter: button,
    search: () => page().getByLabel('Search codes, titles, URLs'),
    /** Opens a filter, chooses one of its values, and closes it. */
    choose: async (filter: string, value: string | RegExp) => {
      await button(filter).click()
      await page().getByRole('option', { name: value }).click()
      await page().keyboard.press('Escape')
    },
    remove: (filter: string) => button(`Remove filter: ${filter}`).click(),
    clear: () => button('Clear').click(),
    sort: async (before: string, order: string) => {
      await button(`Sort: ${before}`).click()
      await page().getByRole('menuitemradio', { name: order }).click()
    },
    saveView: async (name: string) => {
      await button('Save view').click()
      await page().getByLabel('Name').fill(name)
      await page().keyboard.press('Enter')
    },
    view: (name: string) => views().getByRole('button', { name: new RegExp(`^${name}( |$)`) }),
    /** Names of views, with how many links each has. */
    views: () => views().locator('.tab').allInnerTexts(),
  }
}
