import { sql } from 'kysely'
import { aliasColumn, readAliases } from './aliases.ts'
import type { AnyDb } from '../store/handles.ts'
import type { LinkKey } from './link-key.ts'
import { versionColumn } from './versions/seen-version.ts'
import { labelColumn, readLabels } from './labels/link-labels.ts'
import { type ElsewhereValues, OPTION_COLUMNS, type ShownOptions, shownOptions } from './link-fields.ts'

export type Link = {
  id: number
  svcId: string
  domainId: number
  code: string
  /** How its code was written; null: as it is. */
  spelling: string | null
  /** As the client sent it. */
  originalUrl: string
  title: string
  isActive: boolean
  /** People's clicks; bots are counted separately. */
  clickCount: number
  /** How many of its `max_clicks` are spent. */
  opened: number
  createdAtUs: number
  /** The number of its latest version. */
  version: number
  options: ShownOptions
} & ElsewhereValues

/**
 * Called after the commit of a change, with every key that opens a changed link. The redirect cache drops them before the
 * caller gets a response.
 */
export type LinkChanges = { changed(keys: readonly LinkKey[]): void }

/** With its code as it was written. */
export const shownKey = ({
  domainId,
  code,
  spelling,
}: Pick<Link, 'domainId' | 'code' | 'spelling'>): LinkKey => ({
  domainId,
  code: spelling ?? code,
})

/** Links with their counts, to be narrowed by the caller. */
export function selectLinks(db: AnyDb) {
  return db
    .selectFrom('links')
    .leftJoin('link_totals', 'link_totals.link_id', 'links.id')
    .leftJoin('link_openings', 'link_openings.link_id', 'links.id')
    .select([
      'links.id',
      'links.svc_id as svcId',
      'links.domain_id as domainId',
      'links.code',
      'links.spelling',
      'links.original_url as originalUrl',
      'links.title',
      'links.is_active',
      sql<number>`coalesce(link_totals.clicks, 0)`.as('clickCount'),
      sql<number>`coalesce(link_openings.opened, 0)`.as('opened'),
      'links.created_at as createdAtUs',
      versionColumn('links.id').as('version'),
      aliasColumn,
      labelColumn('links'),
      ...OPTION_COLUMNS.names.map((name) => `links.${name}` as const),
    ])
}

type LinkRow = Omit<Link, 'isActive' | 'options' | keyof ElsewhereValues> & {
  is_active: number
  aliases: string | null
  labels: string | null
} & ShownOptions

export function toLink(row: LinkRow): Link {
  const {
    id,
    svcId,
    domainId,
    code,
    spelling,
    originalUrl,
    title,
    clickCount,
    opened,
    createdAtUs,
    version,
  } = row
  const options = shownOptions(row)
  return {
    id,
    svcId,
    domainId,
    code,
    spelling,
    aliases: readAliases(row.aliases),
    originalUrl,
    title,
    isActive: row.is_active === 1,
    clickCount,
    opened,
    createdAtUs,
    version,
    options,
    ...readLabels(row.labels),
  }
}
