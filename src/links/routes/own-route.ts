import type { Caller } from '../../access/caller.ts'
import { DEFAULT_DOMAIN } from '../../codes/domains.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { noSuchLink } from '../find-link.ts'
import { linkColumns, type NewLink } from '../link-fields.ts'
import type { LinkKey } from '../link-key.ts'
import { type CheckDeps, checkRoute } from './check-route.ts'
import { type LinkRoute, routeFromRow } from './link-route.ts'
import { ROUTE_OPTION_COLUMNS } from './route-options.ts'

/** `opened`: how many of its `max_clicks` are used. */
export type OwnRoute = { route: LinkRoute; opened: number }

/** The route of one of the caller's links, as a redirect would read it now. */
export async function findOwnRoute(
  deps: CheckDeps & { db: CurrentDb },
  caller: Caller,
  key: LinkKey,
): Promise<OwnRoute> {
  const row = await deps.db
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .leftJoin('link_openings', 'link_openings.link_id', 'links.id')
    .select('link_openings.opened')
    .select(['codes.code', 'codes.domain_id', 'links.id', 'links.account_id', 'links.is_active'])
    .select((eb) => eb.fn.coalesce('links.target_url', 'links.original_url').as('destination'))
    .select(ROUTE_OPTION_COLUMNS.map((name) => `links.${name}` as const))
    .where('codes.code', '=', key.code)
    .where('codes.domain_id', '=', key.domainId)
    .where('links.account_id', '=', caller.workspaceId)
    .executeTakeFirst()
  const route = checkRoute(deps, row && routeFromRow(row))
  if (route === undefined) throw noSuchLink()
  return { route, opened: row?.opened ?? 0 }
}

/** Only whether there is one counts: the password is asked for, and nothing is signed with it. */
const SOME_HASH = 'not stored'

/** The route that a link would have if it were created now. */
export function routeOfNewLink(deps: CheckDeps, { workspaceId }: Caller, link: NewLink): OwnRoute {
  const { password, ...fields } = link
  const route = routeFromRow({
    ...linkColumns({ ...fields, password_hash: password == null ? null : SOME_HASH }),
    code: link.custom_code ?? '',
    domain_id: DEFAULT_DOMAIN,
    id: 0,
    account_id: workspaceId,
    destination: link.original_url.href,
    is_active: Number(link.is_active),
  })
  // The workspace of a caller is not closed.
  return { route: checkRoute(deps, route)!, opened: 0 }
}
