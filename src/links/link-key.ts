import { DEFAULT_DOMAIN } from '../codes/code-rules.ts'

/** What opens a link: a code on a domain. The same code on another domain opens another link. */
export type LinkKey = { domainId: number; code: string }

/** A key of the default domain. */
export const defaultKey = (code: string): LinkKey => ({ domainId: DEFAULT_DOMAIN, code })

/**
 * The key as one string, for maps. On the default domain it is the code itself, so that a redirect builds no string; no
 * code has a line feed.
 */
export const keyText = ({ domainId, code }: LinkKey): string =>
  domainId === DEFAULT_DOMAIN ? code : `${domainId}\n${code}`

export const isSameKey = (a: LinkKey, b: LinkKey): boolean => a.code === b.code && a.domainId === b.domainId
