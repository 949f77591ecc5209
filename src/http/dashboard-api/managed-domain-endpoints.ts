import { browseDomains, type ListedDomain } from '../../domains/browse-domains.ts'
import { readDomainHost } from '../../domains/domain-host.ts'
import { addSharedDomain, removeSharedDomain } from '../../domains/shared-domains.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { listReaders, pageMeta } from '../requests/paged-list.ts'
import { readTogether } from '../requests/read-together.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import type { ManagedDomainView } from './types/operator-types.ts'

/** The domains of all workspaces, and the shared ones, for operators. */
export function managedDomainEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  const { db, readDb, clock, blocks: redirectState } = deps
  const domainDeps = { db, readDb, clock, redirectState }
  return [
    endpoint('GET /admin/domains', 'operator', async ({ query }) => {
      const page = readTogether(listReaders(query))
      const { domains, total } = await browseDomains(db, page)
      return { message: 'Domains retrieved.', data: domains.map(domainView), meta: pageMeta(page, total) }
    }),
    endpoint('POST /admin/domains', 'operator', async ({ input, caller }) => {
      const host = readDomainHost(deps.config, input.host)
      await addSharedDomain(domainDeps, caller, host)
      return { status: 201, message: 'Domain added.', data: { host } }
    }),
    endpoint('DELETE /admin/domains/{host}', 'operator', async ({ params, caller }) => {
      await removeSharedDomain(domainDeps, caller, params.host!.toLowerCase())
      return { message: 'Domain removed.' }
    }),
  ]
}

const domainView = (domain: ListedDomain): ManagedDomainView => ({
  id: domain.id,
  host: domain.host,
  workspace: domain.workspace,
  status: domain.status,
  failure: domain.failure,
  verified_at: isoOrNull(domain.verifiedAtUs),
  checked_at: isoOrNull(domain.checkedAtUs),
  failing_since: isoOrNull(domain.failingSinceUs),
  created_at: isoMicroseconds(domain.createdAtUs),
})
