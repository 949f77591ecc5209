import { DEFAULT_DOMAIN } from '../codes/code-rules.ts'
import type { ReadOnlyDb } from '../store/handles.ts'

/**
 * How many links a workspace has on each domain, without those in the trash; a domain without links is absent. Links on other
 * domains than the default are counted in an index that has only those. The rest of the kept count of the workspace is on the default.
 */
export async function linksOfDomains(
  db: ReadOnlyDb,
  workspaceId: number,
): Promise<ReadonlyMap<number, number>> {
  const onOthers = db
    .selectFrom('links')
    .select((eb) => ['domain_id as domainId', eb.fn.countAll<number>().as('links')])
    .where('workspace_id', '=', workspaceId)
    // Written out: with a parameter, SQLite would not know that the index has them all.
    .where((eb) => eb('domain_id', '>', eb.lit(DEFAULT_DOMAIN)))
    .groupBy('domain_id')
  // One statement, so that both are of the same moment.
  const rows = await onOthers
    .unionAll(
      db
        .selectFrom('workspace_link_counts')
        .select((eb) => [eb.lit(ALL).as('domainId'), eb.fn.sum<number>('links').as('links')])
        .where('workspace_id', '=', workspaceId),
    )
    .execute()
  const counts = new Map(rows.map(({ domainId, links }) => [domainId, Number(links ?? 0)]))
  const all = counts.get(ALL) ?? 0
  counts.delete(ALL)
  const others = counts.values().reduce((sum, links) => sum + links, 0)
  return counts.set(DEFAULT_DOMAIN, all - others)
}

const ALL = -1
