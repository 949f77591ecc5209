import type { Page } from 'playwright-core'

/** The bar of the links that are selected in a list. `page`: the one that is open now. */
export function selectionBarOn(page: () => Page) {
  const bar = () => page().getByRole('toolbar', { name: 'Actions for selected links' })
  const button = (name: string) => bar().getByRole('button', { name })
  const says = (text: string) => page().getByRole('status').getByText(text, { exact: true }).waitFor()
  /** All of this page, and then, with a count of them, all of the list. */
  const selectAll = async (onPage: number, inList?: number | string) => {
    await page().keyboard.press('Control+a')
    await says(`${onPage} selected`)
    if (inList === undefined) return
    await page().keyboard.press('Control+a')
    await says(`${inList} selected`)
  }
  return {
    isShown: () => bar().waitFor(),
    button,
    selectAll,
    isGone: () => bar().waitFor({ state: 'detached' }),
    /** By the key of the action, in the picker that it opens. */
    moveTo: async (folder: string) => {
      await page().keyboard.press('m')
      await page().getByPlaceholder('Find or create a folder').waitFor()
      await page().keyboard.type(folder)
      await page().keyboard.press('Enter')
    },
    chooseExport: async (format: 'CSV' | 'NDJSON') => {
      await button('Export').press('Enter')
      await page()
        .getByRole('menuitem', { name: `Export as ${format}` })
        .press('Enter')
    },
  }
}
