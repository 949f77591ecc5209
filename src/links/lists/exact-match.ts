import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { couldOpen } from '../../codes/unusual-code.ts'
import { keyOf, type KeyOfDeps } from '../domains/key-of.ts'
import { allOf, conditionsOf, idsOf, type LinkList } from './link-list.ts'

/** The ID of the link that a search names, by its short URL or by nothing but its code; undefined if the list does not have it. */
export async function exactMatch(
  deps: KeyOfDeps,
  caller: Caller,
  { list, search }: { list: LinkList; search: string },
): Promise<number | undefined> {
  if (list.terms === undefined) return undefined
  const { shortUrl } = list.terms
  if (shortUrl === undefined && !couldOpen(search)) return undefined
  const key = shortUrl ?? (await keyOf(deps, caller, { code: search, domain: undefined }))
  const byCode = sql<boolean>`links.id = (SELECT link_id FROM codes
    WHERE code = ${key.code} AND domain_id = ${key.domainId} AND workspace_id = ${list.workspaceId})`
  const [id] = await idsOf(
    list.db,
    sql`SELECT links.id FROM links WHERE ${allOf([byCode, ...conditionsOf(list)])}`,
  )
  return id
}
