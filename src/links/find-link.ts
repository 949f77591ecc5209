import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Blocks } from './destinations/blocks.ts'
import type { AnyDb, CurrentDb } from '../store/handles.ts'
import { prepareForList } from '../store/sqlite/prepare.ts'
import { keyText, type LinkKey } from './link-key.ts'
import { type Link, selectLinks, toLink } from './link.ts'

/** One of the caller's links. A link of another workspace is refused exactly like one that does not exist. */
export async function findLink(deps: { db: CurrentDb }, caller: Caller, key: LinkKey): Promise<Link> {
  const row = await selectLinks(deps.db)
    .where('links.id', '=', linkIdOf(deps.db, key))
    .where('links.workspace_id', '=', caller.workspaceId)
    .executeTakeFirst()
  if (row === undefined) throw noSuchLink()
  return toLink(row)
}

/** What everybody may know of a link. Of one that its short address no longer opens, it says what that says. */
export async function findPublicLink(
  deps: { db: CurrentDb; blocks: Blocks },
  key: LinkKey,
): Promise<Link & { workspaceId: number }> {
  const row = await selectLinks(deps.db)
    .select(['links.workspace_id', 'links.target_url'])
    .where('links.id', '=', linkIdOf(deps.db, key))
    .executeTakeFirst()
  if (row === undefined) throw noSuchLink()
  const { workspace_id: workspaceId, target_url: targetUrl, ...found } = row
  const state = deps.blocks.of(workspaceId, new URL(targetUrl ?? found.originalUrl).hostname)
  if (state === 'gone') throw noSuchLink()
  if (state === 'blocked') throw new Refusal('link_blocked', 'This link has been blocked.')
  return { ...toLink(found), workspaceId }
}

/** What everybody may know of a link: no more than its short URL says. */
type PublicFacts = { originalUrl: string | null; title: string }

type DescribedLink = Pick<Link, 'originalUrl' | 'title'> & {
  options: Pick<Link['options'], 'starts_at' | 'expires_at' | 'max_clicks' | 'password_hash'>
}

/**
 * The only place that decides it. The destination is for visitors only before the link starts, after it has ended, and where it has
 * a password or a limit; so is the title then, which may come from the page there. A link that its owner has disabled is described.
 */
export function publicFacts({ originalUrl, title, options }: DescribedLink, nowUs: number): PublicFacts {
  const { starts_at: startsAt, expires_at: expiresAt, max_clicks: maxClicks, password_hash: hash } = options
  const isOpen = (startsAt === null || nowUs >= startsAt) && (expiresAt === null || nowUs < expiresAt)
  const isForEverybody = isOpen && maxClicks === null && hash === null
  return isForEverybody ? { originalUrl, title } : { originalUrl: null, title: '' }
}

/** Whether the short URL says that there is a link, though it may be one that does not redirect. */
export async function hasPublicLink(
  { db, blocks }: { db: CurrentDb; blocks: Pick<Blocks, 'of'> },
  key: LinkKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('links')
    .select(['workspace_id', (eb) => eb.fn.coalesce('target_url', 'original_url').as('destination')])
    .where('id', '=', linkIdOf(db, key))
    .executeTakeFirst()
  return row !== undefined && blocks.of(row.workspace_id, new URL(row.destination).hostname) !== 'gone'
}

/** A link to be changed: its id, the key that it was created with, and every key that opens it. */
export type FoundKeys = { linkId: number; own: LinkKey; keys: LinkKey[] }

export async function findKeys(db: AnyDb, caller: Caller, key: LinkKey): Promise<FoundKeys> {
  const [found] = await findAllKeys(db, caller, [key])
  if (found === undefined) throw noSuchLink()
  return found
}

/** For each of the keys. Undefined where it opens no link of the caller's. */
export async function findAllKeys(
  db: AnyDb,
  { workspaceId }: Caller,
  keys: readonly LinkKey[],
): Promise<(FoundKeys | undefined)[]> {
  const domainIds = keys.map(({ domainId }) => domainId)
  const domains = { first: Math.min(...domainIds), last: Math.max(...domainIds) }
  const rows = await keysOfCodes(db, { workspaceId, ...domains }, [...new Set(keys.map(({ code }) => code))])
  const links = new Map<string, FoundKeys>()
  for (const { asked, askedDomainId, linkId, ownCode, domainId, code } of rows) {
    const key = keyText({ domainId: askedDomainId, code: asked })
    const link = links.get(key) ?? { linkId, own: { domainId, code: ownCode }, keys: [] }
    links.set(key, { ...link, keys: [...link.keys, { domainId, code }] })
  }
  return keys.map((key) => links.get(keyText(key)))
}

type OnDomains = { workspaceId: number; first: number; last: number }

/** Also of the same codes on other domains of these. */
const keysOfCodes = prepareForList(
  (db: AnyDb, { workspaceId, first, last }: OnDomains, codes: readonly string[]) =>
    db
      .selectFrom('codes as asked')
      .innerJoin('links', 'links.id', 'asked.link_id')
      .innerJoin('codes', 'codes.link_id', 'links.id')
      .select(['asked.code as asked', 'asked.domain_id as askedDomainId'])
      .select(['links.id as linkId', 'links.code as ownCode'])
      .select(['codes.domain_id as domainId', 'codes.code'])
      .where('asked.code', 'in', codes)
      .where('asked.domain_id', '>=', first)
      .where('asked.domain_id', '<=', last)
      // With `+`, SQLite uses no index of it: for many codes it would read all links of the workspace.
      .where(sql`+links.workspace_id`, '=', workspaceId),
)

/** The links of the caller that these keys open, by the keys as texts. */
export async function findLinksByKeys(
  db: AnyDb,
  caller: Caller,
  keys: readonly LinkKey[],
): Promise<Map<string, Link>> {
  if (keys.length === 0) return new Map()
  const places = await findAllKeys(db, caller, keys)
  const ids = places.flatMap((each) => each?.linkId ?? [])
  if (ids.length === 0) return new Map()
  const rows = await selectLinks(db).where('links.id', 'in', ids).execute()
  const links = new Map(rows.map((row) => [row.id, toLink(row)]))
  return new Map(
    keys.flatMap((key, index) => {
      const link = links.get(places[index]?.linkId ?? 0)
      return link === undefined ? [] : [[keyText(key), link]]
    }),
  )
}

const linkIdOf = (db: AnyDb, { domainId, code }: LinkKey) =>
  db.selectFrom('codes').select('link_id').where('code', '=', code).where('domain_id', '=', domainId)

export const noSuchLink = () => new Refusal('link_not_found', 'Link not found.')
