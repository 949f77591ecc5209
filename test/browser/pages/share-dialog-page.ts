import type { Page } from 'playwright-core'
import { press } from '../user-pages.ts'

/** The dialog that shares statistics. `page`: the one that is open now. */
export function shareDialogOn(page: () => Page) {
  const dialog = () => page().getByRole('dialog', { name: 'Public statistics' })
  const url = () => dialog().getByLabel('Public link', { exact: true })
  return {
    dialog,
    url,
    panel: (name: string) => dialog().getByRole('checkbox', { name, exact: true }),
    button: (name: string) => dialog().getByRole('button', { name, exact: true }),
    /** Turns sharing on, and gives the URL of the public page. */
    turnOn: async (): Promise<string> => {
      await dialog().getByRole('switch').click()
      return url().inputValue()
    },
    save: async () => {
      await press(page(), 'Save changes')
      // With nothing left to save, the button is another one.
      await dialog().getByRole('button', { name: 'Copy public link' }).waitFor()
    },
  }
}
