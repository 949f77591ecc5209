import { browseDomains, type ListedDomain } from '../../domains/browse-domains.ts'
import { readDomainHost } from '../../domains/domain-host.ts'
import { operatorIn } from '../../access/caller.ts'
import { WorkspacePlaces } from '../../limits/workspace-places.ts'
import { removeDomain } from '../../domains/remove-domain.ts'
import { findDomain } from '../../domains/find-domains.ts'
import { type VerifyDeps, verifyDomain } from '../../domains/verify-domain.ts'
import { workspaceById } from '../../operator/manage-workspaces.ts'
import { idOf } from '../requests/path-id.ts'
import { addSharedDomain, removeSharedDomain } from '../../domains/shared-domains.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { pageMeta, readPage, searchedPageParameters } from '../requests/paged-list.ts'
import { type DashboardEndpoint, endpoint, type SignedInRequest } from './dashboard-endpoint.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import type { ManagedDomainView } from './types/operator-types.ts'

type ManagedDomainDeps = DashboardDeps & Pick<VerifyDeps, 'domainChecks'>

/** Operators are few, and wait for each check. */
const CHECKS = { running: 2, runningOfOne: 2, waiting: 8, waitingOfOne: 8 }

/** The domains of all workspaces, and the shared ones, for operators. */
export function managedDomainEndpoints(deps: ManagedDomainDeps): DashboardEndpoint[] {
  const { db, readDb, clock, redirectState } = deps
  const domainDeps = { db, readDb, clock, redirectState }
  const verifyDeps = {
    ...deps,
    domainCheckPlaces: new WorkspacePlaces(CHECKS, 'Too many domains are being checked.'),
  }
  /** The operator in the workspace of the path. */
  const inWorkspace = async ({ params, caller }: Pick<SignedInRequest, 'params' | 'caller'>) =>
    operatorIn((await workspaceById(db, idOf(params))).id, caller)
  return [
    endpoint('GET /admin/domains', 'operator', async ({ query }) => {
      const page = readPage(searchedPageParameters, query)
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
    endpoint('POST /admin/workspaces/{id}/domains/{host}/verify', 'operator', async (request) => {
      const host = request.params.host!.toLowerCase()
      const owner = await inWorkspace(request)
      const domain = await findDomain(verifyDeps, owner, host)
      const { ownership } = await verifyDomain(verifyDeps, owner, domain)
      return { message: 'Domain checked.', data: { failure: ownership ?? null } }
    }),
    endpoint('DELETE /admin/workspaces/{id}/domains/{host}', 'operator', async (request) => {
      await removeDomain(domainDeps, await inWorkspace(request), request.params.host!.toLowerCase())
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
