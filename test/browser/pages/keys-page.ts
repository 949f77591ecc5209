import type { Page } from 'playwright-core'
import { fill, press } from '../user-pages.ts'

/** The API keys of a workspace and the dialog that creates one. `page`: the one that is open now. */
export function keysOn(page: () => Page) {
  const created = async (): Promise<string> =>
    (await page().getByRole('group', { name: 'Your new key' }).textContent())!
  return {
    open: async (name: string) => {
      await press(page(), 'New key')
      await fill(page(), 'Name', name)
    },
    /** With what is set; the dialog then shows the key, once. */
    create: async (): Promise<string> => {
      await press(page(), 'Create key')
      return created()
    },
    created,
    /** Copied, so that the dialog can be closed. */
    close: async () => {
      await press(page(), 'Copy key')
      await page().getByRole('button', { name: 'Done', disabled: false }).click()
    },
  }
}
