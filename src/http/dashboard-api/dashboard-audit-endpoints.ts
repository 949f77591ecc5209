import { listActors } from '../../audit/list-actors.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { versionBefore } from '../../links/versions/version-before.ts'
import type { Store } from '../../store/open-store.ts'
import { idOf } from '../requests/path-id.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

type AuditDeps = { store: Pick<Store, 'db' | 'readDb'>; domains: Domains }

/** What the page of the audit log needs beyond the API. */
export const dashboardAuditEndpoints = ({ store, domains }: AuditDeps): DashboardEndpoint[] => [
  endpoint('GET /audit-log/actors', 'audit:read', async ({ caller }) => {
    const { users, keys } = await listActors({ db: store.readDb }, caller)
    return { message: 'Actors retrieved.', data: { users, api_keys: keys } }
  }),
  endpoint('GET /audit-log/{id}/version-before', 'audit:read', async ({ caller, params }) => {
    const found = await versionBefore(store, caller, idOf(params))
    if (found === null) return { message: 'Nothing to restore.', data: { restorable: null } }
    const { link, version } = found
    const restorable = {
      short_code: link.code,
      domain: domains.hostOf(link.domainId),
      ...{ version, current_version: link.version },
    }
    return { message: 'Version found.', data: { restorable } }
  }),
]
