import { PASSWORD } from '../service/add-user.ts'
import { type Browser, type TestUser } from '../service/dashboard-rig.ts'
import { type ProviderAccount, signInAtProvider, type SingleSignOnRig as Rig } from './oidc-server.ts'

let people = 0

/** Somebody whom only the provider knows so far. */
export function newAccount(more: Partial<ProviderAccount> = {}): ProviderAccount & { email: string } {
  const sub = `user-${++people}`
  return { sub, email: `${sub}@example.com`, email_verified: true, name: `Provided ${people}`, ...more }
}

/** Goes to the provider and comes back, without what the page does then. */
export async function comeBack(rig: Rig, browser: Browser, account?: ProviderAccount): Promise<string> {
  if (account !== undefined) rig.provider.account = account
  const { url } = await browser.succeed('POST', '/session/provider', { provider: 'test' })
  return (await signInAtProvider(url)).search
}

export const finish = (browser: Browser, query: string) =>
  browser.request('POST', '/session/provider/return', { provider: 'test', query })

export const signInWith = async (rig: Rig, browser: Browser, account: ProviderAccount) =>
  finish(browser, await comeBack(rig, browser, account))

export async function startLink(rig: Rig, { browser }: TestUser, account: ProviderAccount): Promise<string> {
  rig.provider.account = account
  const { url } = await browser.succeed('POST', '/identities', { provider: 'test', password: PASSWORD })
  return (await signInAtProvider(url)).search
}

export const link = async (rig: Rig, user: TestUser, account: ProviderAccount) =>
  finish(user.browser, await startLink(rig, user, account))
