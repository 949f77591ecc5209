import type { DashboardEndpoint } from './dashboard-endpoint.ts'
import { destinationEndpoints } from './destination-endpoints.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { qrEndpoint } from './qr-endpoint.ts'
import { viewEndpoints } from './view-endpoints.ts'

/** The endpoints that only the dashboard has. */
export function ownEndpointsOf(deps: ServerDeps): DashboardEndpoint[] {
  const { store, clock, destinationRules, domains } = deps
  const { db } = store
  return [
    qrEndpoint({ db, domains, qrDrawer: deps.qrDrawer }),
    ...destinationEndpoints({ pages: deps.pages, destinationRules }),
    ...viewEndpoints({ db, clock }),
  ]
}
