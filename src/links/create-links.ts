import type { Caller } from '../access/caller.ts'
import type { LinksMax } from '../config/links-by-plan.ts'
import { AUDIT_LOG, auditRow } from '../audit/record-change.ts'
import { type ItemFault, refuseFaults } from '../errors/refusal.ts'
import { writeTogether } from '../store/engine-sql.ts'
import { turnAfter } from '../runtime/turns.ts'
import { codeInTrash, codeTaken } from './aliases.ts'
import type { Tx } from '../store/handles.ts'
import type { LinksTx } from './change-links.ts'
import { claimCodes, type UnopenedCode } from './claim-codes.ts'
import { refuseTakenIds } from './external-ids.ts'
import { refuseOverLinkLimit } from './link-limit.ts'
import { LINK_COUNTS, linkCountRow } from './lists/count-links.ts'
import type { Link } from './link.ts'
import { createdLink, linkEntries, withHosts } from './link-changes.ts'
import { labelNewLinks } from './labels/link-labels.ts'
import { LINK_TEXTS, linkTextRow } from './lists/link-text.ts'
import { insertLinks, type StoredLink } from './insert-links.ts'
import { linkColumns } from './link-fields.ts'
import { type LinkDraft, findReuse, type PlacedLink } from './reuse-links.ts'
import { spendDailyLinks } from './restricted-links.ts'

export type CreateLinksDeps = LinksTx & { linksMax: LinksMax }

/** `isNew`: false if it was there, or is equal to one before it in the same request. */
export type CreatedLink = { link: Link; isNew: boolean }

/** More than these are created in steps, between which others get a turn. */
const LINKS_PER_TURN = 20

/** Creates all the links or none, except those that reuse an equal one. Gives a link for each of them. */
export async function createLinks(
  deps: CreateLinksDeps,
  caller: Caller,
  newLinks: readonly PlacedLink[],
): Promise<CreatedLink[]> {
  const { tx, nowUs } = deps
  const drafts = newLinks.map((link, index) => draftOf(link, { index, nowUs }))
  const reused = await findReuse(tx, caller, drafts)
  const fresh = reused.size === 0 ? drafts : drafts.filter(({ index }) => !reused.has(index))
  await refuseTakenIds(
    tx,
    caller,
    fresh.map(({ index, link }) => ({ index, externalId: link.external_id })),
  )
  await refuseOverLinkLimit(deps, caller.workspaceId, fresh.length)
  await spendDailyLinks(tx, caller, { count: fresh.length, nowUs })
  const links = new Map((await storeLinks(deps, caller, fresh)).map((link, at) => [fresh[at]!.index, link]))
  return drafts.map(({ index }) => {
    const equal = reused.get(index)
    if (equal === undefined) return { link: links.get(index)!, isNew: true }
    return { link: typeof equal === 'number' ? links.get(equal)! : equal, isNew: false }
  })
}

/** Nothing that is stored can be a reason to refuse or to reuse it. */
export const isPlain = (link: PlacedLink): boolean =>
  link.custom_code === undefined &&
  link.external_id == null &&
  link.password_hash == null &&
  link.reuse_existing !== true &&
  link.folder == null &&
  link.aliases.length + link.tags.length === 0

/** Plain links of several requests of the same caller. Each has a time of its own, as each request has an entry of its own in the audit log. */
export function createPlainLinks(
  change: LinksTx,
  caller: Caller,
  newLinks: readonly PlacedLink[],
): Promise<Link[]> {
  const drafts = newLinks.map((link, at) => draftOf(link, { index: 0, nowUs: change.nowUs + at }))
  return storeLinks(change, caller, drafts)
}

const draftOf = (link: PlacedLink, at: Pick<LinkDraft, 'index' | 'nowUs'>): LinkDraft => ({
  ...at,
  link,
  columns: linkColumns(link),
  createdAtUs: link.createdAtUs ?? at.nowUs,
})

