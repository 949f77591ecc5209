import type { AnyDb } from '../../store/handles.ts'
import type { Domain } from './domains.ts'

/** Every domain that was ever verified. */
export async function readDomains(db: AnyDb): Promise<Domain[]> {
  const rows = await db
    .selectFrom('domains')
    .leftJoin('workspaces', (join) =>
      join
        .onRef('workspaces.id', '=', 'domains.account_id')
        .onRef('workspaces.default_domain_id', '=', 'domains.id'),
    )
    .select([
      'domains.id',
      'domains.name',
      'domains.host',
      'domains.account_id',
      'workspaces.id as defaultOf',
    ])
    .select(['home_url', 'not_found_url', 'expired_url'])
    .where('verified_at', 'is not', null)
    .where((eb) => eb.or([eb('account_id', 'is not', null), eb('is_shared', '=', 1)]))
    .orderBy('domains.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    host: row.name,
    isServed: row.host !== null,
    workspaceId: row.account_id,
    isDefault: row.defaultOf !== null,
    homeUrl: row.home_url,
    notFoundUrl: row.not_found_url,
    expiredUrl: row.expired_url,
  }))
}
