import type { Locator, Page } from 'playwright-core'
import { PASSWORD } from '../rigs/service/add-user.ts'

/** What users do on a page, in its own words. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
/** Not the card around it, which may have the same name. */
export const field = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator('input'))
export const fill = (page: Page, label: string, text: string) => field(page, label).fill(text)
export const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()
export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true }).waitFor()

/** Waits for it: a page moves the focus after it has shown something. */
export const hasFocus = (element: Locator) => element.and(element.page().locator(':focus')).waitFor()

/** Does what copies something. Waits from before, because the page says only for a moment that it is copied. */
export const copies = (page: Page, act: () => Promise<unknown>) =>
  Promise.all([page.getByText('Copied', { exact: true }).first().waitFor(), act()])

/** From the next load on: what a slow page shows late is not old by then, and is not requested again. */
export const stopClock = (page: Page) =>
  page.addInitScript(() => {
    const now = Date.now()
    Date.now = () => now
  })

/** Keys, one after the other. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Opens a menu by its button and chooses an item. */
export async function chooseFrom(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Chooses an item of the menu that a link has in lists. */
export const chooseForLink = (page: Page, code: string, item: string) =>
  chooseFrom(page, `More actions for ${code}`, item)

/** Presses a button of the dialog that is open: the page behind it may have one of the same name. */
export const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name }).click()

export const dialogIs = (page: Page, name: string) => page.getByRole('dialog', { name }).waitFor()

/** What was copied. */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** Gives the password in the dialog that asks for it once more. */
export async function givePassword(page: Page, password = PASSWORD): Promise<void> {
  await page.getByRole('dialog').getByLabel('Current password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

export async function signInAt(page: Page, email: string, password = PASSWORD): Promise<void> {
  await fill(page, 'Email', email)
  await fill(page, 'Password', password)
  await page.keyboard.press('Enter')
}

export async function signOutAt(page: Page): Promise<void> {
  await chooseFrom(page, /^Your account/, 'Sign out')
  await heading(page, 'Sign in')
}

export const isSignedInAt = (page: Page) => page.getByRole('button', { name: /^Your account/ }).waitFor()

/** A device with a passkey store, inside Chromium, whose owner always says yes. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
