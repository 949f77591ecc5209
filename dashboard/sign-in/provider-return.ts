const RETURN_TO = 'sign-in-return'
const CONFIRMING = 'sign-in-confirms'
const BASE = '/dashboard'

/** A path of the dashboard, for later. */
export const pathNow = (): string => location.pathname.slice(BASE.length) + location.search

/** Remembers, in this tab, where to be after coming back. */
export function leaveForProvider(url: string, returnTo: string): void {
  sessionStorage.setItem(RETURN_TO, returnTo)
  // An earlier confirmation may have been abandoned at the provider.
  sessionStorage.removeItem(CONFIRMING)
  location.assign(url)
}

/** The same, to confirm that it is the signed-in user. */
export function leaveToConfirm(url: string, returnTo: string): void {
  leaveForProvider(url, returnTo)
  sessionStorage.setItem(CONFIRMING, '1')
}

/** Once: whether this tab has left to confirm. */
export function takeConfirming(): boolean {
  const isConfirming = sessionStorage.getItem(CONFIRMING) !== null
  sessionStorage.removeItem(CONFIRMING)
  return isConfirming
}

/** Once. The start page if this tab never left. */
export function takeReturnPath(): string {
  const path = sessionStorage.getItem(RETURN_TO) ?? '/'
  sessionStorage.removeItem(RETURN_TO)
  return path
}
