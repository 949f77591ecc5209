/** The domain of `BASE_URL`: the one row that `domains` has from the beginning. */
export const DEFAULT_DOMAIN = 0

/** The domain that a visitor's Host header names. Every host is the default domain's as long as there is no other. */
export function domainOf(_host: string): number {
  return DEFAULT_DOMAIN
}
