import { isDeepStrictEqual } from 'node:util'
import {
  findImportedClicks,
  type ImportedClicks,
  replaceImportedClicks,
} from '../clicks/imported/imported-clicks.ts'
import type { CreatedLink } from '../links/create-links.ts'
import type { Link } from '../links/link.ts'
import { dayOf, isoMicroseconds } from '../runtime/clock.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { transact } from '../store/transact.ts'
import type { Fields, Import, Item } from './imported-items.ts'
import type { LinkDifference } from './link-differences.ts'

// The clicks that an import says of its links. They are no field of a link: nothing of them is in its versions or in its edits.

/** By link: what is here already, of those for which something was sent. */
export function findClicksHere(
  { deps }: Pick<Import, 'deps'>,
  pairs: readonly { item: Item; link: Link }[],
): Promise<Map<number, ImportedClicks>> {
  const ids = pairs.flatMap(({ item, link }) => (item.link.importedClicks === undefined ? [] : [link.id]))
  return findImportedClicks(deps.readDb, ids)
}

export function clicksDifference(
  { link, clicks: here }: { link: Link; clicks: ImportedClicks | undefined },
  { sent, link: { importedClicks: imported } }: Item,
): LinkDifference[] {
  if (imported === undefined || imported.total === 0 || isDeepStrictEqual(here, imported)) return []
  if (isOurExport(sent, link)) return []
  return [{ field: 'clicks', here: here?.total ?? null, imported: imported.total }]
}

/** What was exported of this very link: its clicks are here already, those that were counted here among them. */
const isOurExport = ({ id, created_at: createdAt }: Fields, link: Link): boolean =>
  id === link.id && createdAt === isoMicroseconds(link.createdAtUs)

/** In place of what was imported for the link before. */
export async function keepClicks(
  { deps, caller, request }: Import,
  item: Item,
  { id }: Pick<Link, 'id'>,
): Promise<void> {
  if (request.isDryRun) return
  await transact(deps.db, async (tx) => {
    const own = tx.selectFrom('links').select('created_at').where('id', '=', id)
    const row = await lockedToChange(tx, own).executeTakeFirst()
    if (row === undefined) return
    await replace(tx, { id, createdAtUs: row.created_at }, { item, ...caller, nowUs: deps.clock.nowUs() })
  })
}

type Kept = { item: Item; workspaceId: number; nowUs: number }

function replace(
  tx: Tx,
  { id: linkId, createdAtUs }: Pick<Link, 'id' | 'createdAtUs'>,
  { item, workspaceId, nowUs }: Kept,
): Promise<void> {
  return replaceImportedClicks(
    tx,
    { linkId, workspaceId },
    { imported: item.link.importedClicks!, firstDay: dayOf(createdAtUs), lastDay: dayOf(nowUs) },
  )
}

/** For links that were created, and for equal ones without a code, which were found only now. */
export async function keepClicksOfCreated(
  { tx, nowUs }: { tx: Tx; nowUs: number },
  { caller, request }: Import,
  pairs: readonly (CreatedLink & { item: Item })[],
): Promise<void> {
  const sent = pairs.filter(({ item }) => item.link.importedClicks !== undefined)
  const reused = sent.flatMap(({ link, isNew }) => (isNew ? [] : [link.id]))
  const here = await findImportedClicks(tx, reused)
  for (const { item, link, isNew } of sent)
    if (isNew || !here.has(link.id) || request.onConflict === 'replace')
      await replace(tx, link, { item, ...caller, nowUs })
}
