import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Page, readPage } from '../../store/page-of-rows.ts'
import { type Link, toLink } from '../link.ts'
import { OPTION_COLUMNS } from '../link-fields.ts'
import { versionColumn } from '../versions/seen-version.ts'
import { labelColumn } from '../labels/link-labels.ts'
import { aliasesInTrash } from './deleted-links.ts'
import { inTrashSinceUs } from './trash-period.ts'

export type DeletedLink = Link & { deletedAtUs: number }

/** A page of the caller's deleted links that can be restored, the last deleted first, and how many there are in all. */
export async function listTrash(
  { db, clock, trashDays }: { db: ReadOnlyDb; clock: Pick<Clock, 'nowUs'>; trashDays: number },
  { workspaceId }: Caller,
  page: Page,
): Promise<{ links: DeletedLink[]; total: number }> {
  const inTrash = db
    .selectFrom('deleted_links')
    .where('deleted_links.workspace_id', '=', workspaceId)
    .where('deleted_links.deleted_at', '>', inTrashSinceUs(clock.nowUs(), trashDays))
    .leftJoin('link_totals', 'link_totals.link_id', 'deleted_links.id')
    .select([
      ...([
        'id',
        'svc_id as svcId',
        'domain_id as domainId',
        'code',
        'spelling',
        'original_url as originalUrl',
        'title',
      ] as const),
      ...(['is_active', 'created_at as createdAtUs', 'deleted_at as deletedAtUs', 'other_keys'] as const),
      labelColumn('deleted_links'),
      ...OPTION_COLUMNS.names,
    ])
    .leftJoin('link_openings', 'link_openings.link_id', 'deleted_links.id')
    .select([
      sql<number>`coalesce(link_totals.clicks, 0)`.as('clickCount'),
      sql<number>`coalesce(link_openings.opened, 0)`.as('opened'),
      versionColumn('deleted_links.id').as('version'),
    ])
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
  const { rows, total } = await readPage(inTrash, page)
  return {
    links: rows.map(({ other_keys: encoded, deletedAtUs, ...row }) => ({
      ...toLink({ ...row, aliases: null }),
      aliases: aliasesInTrash(encoded),
      deletedAtUs,
    })),
    total,
  }
}