/** In their order. */
async function storeLinks(change: LinksTx, caller: Caller, fresh: readonly LinkDraft[]): Promise<Link[]> {
  if (fresh.length === 0) return []
  const { tx } = change
  const { workspaceId } = caller
  const rows = await insertLinks(tx, caller, fresh)
  await turnAfter(rows, LINKS_PER_TURN)
  const codes = await openLinks(change, caller, rows)
  const labels = await labelsOf(change, caller, rows)
  await turnAfter(rows, LINKS_PER_TURN)
  const links = rows.map((row, at) => ({
    ...linkOf(row),
    ...labels[at],
    code: codes.get(row.id) ?? row.code,
  }))
  const texts = links.map(({ id, options, ...link }, at) => {
    const targetUrl = rows[at]!.columns.target_url ?? null
    return linkTextRow({ linkId: id, workspaceId, notes: options.notes, targetUrl, ...link })
  })
  const counts = linkCountRow(workspaceId, {
    links: links.length,
    active: links.filter(({ isActive }) => isActive).length,
    archived: links.filter(({ options }) => options.is_archived === 1).length,
  })
  const entries = await entriesOf(tx, caller, { rows, links })
  await turnAfter(links, LINKS_PER_TURN)
  await writeTogether(tx, OF_NEW_LINKS, [texts, [counts], entries])
  return links
}

/** Those of one time are of one request. */
async function entriesOf(
  tx: Tx,
  caller: Caller,
  { rows, links }: { rows: readonly StoredLink[]; links: readonly Link[] },
): Promise<unknown[][]> {
  const entries: unknown[][] = []
  for (const [nowUs, created] of Map.groupBy(links, (_, at) => rows[at]!.nowUs)) {
    const action = 'link.created' as const
    const change = await withHosts(tx, { nowUs, action, links: created.map(createdLink) })
    entries.push(...linkEntries(change).map((entry) => auditRow(caller, entry)))
  }
  return entries
}

/** What is written about new links once it is sure that they have their codes. */
const OF_NEW_LINKS = [LINK_TEXTS, LINK_COUNTS, AUDIT_LOG]

/** Gives the code of each link, by its id: an assigned one may have been taken. */
async function openLinks(
  { tx, claims, changedKeys }: LinksTx,
  { workspaceId }: Caller,
  stored: readonly StoredLink[],
): Promise<Map<number, string>> {
  const codes = stored.flatMap(codesOf)
  const { opened, taken, inTrash } = await claimCodes(tx, { workspaceId, codes })
  refuseFaults([...faultsOf(taken, codeTaken), ...faultsOf(inTrash, codeInTrash)])
  claims.push(...opened.map(({ domainId, code, linkId }) => ({ domainId, code, workspaceId, linkId })))
  changedKeys.push(...opened.map(({ domainId, code }) => ({ domainId, code })))
  return new Map(
    opened.flatMap(({ linkId, code, field }) => (field === 'custom_code' ? [[linkId, code]] : [])),
  )
}

/** `field`: the one that asks for it, or could have. */
type CodeOfField = UnopenedCode & { index: number; field: string }

function codesOf({ index, id: linkId, code, link }: StoredLink): CodeOfField[] {
  const { domainId, custom_code: customCode, aliases, ignoresCase, codeStyle } = link
  const of = { index, linkId, domainId, ignoresCase, codeStyle }
  const own = { ...of, code, isCustom: customCode !== undefined, field: 'custom_code' }
  const others = aliases.map((alias, at) => ({ ...of, code: alias, isCustom: true, field: `aliases.${at}` }))
  return [own, ...others]
}

const faultsOf = (codes: readonly CodeOfField[], reason: typeof codeTaken): ItemFault[] =>
  codes.map(({ index, field }) => ({
    index,
    field,
    sentences: reason(field === 'custom_code' ? 'custom code' : 'alias'),
  }))

/** As the workspace spells them. */
async function labelsOf(
  { tx, nowUs }: LinksTx,
  { workspaceId }: Caller,
  stored: readonly StoredLink[],
): Promise<Pick<Link, 'tags' | 'folder'>[]> {
  if (stored.every(({ link: { tags, folder } }) => tags.length === 0 && folder == null)) return []
  return labelNewLinks(
    tx,
    { workspaceId, nowUs },
    stored.map(({ id, columns, createdAtUs, link: { tags, folder } }) => {
      return { id, createdAtUs, isArchived: columns.is_archived === 1, tags, folder }
    }),
  )
}

const linkOf = ({ id, svcId, code, link, options, createdAtUs }: StoredLink): Link => ({
  id,
  svcId,
  domainId: link.domainId,
  code,
  spelling: link.spelling ?? null,
  aliases: link.aliases.toSorted(),
  originalUrl: link.original_url.text,
  title: link.title,
  isActive: link.is_active,
  clickCount: 0,
  opened: 0,
  version: 1,
  createdAtUs,
  options,
  tags: [],
  folder: null,
})
