import { DEFAULT_DOMAIN } from '../../codes/code-rules.ts'
import type { AnyDb } from '../../store/handles.ts'
import { type Domain, NOBODY } from './domains.ts'

/** Every domain that was ever verified, and that of BASE_URL if its codes are folded: all else about it says the URL. */
export async function readDomains(db: AnyDb): Promise<Domain[]> {
  const rows = await db
    .selectFrom('domains')
    .leftJoin('workspaces', 'workspaces.id', 'domains.workspace_id')
    .select([
      'domains.id',
      'domains.name',
      'domains.host',
      'domains.workspace_id',
      'domains.is_shared',
      'workspaces.default_domain_id',
      'workspaces.closed_at',
    ])
    .select(['home_url', 'not_found_url', 'expired_url', 'case_insensitive', 'path_prefix'])
    .where((eb) =>
      eb.or([
        eb.and([eb('verified_at', 'is not', null), eb('domains.name', '<>', '')]),
        eb.and([eb('domains.id', '=', DEFAULT_DOMAIN), eb('case_insensitive', '=', 1)]),
      ]),
    )
    .orderBy('domains.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    host: row.name,
    isServed: row.host !== null && row.closed_at === null,
    workspaceId: row.workspace_id ?? (row.is_shared === 1 ? null : NOBODY),
    isDefault: row.default_domain_id === row.id,
    ignoresCase: row.case_insensitive === 1,
    pathPrefix: row.path_prefix,
    homeUrl: row.home_url,
    notFoundUrl: row.not_found_url,
    expiredUrl: row.expired_url,
  }))
}
