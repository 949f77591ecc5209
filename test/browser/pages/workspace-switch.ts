import type { Page } from 'playwright-core'

/** The switch between workspaces, in the side bar of those who have several. `page`: the one that is open now. */
export function workspaceSwitchOn(page: () => Page) {
  const button = (name: string | RegExp) => page().locator('.side-bar').getByRole('button', { name })
  return {
    open: () => button(/^Workspace:/).click(),
    isAt: (workspace: string) => button(`Workspace: ${workspace}`).waitFor(),
  }
}
