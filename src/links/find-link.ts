import type { Caller } from '../access/caller.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Blocks } from './destinations/blocks.ts'
import type { AnyDb, CurrentDb } from '../store/handles.ts'
import type { LinkKey } from './link-key.ts'
import { type Link, selectLinks, toLink } from './link.ts'

/** One of the caller's links. A link of another workspace is refused exactly like one that does not exist. */
export async function findLink(deps: { db: CurrentDb }, caller: Caller, key: LinkKey): Promise<Link> {
  const row = await selectLinks(deps.db)
    .where('links.id', '=', linkIdOf(deps.db, key))
    .where('links.account_id', '=', caller.workspaceId)
    .executeTakeFirst()
  if (row === undefined) throw noSuchLink()
  return toLink(row)
}

/** What everybody may know of a link. Of one that its short address no longer opens, it says what that says. */
export async function findPublicLink(deps: { db: CurrentDb; blocks: Blocks }, key: LinkKey): Promise<Link> {
  const row = await selectLinks(deps.db)
    .select(['links.account_id', 'links.target_url'])
    .where('links.id', '=', linkIdOf(deps.db, key))
    .executeTakeFirst()
  if (row === undefined) throw noSuchLink()
  const { account_id: workspaceId, target_url: targetUrl, ...found } = row
  const state = deps.blocks.of(workspaceId, new URL(targetUrl ?? found.originalUrl).hostname)
  if (state === 'gone') throw noSuchLink()
  if (state === 'blocked') throw new Refusal('gone', 'This link has been blocked.')
  return toLink(found)
}

/** A link of the caller's, to be changed by its id, the key that it was created with, and every key that opens it. */
export async function findKeys(
  db: AnyDb,
  caller: Caller,
  key: LinkKey,
): Promise<{ linkId: number; own: LinkKey; keys: LinkKey[] }> {
  const rows = await db
    .selectFrom('links')
    .innerJoin('codes', 'codes.link_id', 'links.id')
    .select(['links.id as linkId', 'links.code as ownCode', 'codes.domain_id as domainId', 'codes.code'])
    .where('links.id', '=', linkIdOf(db, key))
    .where('links.account_id', '=', caller.workspaceId)
    .execute()
  if (rows.length === 0) throw noSuchLink()
  const { linkId, ownCode, domainId } = rows[0]!
  return {
    linkId,
    own: { domainId, code: ownCode },
    keys: rows.map(({ domainId, code }) => ({ domainId, code })),
  }
}

const linkIdOf = (db: AnyDb, { domainId, code }: LinkKey) =>
  db.selectFrom('codes').select('link_id').where('code', '=', code).where('domain_id', '=', domainId)

export const noSuchLink = () => new Refusal('not-found', 'Link not found.')
