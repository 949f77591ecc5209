import { workspaceTotals } from '../../analytics/workspace-totals.ts'
import { sparklines } from '../../analytics/sparklines.ts'
import type { Clock } from '../../runtime/clock.ts'
import { browseLinks, LINK_ORDERS, LINK_STATES } from '../../links/lists/browse-links.ts'
import { checkCode, checkNewLinks } from '../../links/check-links.ts'
import type { DestinationRules } from '../../links/destinations/destination.ts'
import type { Link } from '../../links/link.ts'
import { linkSchemas } from '../../links/link-fields.ts'
import { findLink } from '../../links/find-link.ts'
import { defaultKey } from '../../links/link-key.ts'
import { type FieldErrors, invalid } from '../../errors/refusal.ts'
import type { Store } from '../../store/open-store.ts'
import { linkView } from '../api/endpoints/link-view.ts'
import { readTogether } from '../api/endpoints/read-together.ts'
import { linkListReaders, pageMeta } from '../requests/paged-list.ts'
import { choiceParameter, type Query } from '../requests/query.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { CheckedRow } from './dashboard-types.ts'
import { liveTotals } from './dashboard-views.ts'

export type DashboardLinkDeps = {
  store: Pick<Store, 'db' | 'readDb'>
  clock: Clock
  baseUrl: string
  destinationRules: DestinationRules
}

/** What the dashboard does with links beyond the API: browse, and check before creating. */
export function dashboardLinkEndpoints(deps: DashboardLinkDeps): DashboardEndpoint[] {
  const { store, clock, destinationRules: rules } = deps
  const schemas = linkSchemas(rules)
  // The list must show a link that was just created.
  const { db, readDb } = store
  const ownLink = (link: Link) => linkView(deps, link)
  return [
    endpoint('GET /links', 'links:read', async ({ caller, query }) => {
      const view = readView(query)
      // Read before the links, so that the clicks of the links are never behind.
      const totals = liveTotals(await workspaceTotals(readDb, [caller.workspaceId]), caller.workspaceId)
      const { links, total } = await browseLinks({ db: readDb, ownHosts: rules.ownHosts }, caller, view)
      const lines = await sparklines(
        { db: readDb, clock },
        links.map(({ id }) => id),
      )
      return {
        message: 'Links retrieved.',
        data: links.map((link) => ({ ...ownLink(link), sparkline: lines.get(link.id)! })),
        meta: { ...pageMeta(view, total), totals },
      }
    }),
    endpoint('GET /links/{short_code}', 'links:read', async ({ caller, params }) => ({
      message: 'Link retrieved.',
      data: ownLink(await findLink({ db }, caller, defaultKey(params.short_code!))),
    })),
    endpoint('POST /links/check', 'links:create', async ({ caller, input }) => {
      const errors = await checkNewLinks({ db, schemas }, caller, input)
      if (!Array.isArray(input.links) || errors.links !== undefined) throw invalid(errors)
      return { message: 'Links checked; nothing was stored.', data: rowsOf(input.links.length, errors) }
    }),
    endpoint('GET /codes/{code}', 'links:create', async ({ caller, params }) => {
      const reasons = await checkCode({ db }, caller, params.code!)
      return { message: 'Code checked.', data: { is_free: reasons.length === 0, reasons } }
    }),
  ]
}

function readView(query: Query) {
  return readTogether({
    ...linkListReaders(query),
    state: () => choiceParameter(query, 'state', LINK_STATES),
    order: () => choiceParameter(query, 'order', LINK_ORDERS),
  })
}

/** The error of `links.3.title` becomes the `title` of the row with index 3. */
function rowsOf(count: number, errors: FieldErrors): CheckedRow[] {
  const rows: CheckedRow[] = Array.from({ length: count }, (_, index) => ({ index, errors: {} }))
  for (const [field, sentences] of Object.entries(errors)) {
    const [, index = '0', name = 'link'] = /^links\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    rows[Number(index)]!.errors[name] = sentences
  }
  return rows
}
