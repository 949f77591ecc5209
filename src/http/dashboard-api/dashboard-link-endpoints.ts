import { z } from 'zod'
import { workspaceTotals } from '../../analytics/workspace-totals.ts'
import { lastClicksUs } from '../../analytics/last-click.ts'
import { sparklines } from '../../analytics/sparklines.ts'
import { type Clock, isoOrNull } from '../../runtime/clock.ts'
import { bestMatches } from '../../links/lists/best-matches.ts'
import { linkCounts } from '../../links/lists/count-links.ts'
import { linkCreators } from '../../links/lists/link-creators.ts'
import { listLinks } from '../../links/lists/list-links.ts'
import { linkListParameters, linkPageOf } from '../../links/lists/list-parameters.ts'
import { checkCode, checkNewLinks, suggestCode } from '../../links/check-links.ts'
import type { DestinationRules } from '../../links/destinations/destination.ts'
import type { Link } from '../../links/link.ts'
import { linkSchemas } from '../../links/link-fields.ts'
import { usedUtmValues } from '../../links/used-utm-values.ts'
import { findLink } from '../../links/find-link.ts'
import { conditionChoices } from '../../links/rules/condition-fields.ts'
import type { Caller } from '../../access/caller.ts'
import type { Domains } from '../../links/domains/domains.ts'
import { newLinkDomain, NO_SUCH_DOMAIN } from '../../links/place-links.ts'
import { errorCodesOf } from '../../errors/field-codes.ts'
import { type FieldErrors, invalid } from '../../errors/refusal.ts'
import type { Store } from '../../store/open-store.ts'
import { linkView } from '../api/endpoints/link-view.ts'
import { pageMeta } from '../requests/paged-list.ts'
import { type Query, readParameters, textParameter } from '../requests/query.ts'
import { searchParameter } from '../../validation/query-parameters.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import type { CheckedRow } from './types/link-types.ts'
import { liveTotals } from './dashboard-views.ts'

export type DashboardLinkDeps = {
  store: Pick<Store, 'db' | 'readDb' | 'listDb' | 'reportDb'>
  clock: Clock
  domains: Domains
  destinationRules: DestinationRules
}

const searchParameters = z.object({ search: searchParameter })

/** What the dashboard does with links beyond the API: browse, and check before creating. */
export function dashboardLinkEndpoints(deps: DashboardLinkDeps): DashboardEndpoint[] {
  const { store, clock, domains, destinationRules: rules } = deps
  const schemas = linkSchemas(rules)
  // The list must show a link that was just created.
  const { db, readDb, listDb } = store
  const ownLink = (link: Link) => ({ ...linkView(deps, link), opened: link.opened, version: link.version })
  return [
    endpoint('GET /links', 'links:read', async ({ caller, query }) => {
      const view = linkPageOf(readParameters(linkListParameters, query))
      // Read before the links, so that the clicks of the links are never behind.
      const totals = liveTotals(await workspaceTotals(readDb, [caller.workspaceId]), caller.workspaceId)
      const { links, total } = await listLinks({ db: listDb, clock, domains }, caller, view)
      const { archived } = await linkCounts(readDb, caller.workspaceId)
      const rowOf = await listedRows(deps, links)
      return {
        message: 'Links retrieved.',
        data: links.map((link) => ({ ...ownLink(link), ...rowOf(link) })),
        meta: { ...pageMeta(view, total), archived, totals },
      }
    }),
    endpoint('GET /find-links', 'links:read', async ({ caller, query }) => {
      const { search } = readParameters(searchParameters, query)
      const { links, total, isMore } = await bestMatches({ db: listDb, domains }, caller, search)
      return { message: 'Links found.', data: links.map(ownLink), meta: { total, is_more: isMore } }
    }),
    endpoint('GET /links/{short_code}', 'links:read', async ({ caller, key }) => ({
      message: 'Link retrieved.',
      data: ownLink(await findLink({ db }, caller, key)),
    })),
    endpoint('POST /links/check', 'links:create', async ({ caller, input }) => {
      const errors = await checkNewLinks({ db, domains, schemas }, caller, input)
      if (!Array.isArray(input.links) || errors.links !== undefined) throw invalid(errors)
      return { message: 'Links checked; nothing was stored.', data: rowsOf(input.links.length, errors) }
    }),
    endpoint('GET /codes/{code}', 'links:create', async ({ caller, params, query }) => {
      const domainId = domainIn(domains, caller, query)
      const { reasons, trashed } = await checkCode({ db }, caller, { domainId, code: params.code! })
      const link = trashed && { id: trashed.linkId, short_code: trashed.shortCode }
      const data = { is_free: reasons.length === 0, reasons, trashed_link: link ?? null }
      return { message: 'Code checked.', data }
    }),
    endpoint('GET /condition-choices', 'links:read', async () => ({
      message: 'Choices retrieved.',
      data: conditionChoices(),
    })),
    endpoint('POST /codes', 'links:create', async ({ caller, query }) => ({
      message: 'Code suggested.',
      data: { code: await suggestCode({ db }, caller, domainIn(domains, caller, query)) },
    })),
    endpoint('GET /utm-values', 'links:read', async ({ caller }) => ({
      message: 'Values retrieved.',
      data: await usedUtmValues({ db: store.reportDb }, caller),
    })),
  ]
}

/** Where a new link would go. */
function domainIn(domains: Domains, caller: Caller, query: Query): number {
  const id = newLinkDomain(domains, caller, textParameter(query, 'domain'))
  if (id === undefined) throw invalid({ domain: [NO_SUCH_DOMAIN] })
  return id
}

/** What the list shows of its links, and one link does not have. */
async function listedRows({ store: { readDb: db }, clock }: DashboardLinkDeps, links: readonly Link[]) {
  const ids = links.map(({ id }) => id)
  const lines = await sparklines({ db, clock }, ids)
  const last = await lastClicksUs(db, ids)
  const creators = await linkCreators(db, ids)
  return ({ id }: Link) => ({
    last_clicked_at: isoOrNull(last.get(id) ?? null),
    sparkline: lines.get(id)!,
    created_by: creators.get(id) ?? null,
  })
}

/** The error of `links.3.title` becomes the `title` of the row with index 3. */
function rowsOf(count: number, errors: FieldErrors): CheckedRow[] {
  const rows: CheckedRow[] = Array.from({ length: count }, (_, index) => ({
    index,
    errors: {},
    error_codes: {},
  }))
  for (const [field, sentences] of Object.entries(errors)) {
    const [, index = '0', name = 'link'] = /^links\.(\d+)(?:\.(.+))?$/.exec(field) ?? []
    rows[Number(index)]!.errors[name] = sentences
  }
  for (const row of rows) row.error_codes = errorCodesOf(row.errors)
  return rows
}
