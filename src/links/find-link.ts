import type { Caller } from '../caller.ts'
import { Refusal } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { type Link, selectLinks, toLink } from './link.ts'

/** One of the caller's links. Somebody else's is refused in the very words of one that does not exist. */
export async function findLink(deps: { db: Db }, caller: Caller, code: string): Promise<Link> {
  const row = await selectLinks(deps.db)
    .where('links.code', '=', code)
    .where('links.account_id', '=', caller.accountId)
    .executeTakeFirst()
  if (row === undefined) throw noSuchLink()
  return toLink(row)
}

/** What everybody may know of a link. */
export async function findPublicLink(deps: { db: Db }, code: string): Promise<Link> {
  const row = await selectLinks(deps.db).where('links.code', '=', code).executeTakeFirst()
  if (row === undefined) throw noSuchLink()
  return toLink(row)
}

export const noSuchLink = () => new Refusal('not-found', 'Link not found.')
