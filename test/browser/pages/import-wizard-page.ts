import type { Page } from 'playwright-core'
import { heading, press, shown } from '../user-pages.ts'

/** The wizard that imports links. `page`: the one that is open now. */
export function importWizardOn(page: () => Page) {
  const asFile = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  return {
    /** Waits for the step with this title. */
    isAt: (title: string) => heading(page(), title),
    /** The name of the step, as screen readers hear which one it is. */
    step: () => page().locator('[aria-current=step] .step-name').textContent(),
    choose: async (source: string) => {
      await page().locator('label').filter({ hasText: source }).click()
      await press(page(), 'Continue')
    },
    add: (name: string, text: string) => page().locator('input[type=file]').setInputFiles(asFile(name, text)),
    upload: async (name: string, text: string) => {
      await page().locator('input[type=file]').setInputFiles(asFile(name, text))
      await shown(page(), ', uploaded')
    },
    /** Lets go of a file somewhere on the page. */
    drop: (name: string, text: string) =>
      page().evaluate(
        ([fileName, content]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([content], fileName))
          const event = { bubbles: true, cancelable: true, dataTransfer }
          document.querySelector('h1')!.dispatchEvent(new DragEvent('dragover', event))
          document.querySelector('h1')!.dispatchEvent(new DragEvent('drop', event))
        },
        [name, text] as const,
      ),
    fieldOf: (column: string) => page().getByLabel(`Field of ${column}`, { exact: true }),
    /** One of the four numbers of the check, which chooses the list below. */
    figure: (name: string) => page().getByRole('group', { name: 'Results of the check' }).getByText(name),
    list: (name: string | RegExp) => page().getByRole('region', { name, exact: true }),
    /** What the button downloads. */
    refusedCsv: async () => {
      const waiting = page().waitForEvent('download')
      await page().getByRole('link', { name: 'Download as CSV' }).click()
      return Bun.file(await (await waiting).path()).text()
    },
    forAll: () => page().getByLabel('For all'),
    choiceOf: (code: string) => page().getByLabel(`What to do with ${code}`, { exact: true }),
    next: (action: string) => press(page(), action),
  }
}
