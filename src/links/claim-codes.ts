import type { CodeStyle } from '../codes/code-style.ts'
import { newCode } from '../codes/random-code.ts'
import { type RowInsert, writeRows } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import { type LinkKey, keyText } from './link-key.ts'
import { findKeysInTrash } from './trash/codes-in-trash.ts'

/** A code for a stored link that it does not open yet. `isCustom`: it is the caller's choice, and must not be replaced. */
export type UnopenedCode = LinkKey & {
  linkId: number
  isCustom: boolean
  ignoresCase?: boolean | undefined
  codeStyle?: CodeStyle | undefined
}

/** If this many codes in a row are taken, there is no room for more, or the random source is broken. */
const DRAWS_MAX = 8

/** `opened`: all of them, in order, or none if some are refused. `inTrash`: codes of links that may be restored. */
type Claims<Code> = { opened: Code[]; taken: Code[]; inTrash: Code[] }

const NEW_CODES: RowInsert = {
  table: 'codes',
  columns: ['code', 'domain_id', 'workspace_id', 'link_id'],
  texts: ['code'],
  then: 'ON CONFLICT DO NOTHING RETURNING code, domain_id AS "domainId"',
}

/** A code that the workspace owned before, and that opens no link now, opens the new one. */
const OWN_CODES: RowInsert = {
  ...NEW_CODES,
  then: `ON CONFLICT (code, domain_id) DO UPDATE SET link_id = excluded.link_id
    WHERE codes.workspace_id = excluded.workspace_id AND codes.link_id IS NULL RETURNING code, domain_id AS "domainId"`,
}

/**
 * Makes each code the workspace's forever, and lets it open its link, unless the workspace may not have one of the custom codes.
 * An assigned code that is taken is replaced, in the store too.
 */
export async function claimCodes<Code extends UnopenedCode>(
  tx: Tx,
  { workspaceId, codes }: { workspaceId: number; codes: readonly Code[] },
  draw = newCode,
): Promise<Claims<Code>> {
  const claim = async (target: RowInsert, some: readonly Code[]) => {
    if (some.length === 0) return []
    const rows = await writeRows<LinkKey>(tx, target, rowsOf(some, workspaceId))
    if (rows.length === some.length) return []
    const claimed = new Set(rows.map(keyText))
    return some.filter((each) => !claimed.has(keyText(each)))
  }
  const existing = await claim(
    NEW_CODES,
    codes.filter(({ isCustom }) => isCustom),
  )
  const taken = await claim(OWN_CODES, existing)
  const keysInTrash = await findKeysInTrash(tx, workspaceId, existing)
  const inTrash = existing.filter((code) => keysInTrash.has(keyText(code)) && !taken.includes(code))
  if (taken.length > 0 || inTrash.length > 0) return { opened: [], taken, inTrash }
  const opened = [...codes]
  let unopened = [...codes.keys()].filter((place) => !codes[place]!.isCustom)
  for (let draws = 1; unopened.length > 0; draws++) {
    const refused = new Set(
      await claim(
        NEW_CODES,
        unopened.map((place) => opened[place]!),
      ),
    )
    unopened = unopened.filter((place) => refused.has(opened[place]!))
    if (unopened.length > 0 && draws === DRAWS_MAX) throw new Error(`No free code in ${DRAWS_MAX} draws.`)
    // Longer every second time, in case the short ones run out.
    const longerBy = Math.floor(draws / 2)
    for (const place of unopened) opened[place] = { ...opened[place]!, code: draw(opened[place]!, longerBy) }
    await renameLinks(
      tx,
      unopened.map((place) => opened[place]!),
    )
  }
  return { opened, taken, inTrash }
}

/** Sorted, so that two requests that claim the same codes lock them in the same order. */
function rowsOf(codes: readonly UnopenedCode[], workspaceId: number): unknown[][] {
  const sorted = codes.length === 1 ? codes : codes.toSorted(byKey)
  return sorted.map(({ code, domainId, linkId }) => [code, domainId, workspaceId, linkId])
}

const byKey = (a: LinkKey, b: LinkKey): number =>
  a.code < b.code ? -1 : a.code > b.code ? 1 : a.domainId - b.domainId

async function renameLinks(tx: Tx, codes: readonly UnopenedCode[]): Promise<void> {
  for (const { linkId, code } of codes)
    await tx.updateTable('links').set({ code }).where('id', '=', linkId).execute()
}
