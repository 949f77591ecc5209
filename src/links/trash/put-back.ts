import type { Selectable } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import type { LinksMax } from '../../config/links-by-plan.ts'
import { codedSentences } from '../../errors/field-codes.ts'
import { InvalidItems, refuseFaults } from '../../errors/refusal.ts'
import { indexRestoredLink, lockedToChange } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'
import type { Database } from '../../store/schema.ts'
import { inTurns } from '../../runtime/turns.ts'
import type { LinksTx } from '../change-links.ts'
import { externalIdTaken, refuseTakenIds } from '../external-ids.ts'
import { countLabeledLinks, labeledLink } from '../labels/link-labels.ts'
import { type ChangedLink, recordLinkChanges } from '../link-changes.ts'
import { isSameKey, keyText, type LinkKey } from '../link-key.ts'
import { refuseOverLinkLimit } from '../link-limit.ts'
import { countLinks } from '../lists/count-links.ts'
import { textOf, writeLinkTexts } from '../lists/link-text.ts'
import { aliasesInTrash, otherKeys } from './deleted-links.ts'

/** Links or codes that are written before others get a turn: each is a statement. */
const PER_TURN = 20

/** A row that was taken out of the trash, and its place in the request. */
export type TrashedLink = { row: Selectable<Database['deleted_links']>; index: number }

/** Makes links of what was in the trash. All or none, in the order of their ids; codes and counts are written once for all of them. */
export async function putBack(
  { tx, nowUs, changedKeys, linksMax }: LinksTx & { linksMax: LinksMax },
  caller: Caller,
  trashed: readonly TrashedLink[],
): Promise<void> {
  const { workspaceId } = caller
  await refuseOverLinkLimit({ tx, linksMax }, workspaceId, trashed.length)
  await refuseRepeatedIds(tx, caller, trashed)
  const rows = trashed.map(({ row: { deleted_at: _, other_keys: __, ...row } }) => row)
  for await (const row of inTurns(rows, PER_TURN))
    await tx
      .insertInto('links')
      .values({ ...row, updated_at: nowUs })
      .execute()
  const opened = await openAgain(tx, caller, trashed)
  await countLabeledLinks(tx, rows.map(labeledLink), 1)
  const texts = rows.map((row) => {
    const own = { domainId: row.domain_id, code: row.code }
    const keys = opened.get(row.id)!.filter((key) => !isSameKey(key, own))
    return { ...textOf(row), aliases: keys.map(({ code }) => code) }
  })
  await writeLinkTexts(tx, texts)
  for await (const { id } of inTurns(rows, PER_TURN)) await indexRestoredLink(tx, id)
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  await countLinks(tx, workspaceId, {
    links: rows.length,
    active: sum((row) => row.is_active),
    archived: sum((row) => row.is_archived ?? 0),
  })
  const links = trashed.map(({ row }, index) => restoredLink(row, texts[index]!.aliases))
  await recordLinkChanges(tx, caller, { nowUs, action: 'link.restored', links })
  changedKeys.push(...[...opened.values()].flat())
}

/** Some of its aliases may open another link now. */
function restoredLink(
  { id, domain_id: domainId, code, other_keys: encoded }: TrashedLink['row'],
  to: readonly string[],
): ChangedLink {
  const from = aliasesInTrash(encoded)
  return { id, domainId, code, changes: from.length === to.length ? {} : { aliases: { from, to } } }
}

/** Those of other links, and those of links that were in the trash together. */
async function refuseRepeatedIds(tx: Tx, caller: Caller, trashed: readonly TrashedLink[]): Promise<void> {
  const ids = trashed.map(({ row, index }) => ({ index, externalId: row.external_id }))
  await refuseTakenIds(tx, caller, ids)
  const codes = new Set<string>()
  for (const { index, externalId } of ids) {
    if (externalId === null) continue
    if (codes.has(externalId))
      throw new InvalidItems([{ index, field: 'external_id', sentences: externalIdTaken() }])
    codes.add(externalId)
  }
}

/**
 * Gives each link those of its codes that are still the workspace's and open nothing else, in the order in which a creation
 * claims codes. Refused if its own is not among them. Of two links that had one code, the older one gets it.
 */
async function openAgain(
  tx: Tx,
  { workspaceId }: Caller,
  trashed: readonly TrashedLink[],
): Promise<Map<number, LinkKey[]>> {
  const links = trashed.map(({ row, index }) => {
    const own = { domainId: row.domain_id, code: row.code }
    return { linkId: row.id, index, own, keys: [own, ...otherKeys(row.other_keys)] }
  })
  const codes = new Set(links.flatMap(({ keys }) => keys.map(({ code }) => code)))
  const closed = tx
    .selectFrom('codes')
    .select(['domain_id as domainId', 'code'])
    .where('code', 'in', [...codes])
    .where('workspace_id', '=', workspaceId)
    .where('link_id', 'is', null)
    .orderBy('code')
    .orderBy('domain_id')
  const rows = await lockedToChange(tx, closed).execute()
  const keysOfAll = links.flatMap((link) => link.keys.map((key) => [keyText(key), link] as const))
  // Of two links with one key, the first one stays in the map.
  const firstWith = new Map(keysOfAll.toReversed())
  const opened = new Map<number, LinkKey[]>(links.map(({ linkId }) => [linkId, []]))
  for await (const key of inTurns(rows, PER_TURN)) {
    const link = firstWith.get(keyText(key))
    if (link === undefined) continue
    opened.get(link.linkId)!.push(key)
    const row = tx.updateTable('codes').set({ link_id: link.linkId }).where('code', '=', key.code)
    await row.where('domain_id', '=', key.domainId).execute()
  }
  const closedLinks = links.filter(
    ({ linkId, own }) => !opened.get(linkId)!.some((key) => isSameKey(key, own)),
  )
  refuseFaults(closedLinks.map(({ index }) => ({ index, field: 'short_code', sentences: codeInUse() })))
  return opened
}

const codeInUse = (): string[] =>
  codedSentences([{ sentence: 'The short code opens another link now.', code: 'code_taken' }])
