import { LinkExports } from '../api/endpoints/link-exports.ts'
import type { DashboardEndpoint } from './dashboard-endpoint.ts'
import { destinationEndpoints } from './destination-endpoints.ts'
import { explainEditEndpoint } from './explain-edit-endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { qrEndpoint } from './qr-endpoint.ts'
import { streamEndpoints } from './stream-endpoints.ts'
import { viewEndpoints } from './view-endpoints.ts'

/** The endpoints that only the dashboard has. */
export function ownEndpointsOf(deps: ServerDeps): DashboardEndpoint[] {
  const { store, clock, destinationRules, domains } = deps
  const { db, readDb, reportDb } = store
  const list = { db: reportDb, clock, domains }
  const linkExports = new LinkExports({ domains, clock, destinationRules, list })
  return [
    qrEndpoint({ db, domains, qrDrawer: deps.qrDrawer }),
    explainEditEndpoint({ db: readDb, domains, clock, destinationRules, blocks: deps.blocks }),
    ...destinationEndpoints({ pages: deps.pages, destinationRules }),
    ...viewEndpoints({ db, clock }),
    ...streamEndpoints({
      reportDb,
      clock,
      domains,
      live: deps.live,
      linkExports,
    }),
  ]
}
