import type { Caller } from '../caller.ts'
import { Refusal } from '../refusal.ts'
import type { Blocks } from './blocks.ts'
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

/** What everybody may know of a link. Of one that its short address no longer opens, it says what that says. */
export async function findPublicLink(deps: { db: Db; blocks: Blocks }, code: string): Promise<Link> {
  const row = await selectLinks(deps.db)
    .select(['links.account_id', 'links.target_url'])
    .where('links.code', '=', code)
    .executeTakeFirst()
  if (row === undefined) throw noSuchLink()
  const { account_id: accountId, target_url: targetUrl, ...found } = row
  const state = deps.blocks.of(accountId, new URL(targetUrl ?? found.originalUrl).hostname)
  if (state === 'gone') throw noSuchLink()
  if (state === 'blocked') throw new Refusal('gone', 'This link has been blocked.')
  return toLink(found)
}

export const noSuchLink = () => new Refusal('not-found', 'Link not found.')
