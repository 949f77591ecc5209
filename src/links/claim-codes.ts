import { ASSIGNED_CODE_LENGTH, randomCode } from '../codes/random-code.ts'
import { type RowInsert, writeRows } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { type LinkKey, keyText } from './link-key.ts'
import { findKeysInTrash } from './trash/codes-in-trash.ts'

/** A stored link that this code does not open yet. `isCustom`: the code is the caller's choice, and must not be replaced. */
export type UnopenedLink = LinkKey & { id: number; isCustom: boolean }

/** If this many codes in a row are taken, there is no room for more, or the random source is broken. */
const DRAWS_MAX = 8

/** `inTrash`: codes of links that may be restored. */
export type RefusedCodes = { taken: UnopenedLink[]; inTrash: UnopenedLink[] }

type Claimed = { code: string; domain_id: number }

const NEW_CODES: RowInsert = {
  table: 'codes',
  columns: ['code', 'domain_id', 'account_id', 'link_id'],
  texts: ['code'],
  then: 'ON CONFLICT DO NOTHING RETURNING code, domain_id',
}

/** A code that the workspace owned before, and that opens no link now, opens the new one. */
const OWN_CODES: RowInsert = {
  ...NEW_CODES,
  then: `ON CONFLICT (code, domain_id) DO UPDATE SET link_id = excluded.link_id
    WHERE codes.account_id = excluded.account_id AND codes.link_id IS NULL RETURNING code, domain_id`,
}

/**
 * Makes each code the workspace's forever, and lets it open its link. Gives the custom codes that it may not have. An assigned code
 * that is taken is replaced, in the object and in the store.
 */
export async function claimCodes(
  tx: Tx,
  { workspaceId, links }: { workspaceId: number; links: readonly UnopenedLink[] },
  draw = randomCode,
): Promise<RefusedCodes> {
  const claim = async (target: RowInsert, some: readonly UnopenedLink[]) => {
    const rows = await writeRows<Claimed>(tx, target, rowsOf(some, workspaceId))
    const claimed = new Set(rows.map(({ code, domain_id: domainId }) => keyText({ code, domainId })))
    return some.filter((each) => !claimed.has(keyText(each)))
  }
  const custom = links.filter(({ isCustom }) => isCustom)
  const existing = await claim(NEW_CODES, custom)
  const taken = existing.length === 0 ? [] : await claim(OWN_CODES, existing)
  const trashed = await findKeysInTrash(tx, workspaceId, existing)
  const inTrash = existing.filter((link) => trashed.has(keyText(link)) && !taken.includes(link))
  if (taken.length > 0 || inTrash.length > 0) return { taken, inTrash }
  let unopened = links.filter(({ isCustom }) => !isCustom)
  for (let draws = 1; unopened.length > 0; draws++) {
    unopened = await claim(NEW_CODES, unopened)
    if (unopened.length > 0 && draws === DRAWS_MAX) throw new Error(`No free code in ${DRAWS_MAX} draws.`)
    // Longer every second time, in case the short ones run out.
    for (const link of unopened) link.code = draw(ASSIGNED_CODE_LENGTH + Math.floor(draws / 2))
    await renameLinks(tx, unopened)
  }
  return { taken: [], inTrash: [] }
}

/** Sorted, so that two requests that claim the same codes lock them in the same order. */
function rowsOf(links: readonly UnopenedLink[], workspaceId: number): unknown[][] {
  const sorted = links.length === 1 ? links : links.toSorted(byKey)
  return sorted.map(({ code, domainId, id }) => [code, domainId, workspaceId, id])
}

const byKey = (a: LinkKey, b: LinkKey): number =>
  a.code < b.code ? -1 : a.code > b.code ? 1 : a.domainId - b.domainId

async function renameLinks(tx: Tx, links: readonly UnopenedLink[]): Promise<void> {
  for (const { id, code } of links) await tx.updateTable('links').set({ code }).where('id', '=', id).execute()
}
