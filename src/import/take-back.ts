import { Refusal } from '../errors/refusal.ts'
import { changeLinks, type LinksTx } from '../links/change-links.ts'
import { findLinksByKeys } from '../links/find-link.ts'
import { keyText } from '../links/link-key.ts'
import { putBack } from '../links/trash/put-back.ts'
import { inTrashSinceUs } from '../links/trash/trash-period.ts'
import { inTurns } from '../runtime/turns.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { CurrentDb } from '../store/handles.ts'
import { prepareForList } from '../store/sqlite/prepare.ts'
import { transact } from '../store/transact.ts'
import { type Import, keyOfItem, type PlacedItem, withoutRefused } from './imported-items.ts'
import { linkDifferences } from './link-differences.ts'
import { clicksDifference, findClicksHere } from './keep-clicks.ts'
import { takeOver } from './meet-link.ts'

// What the undo of an import has moved to the trash comes back when it is imported again: with its ID and clicks, and as the file says.

type TrashedItem = PlacedItem & { trashedId: number }

/** Compared before others get a turn. */
const LINKS_PER_TURN = 5

/** Takes those of the items out of the trash, and gives the others. */
export async function takeBack(all: Import, items: readonly PlacedItem[]): Promise<readonly PlacedItem[]> {
  const trashedIds = await undoneIds(all, items)
  if (trashedIds.size === 0) return items
  const idOf = (item: PlacedItem) => keyOfItem(item).flatMap((key) => trashedIds.get(keyText(key)) ?? [])[0]
  const trashed = items.flatMap((item) => {
    const trashedId = idOf(item)
    return trashedId === undefined ? [] : [{ ...item, trashedId }]
  })
  const { accepted } = await withoutRefused(all, trashed, async (some) => {
    const { isDryRun } = all.request
    if (some.length > 0) await changeLinks(all.deps, { isDryRun }, (change) => restore(change, all, some))
  })
  for (const { index, link } of accepted) {
    const key = { domainId: link.domainId, code: link.custom_code! }
    all.outcomes.set(index, { result: 'created', key })
  }
  if (!all.request.isDryRun) await editRestored(all, accepted)
  return items.filter((item) => idOf(item) === undefined)
}

/** By the text of its key: the link of an undone import that is in the trash since the undo. */
async function undoneIds(
  { deps, caller }: Import,
  items: readonly PlacedItem[],
): Promise<Map<string, number>> {
  const codes = items.flatMap(keyOfItem).map(({ code }) => code)
  const since = inTrashSinceUs(deps.clock.nowUs(), deps.trashDays)
  const rows = await undoneLinks(deps.readDb, { workspaceId: caller.workspaceId, since }, codes)
  return new Map(rows.map(({ id, ...key }) => [keyText(key), id]))
}

const undoneLinks = prepareForList(
  (db: CurrentDb, { workspaceId, since }: { workspaceId: number; since: number }, codes: readonly string[]) =>
    db
      .selectFrom('deleted_links')
      .innerJoin('imports', 'imports.id', 'deleted_links.import_id')
      .select(['deleted_links.id', 'deleted_links.domain_id as domainId', 'deleted_links.code'])
      .where('deleted_links.workspace_id', '=', workspaceId)
      .where('deleted_links.code', 'in', codes)
      .where('deleted_links.deleted_at', '>', since)
      // Those that were deleted before stay where their owner has put them.
      .whereRef('deleted_links.deleted_at', '>=', 'imports.undone_at')
      .orderBy('deleted_links.id'),
)

/** They are part of this import from now on. */
async function restore(change: LinksTx, all: Import, items: readonly TrashedItem[]): Promise<void> {
  const { tx, nowUs } = change
  const ids = items.map(({ trashedId }) => trashedId)
  const own = tx.selectFrom('deleted_links').select('id').where('id', 'in', ids).orderBy('id')
  await lockedToChange(tx, own).execute()
  const rows = await tx.deleteFrom('deleted_links').where('id', 'in', ids).returningAll().execute()
  const { importId } = all.request
  const imported = importId === undefined ? NOT_IMPORTED : { import_id: importId, imported_at: nowUs }
  const trashed = rows
    .sort((a, b) => a.id - b.id)
    .map((row) => ({ row: { ...row, ...imported }, index: ids.indexOf(row.id) }))
  // Somebody else may have restored them since.
  if (trashed.length === 0) return
  await putBack({ ...change, linksMax: all.deps.linksMax }, all.caller, trashed)
}

const NOT_IMPORTED = { import_id: null, imported_at: null }

/** Gives the links what the file says. One that cannot have it stays as it was in the trash. */
async function editRestored(all: Import, items: readonly TrashedItem[]): Promise<void> {
  const { deps, caller, outcomes, request } = all
  const links = await findLinksByKeys(deps.readDb, caller, items.flatMap(keyOfItem))
  const pairs = items.flatMap((item) => {
    const key = { domainId: item.link.domainId, code: item.link.custom_code! }
    const link = links.get(keyText(key))
    return link === undefined ? [] : [{ item, key, link }]
  })
  const clicks = await findClicksHere(all, pairs)
  for await (const { item, key, link } of inTurns(pairs, LINKS_PER_TURN)) {
    const differences = [
      ...linkDifferences(link, item.link, item.sent),
      ...clicksDifference({ link, clicks: clicks.get(link.id) }, item),
    ]
    if (differences.length === 0) continue
    try {
      await takeOver(all, item, { link, changed: differences })
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
      outcomes.set(item.index, { result: 'skipped', key, differences })
    }
  }
  if (request.importId === undefined || items.length === 0) return
  const ids = items.map(({ trashedId }) => trashedId)
  await transact(deps.db, async (tx) => {
    const own = tx.selectFrom('links').select('id').where('id', 'in', ids).orderBy('id')
    await lockedToChange(tx, own).execute()
    const edited = tx.updateTable('links').set((eb) => ({ imported_at: eb.ref('updated_at') }))
    await edited.where('id', 'in', ids).where('import_id', '=', request.importId!).execute()
  })
}
