import { KNOWN_SOURCES } from './known-sources.ts'

const EVERY_COUNTRY = '.*'

const byDomain = new Map<string, string>()
/** By the label before the suffix of a country. */
const byLabel = new Map<string, string>()

for (const [name, domains] of Object.entries(KNOWN_SOURCES))
  for (const domain of domains.split(/\s+/))
    if (domain.endsWith(EVERY_COUNTRY)) byLabel.set(domain.slice(0, -EVERY_COUNTRY.length), name)
    else byDomain.set(domain, name)

const nameOf = new Map(Object.keys(KNOWN_SOURCES).map((name) => [name.toLowerCase(), name]))

/** `com`, `de`, `co.uk`, `com.br`: where a site has a domain for every country. */
const SUFFIX = /^(?:[a-z]{2,3}|(?:co|com)\.[a-z]{2})$/

/**
 * The site or app that a host of a referrer belongs to: by its name where it is known, else the host itself, without a dot at its
 * end and without `www.`. '' for no host.
 */
export function sourceOf(host: string): string {
  const site = host.replace(/\.+$/, '').replace(/^www\./, '')
  let rest = site
  for (;;) {
    const name = byDomain.get(rest)
    if (name !== undefined) return name
    const dot = rest.indexOf('.')
    if (dot === -1) return site
    const label = byLabel.get(rest.slice(0, dot))
    if (label !== undefined && SUFFIX.test(rest.slice(dot + 1))) return label
    rest = rest.slice(dot + 1)
  }
}

/** What is meant by a source in a request: a name in any case, or a host. */
export const sourceNamed = (text: string): string =>
  nameOf.get(text.toLowerCase()) ?? sourceOf(text.toLowerCase())
