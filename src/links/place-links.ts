import type { Caller } from '../access/caller.ts'
import { type KeyRestrictions, limitsLinks } from '../access/key-restrictions.ts'
import { foldCode } from '../codes/fold-code.ts'
import { codedSentences } from '../errors/field-codes.ts'
import { refuseFaults } from '../errors/refusal.ts'
import { codeRepeated, usedTwice } from './aliases.ts'
import { isWeb } from './destinations/parse-url.ts'
import { hostnameOf } from './domains/domain-hosts.ts'
import type { Domains } from './domains/domains.ts'
import type { NewLink } from './link-fields.ts'
import { keyText, type LinkKey } from './link-key.ts'

export type DomainsOfCallers = Pick<Domains, 'idFor' | 'get' | 'defaultOf' | 'ignoresCase' | 'codeOn'>

export const NO_SUCH_DOMAIN = 'The domain is not one that you can use.'

/** Where a new link goes that names this host, or none. Undefined if the workspace cannot use it. */
export function newLinkDomain(
  domains: DomainsOfCallers,
  { workspaceId }: Caller,
  host: string | null | undefined,
): number | undefined {
  if (host == null || host === '') return domains.defaultOf(workspaceId)
  const id = domains.idFor(workspaceId, host)
  return id !== undefined && domains.get(id)?.isServed !== false ? id : undefined
}

/** `spelling`, `ignoresCase`: as in PlacedLink. */
type PlacedNewLink = NewLink & { domainId: number; spelling?: string | undefined; ignoresCase?: boolean }

/** New links with the IDs of the domains that they are to be on, as the restrictions of the caller's key make them. */
export function placeLinks(
  domains: DomainsOfCallers,
  caller: Caller,
  newLinks: readonly NewLink[],
): PlacedNewLink[] {
  const links = asRestricted(caller, newLinks)
  const placed = links.map((link) => ({ ...link, domainId: newLinkDomain(domains, caller, link.domain) }))
  refuseFaults(
    placed.flatMap(({ domainId }, index) =>
      domainId === undefined ? [{ index, field: 'domain', sentences: [NO_SUCH_DOMAIN] }] : [],
    ),
  )
  return foldedLinks(domains, placed as (NewLink & { domainId: number })[])
}

/** With folded codes where the domain has such. Refuses those that are the same code then, or because their domain is named in two ways. */
function foldedLinks(
  domains: DomainsOfCallers,
  placed: readonly (NewLink & { domainId: number })[],
): PlacedNewLink[] {
  const links = placed.map((link): PlacedNewLink =>
    domains.ignoresCase(link.domainId) ? foldedLink(link) : link,
  )
  const used = new Set<string>()
  const isRepeated = (key: LinkKey) => used.size === used.add(keyText(key)).size
  refuseFaults(
    links.flatMap(({ domainId, ignoresCase, ...link }, index) =>
      codesOf(link).flatMap(({ field, code }) => {
        if (!isRepeated({ domainId, code })) return []
        return [{ index, field, sentences: ignoresCase === true ? codeRepeated() : repeatedAs(field) }]
      }),
    ),
  )
  return links
}

const repeatedAs = (field: string): string[] =>
  codedSentences([
    { sentence: usedTwice(field === 'custom_code' ? 'custom code' : 'alias'), code: 'repeated' },
  ])

function foldedLink({ custom_code: written, ...link }: NewLink & { domainId: number }): PlacedNewLink {
  const code = written === undefined ? undefined : foldCode(written)
  const spelling = code === written ? undefined : written
  return { ...link, custom_code: code, spelling, aliases: link.aliases.map(foldCode), ignoresCase: true }
}

const codesOf = ({ custom_code: own, aliases }: Pick<NewLink, 'custom_code' | 'aliases'>) => [
  ...(own === undefined ? [] : [{ field: 'custom_code', code: own }]),
  ...aliases.map((code, at) => ({ field: `aliases.${at}`, code })),
]

/** On the key's domain. Everybody may know such a key, so it never returns a link that was there before. */
export function asRestricted({ restrictions }: Caller, newLinks: readonly NewLink[]): readonly NewLink[] {
  if (restrictions === undefined || !limitsLinks(restrictions)) return newLinks
  refuseFaults(
    newLinks.flatMap((link, index) => faultsOf(restrictions, link).map((fault) => ({ index, ...fault }))),
  )
  const { domain } = restrictions
  return newLinks.map((link) => ({ ...link, domain: domain ?? link.domain }))
}

type Fault = { field: string; sentences: string[] }

function faultsOf(restrictions: KeyRestrictions, link: NewLink): Fault[] {
  const { domain, code_prefix: prefix, destination_hosts: hosts } = restrictions
  const faults: Fault[] = []
  if (domain !== undefined && link.domain && hostnameOf(link.domain) !== domain)
    faults.push({ field: 'domain', sentences: [`This API key creates links on ${domain} only.`] })
  if (prefix !== undefined && link.custom_code?.startsWith(prefix) === false)
    faults.push({
      field: 'custom_code',
      sentences: [`This API key creates codes that begin with ${prefix} only.`],
    })
  if (hosts !== undefined && !isWithinOneOf(hosts, link))
    faults.push({
      field: 'original_url',
      sentences: [`This API key creates links to ${hosts.join(', ')} only.`],
    })
  return faults
}

function isWithinOneOf(hosts: readonly string[], { original_url: { text, href } }: NewLink): boolean {
  const url = new URL(href ?? text)
  return isWeb(url) && hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
}
