import { accountTotals } from '../../analytics/account-totals.ts'
import { sparklines } from '../../analytics/sparklines.ts'
import type { Clock } from '../../clock.ts'
import { browseLinks, LINK_ORDERS, LINK_STATES } from '../../links/browse-links.ts'
import { checkCode, checkNewLinks } from '../../links/check-links.ts'
import type { DestinationRules } from '../../links/destination.ts'
import type { Link, LinkChanges } from '../../links/link.ts'
import { findLink } from '../../links/find-link.ts'
import { PER_PAGE_DEFAULT, PER_PAGE_MAX, readSearch } from '../../links/list-links.ts'
import { parseUrl } from '../../links/parse-url.ts'
import { restoreLink } from '../../links/restore-link.ts'
import { type FieldErrors, invalid } from '../../refusal.ts'
import type { Store } from '../../store/open-store.ts'
import { linkView } from '../api/link-view.ts'
import { readTogether } from '../api/read-together.ts'
import { choiceParameter, countParameter, type Query, textParameter } from '../query.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { CheckedRow } from './dashboard-types.ts'
import { liveTotals, pageMeta } from './dashboard-views.ts'

export type PeopleLinksDeps = {
  store: Pick<Store, 'db' | 'readDb'>
  clock: Clock
  changes: LinkChanges
  baseUrl: string
  destinationRules: DestinationRules
}

/** More pages than any account can fill. */
const PAGE_MAX = 1_000_000_000

/** What people want of links beside what programs do: looking through them, trying before doing, and undoing. */
export function peopleLinksEndpoints(deps: PeopleLinksDeps): DashboardEndpoint[] {
  const { store, clock, changes, baseUrl, destinationRules: rules } = deps
  // Who has just made a link looks for it in the list.
  const { db, readDb } = store
  const ownLink = (link: Link) => ({
    ...linkView(baseUrl, link),
    is_blocked: rules.blocks.isHostBlocked(parseUrl(link.originalUrl)?.hostname ?? ''),
  })
  return [
    endpoint('GET /links', 'verified', async ({ caller, query }) => {
      const view = readView(query)
      // Before the links, whose clicks are to be as many at least.
      const totals = liveTotals(await accountTotals(readDb, [caller.accountId]), caller.accountId)
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
    endpoint('GET /links/{short_code}', 'verified', async ({ caller, params }) => ({
      message: 'Link retrieved.',
      data: ownLink(await findLink({ db }, caller, params.short_code!)),
    })),
    endpoint('POST /links/check', 'verified', async ({ caller, input }) => {
      const faults = await checkNewLinks({ db, rules }, caller, input)
      if (!Array.isArray(input.links) || faults.links !== undefined) throw invalid(faults)
      return { message: 'Links checked; nothing was stored.', data: rowsOf(input.links.length, faults) }
    }),
    endpoint('POST /links/{short_code}/restore', 'verified', async ({ caller, params }) => {
      const code = params.short_code!
      await restoreLink({ db, clock, changes }, caller, code)
      return { message: 'Link restored.', data: ownLink(await findLink({ db }, caller, code)) }
    }),
    endpoint('GET /codes/{code}', 'verified', async ({ caller, params }) => {
      const reasons = await checkCode({ db }, caller, params.code!)
      return { message: 'Code checked.', data: { is_free: reasons.length === 0, reasons } }
    }),
  ]
}

function readView(query: Query) {
  return readTogether({
    page: () => countParameter(query, 'page', { default: 1, max: PAGE_MAX }),
    perPage: () => countParameter(query, 'per_page', { default: PER_PAGE_DEFAULT, max: PER_PAGE_MAX }),
    search: () => readSearch(textParameter(query, 'search')),
    state: () => choiceParameter(query, 'state', LINK_STATES),
    order: () => choiceParameter(query, 'order', LINK_ORDERS),
  })
}

/** `links.3.title` belongs to the row with index 3, as its `title`. */
function rowsOf(count: number, faults: FieldErrors): CheckedRow[] {
  const rows: CheckedRow[] = Array.from({ length: count }, (_, index) => ({ index, errors: {} }))
  for (const [field, sentences] of Object.entries(faults)) {
    const [, index = '0', name = 'link'] = /^links\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    rows[Number(index)]!.errors[name] = sentences
  }
  return rows
}
