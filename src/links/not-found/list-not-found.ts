import type { ReadOnlyDb } from '../../store/handles.ts'

export type ListedNotFound = { domainId: number; code: string; visits: number; lastDay: number }

type NotFoundQuery = { workspaceId: number; domainIds: readonly number[] | undefined; limit: number }

/** The most visited codes that no link has now, on the domains of a workspace, or on some of them. */
export async function listNotFound(
  db: ReadOnlyDb,
  { workspaceId, domainIds, limit }: NotFoundQuery,
): Promise<ListedNotFound[]> {
  if (domainIds?.length === 0) return []
  let rows = db
    .selectFrom('not_found_codes')
    .innerJoin('domains', 'domains.id', 'not_found_codes.domain_id')
    .select(({ fn }) => [
      'not_found_codes.domain_id as domainId',
      'not_found_codes.code',
      fn.sum<number | string>('visits').as('visits'),
      fn.max('day').as('lastDay'),
    ])
    .where('domains.workspace_id', '=', workspaceId)
    .where('domains.removed_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('codes')
            .select('codes.code')
            .whereRef('codes.code', '=', 'not_found_codes.code')
            .whereRef('codes.domain_id', '=', 'not_found_codes.domain_id')
            .where('codes.link_id', 'is not', null),
        ),
      ),
    )
    .groupBy(['not_found_codes.domain_id', 'not_found_codes.code'])
    .orderBy('visits', 'desc')
    .orderBy('not_found_codes.code')
    .orderBy('not_found_codes.domain_id')
    .limit(limit)
  if (domainIds !== undefined) rows = rows.where('not_found_codes.domain_id', 'in', domainIds)
  return (await rows.execute()).map((row) => ({ ...row, visits: Number(row.visits) }))
}
