import type { Caller } from '../../access/caller.ts'
import type { CurrentDb } from '../../store/handles.ts'
import { noSuchLink } from '../find-link.ts'
import type { DestinationRules } from '../destinations/destination.ts'
import { type LinkEdit, linkColumns, type NewLink } from '../link-fields.ts'
import { refuseConflicts } from '../read-links.ts'
import { editedDestination } from '../utm-parameters.ts'
import type { LinkKey } from '../link-key.ts'
import { type CheckDeps, checkRoute } from './check-route.ts'
import { type LinkRoute, routeFromRow, type RouteRow } from './link-route.ts'
import { ROUTED_COLUMNS } from './route-options.ts'

/** `opened`: how many of its `max_clicks` are used. */
export type OwnRoute = { route: LinkRoute; opened: number }

/** The route of one of the caller's links, as a redirect would read it now. */
export async function findOwnRoute(
  deps: CheckDeps & { db: CurrentDb },
  caller: Caller,
  key: LinkKey,
): Promise<OwnRoute> {
  const row = await findOwnRow(deps.db, caller, key)
  return { route: checkedRoute(deps, row), opened: row.opened }
}

type EditDeps = CheckDeps & { db: CurrentDb; destinationRules: DestinationRules }

/** The route that one of the caller's links would have if the edit were stored now. */
export async function routeOfEdit(
  deps: EditDeps,
  caller: Caller,
  { key, edit }: { key: LinkKey; edit: LinkEdit },
): Promise<OwnRoute> {
  const row = await findOwnRow(deps.db, caller, key)
  const destination = editedDestination(row.original_url, edit, deps.destinationRules)
  const { is_active: isActive, ...columns } = routeColumns(edit)
  // What is undefined stays as it is stored.
  const values = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  const after = {
    ...row,
    ...values,
    destination: destination?.href ?? row.destination,
    is_active: isActive ?? row.is_active,
  }
  refuseConflicts(after, edit)
  return { route: checkedRoute(deps, after), opened: row.opened }
}

/** The route that a link would have if it were created now. */
export function routeOfNewLink(
  deps: CheckDeps,
  { workspaceId }: Caller,
  { domainId, ...link }: NewLink & { domainId: number },
): OwnRoute {
  const row = {
    ...routeColumns(link),
    code: link.custom_code ?? '',
    domain_id: domainId,
    id: 0,
    workspace_id: workspaceId,
    destination: link.original_url.href,
    is_active: Number(link.is_active),
  }
  return { route: checkedRoute(deps, row), opened: 0 }
}

async function findOwnRow(db: CurrentDb, { workspaceId }: Caller, { code, domainId }: LinkKey) {
  const row = await db
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .leftJoin('link_openings', 'link_openings.link_id', 'links.id')
    .select(({ fn, val }) => fn.coalesce('link_openings.opened', val(0)).as('opened'))
    .select(['codes.code', 'codes.domain_id', 'links.id', 'links.workspace_id', 'links.is_active'])
    .select('links.original_url')
    .select((eb) => eb.fn.coalesce('links.target_url', 'links.original_url').as('destination'))
    .select(ROUTED_COLUMNS.map((name) => `links.${name}` as const))
    .where('codes.code', '=', code)
    .where('codes.domain_id', '=', domainId)
    .where('links.workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (row === undefined) throw noSuchLink()
  return row
}

function checkedRoute(deps: CheckDeps, row: RouteRow): LinkRoute {
  const route = checkRoute(deps, routeFromRow(row))
  // Its workspace is closed.
  if (route === undefined) throw noSuchLink()
  return route
}

/** Only whether there is one counts: the password is asked for, and nothing is signed with it. */
const SOME_HASH = 'not stored'

/** Undefined where the link keeps what it has. */
const routeColumns = ({ password, ...fields }: LinkEdit) =>
  linkColumns({ ...fields, password_hash: password == null ? password : SOME_HASH })
