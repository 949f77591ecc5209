import type { Caller } from '../../access/caller.ts'
import { blamedOn } from '../../errors/refusal.ts'
import { inTurns } from '../../runtime/turns.ts'
import { type EditedLink, followEdits, writeEdit } from '../apply-edit.ts'
import { type ChangeLinksDeps, changeLinks } from '../change-links.ts'
import type { LinkKey } from '../link-key.ts'
import { labelsOfLinks } from '../labels/link-labels.ts'
import { fieldViews } from '../link-fields.ts'
import type { BulkSet } from './bulk-fields.ts'
import { findLinks } from './find-links.ts'

/** What a link had in the fields that were changed, to change it back. */
export type LinkBefore = { short_code: string; before: Record<string, unknown> }

/** Changed before others get a turn: each is a few statements. */
const LINKS_PER_TURN = 10

/** Changes all of the links or none. What one of them cannot be given, such as an end before its start, is refused as its fault. */
export function updateLinks(
  deps: ChangeLinksDeps,
  caller: Caller,
  { keys, set, isDryRun }: { keys: readonly LinkKey[]; set: BulkSet; isDryRun: boolean },
): Promise<LinkBefore[]> {
  return changeLinks(deps, { isDryRun }, async (change) => {
    const links = await findLinks(change.tx, caller, keys)
    const edited: EditedLink[] = []
    for await (const { index, ...link } of inTurns(links, LINKS_PER_TURN))
      edited.push(await writeEdit(change, caller, { ...link, index, edit: set }).catch(blamedOn(index)))
    // Before followEdits writes labels. The rows are locked by now, so no other request changes them.
    const labels = await labelsOfLinks(
      change.tx,
      links.map(({ linkId }) => linkId),
    )
    await followEdits(change, caller, { edited, action: 'link.updated' })
    change.changedKeys.push(...links.flatMap((link) => link.keys))
    return edited.map(({ before }) => {
      const had = labels.get(before.id) ?? []
      return { short_code: before.code, before: fieldsBefore(before, { had, set }) }
    })
  })
}

type Had = { had: readonly { kind: string; name: string }[]; set: BulkSet }

function fieldsBefore(before: EditedLink['before'], { had, set }: Had): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    ...fieldViews(before),
    tags: had.filter(({ kind }) => kind === 'tag').map(({ name }) => name),
    folder: had.find(({ kind }) => kind === 'folder')?.name ?? null,
  }
  const names = Object.keys(set).map((name) => (name.endsWith('_tags') ? 'tags' : name))
  return Object.fromEntries([...new Set(names)].map((name) => [name, fields[name]]))
}
