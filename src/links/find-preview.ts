import type { CurrentDb } from '../store/handles.ts'
import type { LinkKey } from './link-key.ts'

/** What the preview page of a link says besides where it leads. */
export type LinkPreview = {
  /** As its owner has given it; '' without one. */
  title: string
  createdAtUs: number
  /** Whether its destination can depend on the visitor. */
  hasRules: boolean
}

export async function findPreview(
  { db }: { db: CurrentDb },
  { domainId, code }: LinkKey,
): Promise<LinkPreview | undefined> {
  const row = await db
    .selectFrom('codes')
    .innerJoin('links', 'links.id', 'codes.link_id')
    .select(['links.title', 'links.created_at as createdAtUs', 'links.rules'])
    .where('codes.code', '=', code)
    .where('codes.domain_id', '=', domainId)
    .executeTakeFirst()
  return row && { title: row.title, createdAtUs: row.createdAtUs, hasRules: row.rules !== null }
}
