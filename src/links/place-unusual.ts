import type { Caller } from '../access/caller.ts'
import { isReservedOn } from '../codes/unusual-code.ts'
import { codedSentences } from '../errors/field-codes.ts'
import { refuseFaults } from '../errors/refusal.ts'
import { NO_DOMAIN } from './domains/domain-hosts.ts'
import type { NewLink } from './link-fields.ts'
import { type DomainsOfCallers, placeLinks } from './place-links.ts'

/** Links with any codes on their domains, which decide what is reserved. */
export function placeUnusual(domains: DomainsOfCallers, caller: Caller, links: readonly NewLink[]) {
  const placed = placeLinks(domains, caller, links)
  refuseFaults(
    placed.flatMap(({ domainId, custom_code: own, aliases }, index) =>
      [own, ...aliases].flatMap((code, at) => {
        if (code === undefined || !isReservedOn(domainId, code)) return []
        return [{ index, field: at === 0 ? 'custom_code' : `aliases.${at - 1}`, sentences: reserved(code) }]
      }),
    ),
  )
  return placed
}

const reserved = (code: string) =>
  codedSentences([
    {
      sentence: isReservedOn(NO_DOMAIN, code)
        ? 'This server uses the code for itself on every domain.'
        : 'This server uses the code for itself on this domain. Put such links on a domain of their own.',
      code: 'code_reserved',
    },
  ])
