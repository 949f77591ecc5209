import type { Page } from 'playwright-core'
import { fill, inDialog, press } from '../user-pages.ts'

/** The domains of a workspace and the dialog with the records of one. `page`: the one that is open now. */
export function domainsOn(page: () => Page) {
  const name = async (host: string) => {
    await fill(page(), 'Domain', host)
    await inDialog(page(), 'Add domain')
  }
  return {
    /** In the dialog that is open. */
    name,
    add: async (host: string) => {
      await page().getByRole('button', { name: 'Add domain', exact: true }).first().click()
      await name(host)
    },
    check: () => press(page(), 'Check now'),
    /** What the TXT record has to be. */
    record: () => page().getByRole('group', { name: 'Value of the TXT record' }),
    remove: async (host: string) => {
      await press(page(), 'Remove domain')
      await fill(page(), `Type ${host} to confirm`, host)
      await inDialog(page(), 'Remove domain')
    },
  }
}
