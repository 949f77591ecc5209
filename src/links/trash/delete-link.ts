import type { Caller } from '../../access/caller.ts'
import { lockedToChange, type RowInsert, writeRows } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'
import { type ChangeLinksDeps, changeLinks, type LinksTx } from '../change-links.ts'
import { findKeys, noSuchLink } from '../find-link.ts'
import { IMPORTED_LINKS_WITH_OPTIONS } from '../insert-links.ts'
import { countLabeledLinks, labeledLink } from '../labels/link-labels.ts'
import { recordLinkChanges } from '../link-changes.ts'
import type { LinkKey } from '../link-key.ts'
import { countLinks } from '../lists/count-links.ts'
import { removeLinkTexts } from '../lists/link-text.ts'
import { encodeOtherKeys } from './deleted-links.ts'

/**
 * Moves the link to the trash: it stops redirecting at once. Its codes stay its owner's in `codes`, and its clicks stay in
 * the counters. See restoreLink.
 */
export function deleteLink(deps: ChangeLinksDeps, caller: Caller, key: LinkKey): Promise<void> {
  return changeLinks(deps, {}, async (change) => {
    const { linkId } = await findKeys(change.tx, caller, key)
    if ((await moveToTrash(change, caller, [linkId])) === 0) throw noSuchLink()
  })
}

/** All columns that a link has, and those of the trash. */
const DELETED_LINKS: RowInsert = {
  table: 'deleted_links',
  columns: [
    'id',
    ...IMPORTED_LINKS_WITH_OPTIONS.columns.filter((name) => name !== 'updated_at'),
    'deleted_at',
    'other_keys',
  ],
  texts: [...IMPORTED_LINKS_WITH_OPTIONS.texts, 'other_keys'],
}

/** Gives how many of the links there were. */
export async function moveToTrash(
  { tx, nowUs, changedKeys }: LinksTx,
  caller: Caller,
  linkIds: readonly number[],
): Promise<number> {
  const codes = await lockCodes(tx, linkIds)
  const query = tx.selectFrom('links').select('id').where('id', 'in', linkIds).orderBy('id')
  await lockedToChange(tx, query).execute()
  const rows = await tx.deleteFrom('links').where('id', 'in', linkIds).returningAll().execute()
  if (rows.length === 0) return 0
  const keysOf = (linkId: number) => codes.filter((row) => row.linkId === linkId)
  const trash = rows.map(({ updated_at: _, ...row }) => ({
    ...row,
    deleted_at: nowUs,
    other_keys: encodeOtherKeys({ domainId: row.domain_id, code: row.code }, keysOf(row.id)),
  }))
  await writeRows(
    tx,
    DELETED_LINKS,
    trash.map((row) => DELETED_LINKS.columns.map((name) => row[name as keyof typeof row])),
  )
  await countLabeledLinks(tx, rows.map(labeledLink), -1)
  await removeLinkTexts(tx, linkIds)
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total - of(row), 0)
  await countLinks(tx, caller.workspaceId, {
    links: -rows.length,
    active: sum((row) => row.is_active),
    archived: sum((row) => row.is_archived ?? 0),
  })
  const links = rows.map(({ id, domain_id: domainId, code }) => ({ id, domainId, code, changes: {} }))
  await recordLinkChanges(tx, caller, { nowUs, action: 'link.deleted', links })
  changedKeys.push(...codes.map(({ domainId, code }) => ({ domainId, code })))
  return rows.length
}

/** Before the links, and in the order in which a creation claims codes: both would otherwise wait for each other. */
async function lockCodes(
  tx: Tx,
  linkIds: readonly number[],
): Promise<(LinkKey & { linkId: number | null })[]> {
  const codes = tx
    .selectFrom('codes')
    .select(['domain_id as domainId', 'code', 'link_id as linkId'])
    .where('link_id', 'in', linkIds)
  return lockedToChange(tx, codes.orderBy('code').orderBy('domain_id')).execute()
}
