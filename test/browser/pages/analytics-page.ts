import type { Page } from 'playwright-core'

/** The analytics of a link or of all links. `page`: the one that is open now. */
export const analyticsOn = (page: () => Page) => ({
  tile: (label: string) => page().getByRole('group', { name: label, exact: true }),
  card: (title: string) => page().getByRole('region', { name: title, exact: true }),
  pickRange: (range: string) => page().getByRole('button', { name: range }).click(),
})
