/** Names a link: the same code may be on several domains. `domain`: the host, as links of the API have it. */
export type LinkAddress = { short_code: string; domain: string }

/** What a request for this link has. */
export const requestFor = ({ short_code, domain }: LinkAddress) => ({
  path: { short_code },
  query: { domain },
})

const PARTS = ['opened', 'version'] as const

/** What pages about one link read of it. */
export const linkQuery = (domain: string) => ({ domain, include: PARTS })

/** The path of its page, below /dashboard. Links on this host have the shorter one. */
export const pageOf = ({ short_code: code, domain }: LinkAddress): string =>
  `/links/${domain === location.host ? '' : `${domain}/`}${encodeURIComponent(code)}`

const LINK_PAGE = /^\/dashboard\/links\/(?:([^/]+)\/)?([\w-]+)$/

/** The link whose page it is, by the whole path; undefined for other pages, and for codes of other characters. */
export function linkOfPath(path: string): LinkAddress | undefined {
  const [, domain = location.host, code] = LINK_PAGE.exec(path) ?? []
  return code === undefined ? undefined : { short_code: code, domain }
}

export const isSameAddress = (one: LinkAddress, other: LinkAddress): boolean =>
  one.short_code === other.short_code && one.domain === other.domain
