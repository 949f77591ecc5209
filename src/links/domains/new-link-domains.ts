import type { Caller } from '../../access/caller.ts'
import { type FieldErrors, invalid } from '../../errors/refusal.ts'
import type { Domains } from './domains.ts'

export type DomainsOfCallers = Pick<Domains, 'idFor' | 'get' | 'defaultOf'>

type NewLinks<Link> = { links: readonly Link[]; fieldName(index: number, field: string): string }

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

/** New links with the IDs of the domains that they name. */
export function withDomains<Link extends { domain?: string | null | undefined }>(
  domains: DomainsOfCallers,
  caller: Caller,
  { links, fieldName }: NewLinks<Link>,
): (Link & { domainId: number })[] {
  const errors: FieldErrors = {}
  const placed = links.flatMap((link, index) => {
    const domainId = newLinkDomain(domains, caller, link.domain)
    if (domainId !== undefined) return [{ ...link, domainId }]
    errors[fieldName(index, 'domain')] = [NO_SUCH_DOMAIN]
    return []
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return placed
}
