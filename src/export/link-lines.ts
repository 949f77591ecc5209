import { importedClicksView } from '../analytics/imported-view.ts'
import { findImportedClicks, type ImportedClicks } from '../clicks/imported/imported-clicks.ts'
import { shownKey } from '../links/link.ts'
import type { Selectable } from 'kysely'
import { aliasColumn, readAliases } from '../links/aliases.ts'
import { labelColumn, readLabels } from '../links/labels/link-labels.ts'
import type { Domains } from '../links/domains/domains.ts'
import { aliasesInTrash } from '../links/trash/deleted-links.ts'
import { utmOf } from '../links/utm-parameters.ts'
import { type ElsewhereValues, fieldViews, type ShownRow } from '../links/link-fields.ts'
import { isoMicroseconds, isoOrNull } from '../runtime/clock.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { Database } from '../store/schema.ts'
import { type Page, type PagePosition, ROWS_AT_ONCE } from './pages.ts'

export type LinkLineDeps = { db: ReadOnlyDb; domains: Pick<Domains, 'hostOf' | 'shortUrlOf'> }

export async function linkLines(
  { db, domains }: LinkLineDeps,
  { workspaceId, after }: PagePosition,
): Promise<Page> {
  const rows = await db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .leftJoin('link_openings', 'link_openings.link_id', 'links.id')
    .selectAll('links')
    .select('link_openings.opened')
    .select([aliasColumn, labelColumn('links')])
    .select(['link_totals.clicks', 'link_totals.visitors', 'link_totals.bots', 'link_totals.last_clicked_at'])
    .where('links.workspace_id', '=', workspaceId)
    .where('links.id', '>', after)
    .orderBy('links.id')
    .limit(ROWS_AT_ONCE)
    .execute()
  const imported = await findImportedClicks(
    db,
    rows.map(({ id }) => id),
  )
  const lines = rows.map((row) => ({
    type: 'link',
    ...linkFields(domains, row, { aliases: readAliases(row.aliases), ...readLabels(row.labels) }),
    updated_at: isoMicroseconds(row.updated_at),
    clicks: row.clicks ?? 0,
    unique_visitors: row.visitors ?? 0,
    bots: row.bots ?? 0,
    last_clicked_at: isoOrNull(row.last_clicked_at),
    imported_clicks: importedOrNull(imported.get(row.id)),
  }))
  return { lines, last: rows.at(-1)?.id }
}

/** What is in the trash. */
export async function deletedLinkLines(
  { db, domains }: LinkLineDeps,
  { workspaceId, after }: PagePosition,
): Promise<Page> {
  const rows = await db
    .selectFrom('deleted_links')
    .leftJoin('link_openings', 'link_openings.link_id', 'deleted_links.id')
    .selectAll('deleted_links')
    .select('link_openings.opened')
    .select(labelColumn('deleted_links'))
    .where('workspace_id', '=', workspaceId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()
  const imported = await findImportedClicks(
    db,
    rows.map(({ id }) => id),
  )
  const lines = rows.map((row) => ({
    type: 'deleted_link',
    ...linkFields(domains, row, { aliases: aliasesInTrash(row.other_keys), ...readLabels(row.labels) }),
    deleted_at: isoMicroseconds(row.deleted_at),
    imported_clicks: importedOrNull(imported.get(row.id)),
  }))
  return { lines, last: rows.at(-1)?.id }
}

const importedOrNull = (clicks: ImportedClicks | undefined) =>
  clicks === undefined ? null : importedClicksView(clicks)

type LinkRow = Pick<
  Selectable<Database['links']>,
  'id' | 'domain_id' | 'code' | 'spelling' | 'svc_id' | 'created_at'
> &
  ShownRow & { opened: number | null }

const linkFields = (
  domains: LinkLineDeps['domains'],
  row: LinkRow,
  { aliases, ...elsewhere }: ElsewhereValues,
) => {
  const { original_url, title, is_active, ...options } = fieldViews(row)
  const key = shownKey({ domainId: row.domain_id, ...row })
  return {
    id: row.id,
    short_code: key.code,
    domain: domains.hostOf(row.domain_id),
    short_url: domains.shortUrlOf(key),
    aliases,
    svc_id: row.svc_id,
    original_url,
    utm: utmOf(row.original_url),
    title,
    is_active,
    ...elsewhere,
    created_at: isoMicroseconds(row.created_at),
    ...options,
    /** How many of its `max_clicks` are spent. */
    opened: row.max_clicks === null ? null : (row.opened ?? 0),
  }
}
