import type { ImportedClicks } from '../clicks/imported/imported-clicks.ts'
import { Refusal } from '../errors/refusal.ts'
import { importedCode } from '../links/fields/basic-fields.ts'
import { editLink, editProtectedLink } from '../links/edit-link.ts'
import type { LinkKey } from '../links/link-key.ts'
import { withoutHashing } from '../links/link-password.ts'
import type { Link } from '../links/link.ts'
import { readLinkEdit } from '../links/read-links.ts'
import type { Fields, Import, ImportOutcome, PlacedItem } from './imported-items.ts'
import { clicksDifference, keepClicks } from './keep-clicks.ts'
import { isEmptyHere, type LinkDifference, linkDifferences } from './link-differences.ts'

/** The code opens this link already. */
export async function meetLink(
  all: Import,
  item: PlacedItem,
  { link, clicks }: { link: Link; clicks: ImportedClicks | undefined },
): Promise<ImportOutcome> {
  const { link: imported, sent } = item
  const { onConflict } = all.request
  const key = { domainId: link.domainId, code: link.code }
  const differences = [...linkDifferences(link, imported, sent), ...clicksDifference({ link, clicks }, item)]
  if (differences.length === 0) return { result: 'equal', key }
  if (onConflict === 'skip' || onConflict === 'move') return { result: 'skipped', key, differences }
  const changed = onConflict === 'keep' ? differences.filter(isEmptyHere) : differences
  const result = onConflict === 'keep' ? 'kept' : 'replaced'
  if (changed.length === 0) return { result, key, differences }
  try {
    await takeOver(all, item, { link, changed })
    return { result, key, differences }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    return { result: 'refused', key, differences, errors: error.fields }
  }
}

/** Changes what differs. */
export async function takeOver(
  all: Import,
  item: PlacedItem,
  { link, changed }: { link: Link; changed: readonly LinkDifference[] },
): Promise<void> {
  const fields = changed.flatMap(({ field }) => (field === 'clicks' ? [] : [[field, item.sent[field]]]))
  const key = { domainId: link.domainId, code: link.code }
  if (fields.length > 0) await changeLink(all, key, Object.fromEntries(fields))
  if (changed.length > fields.length) await keepClicks(all, item, link)
}

/** Edits the link as its owner would. A dry run only refuses what could not be edited. */
async function changeLink({ deps, caller, request }: Import, key: LinkKey, input: Fields): Promise<void> {
  const { isDryRun, signal } = request
  const password_hash = input.password_hash as string | undefined
  const edit = { ...readLinkEdit({ code: key.code, input }, deps.schemas), password_hash }
  if (isDryRun)
    return editLink(deps, caller, { key, edit: withoutHashing(edit), isDryRun, codeSchema: importedCode })
  return editProtectedLink(deps, caller, { key, edit, signal, codeSchema: importedCode })
}
