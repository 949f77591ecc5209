import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../errors/refusal.ts'
import type { ReadOnlyDb } from '../../store/handles.ts'
import { type Link, selectLinks, toLink } from '../link.ts'
import { archivedCondition } from './archived-links.ts'
import type { LinkPage } from './list-links.ts'

export type ExternalIdPage = LinkPage & { externalId: string }

/** A page of the caller's links with this external ID, newest first, and how many there are: usually one. */
export async function linksByExternalId(
  db: ReadOnlyDb,
  { workspaceId }: Caller,
  { externalId, search, archived, page, perPage }: ExternalIdPage,
): Promise<{ links: Link[]; total: number }> {
  if (search !== '') throw invalid({ external_id: ['The external id cannot be combined with a search.'] })
  const ids = db
    .selectFrom('links')
    .select('links.id')
    .where('account_id', '=', workspaceId)
    .where('external_id', '=', externalId)
    .$if(archived !== 'include', (query) => query.where(archivedCondition(archived)))
  const { total } = await db
    .selectFrom(ids.as('ids'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selectLinks(db)
    .where('links.id', 'in', ids)
    .orderBy('links.created_at', 'desc')
    .orderBy('links.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return { links: rows.map(toLink), total }
}

/** The external ID to look for; undefined when none is given. */
export function readExternalId(text: string | undefined): string | undefined {
  if (text !== undefined && (text.includes('\0') || !text.isWellFormed()))
    throw invalid({ external_id: ['The external id must be well-formed text.'] })
  return text
}
