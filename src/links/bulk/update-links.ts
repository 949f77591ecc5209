import type { Caller } from '../../access/caller.ts'
import { mergedSentences } from '../../errors/field-codes.ts'
import { invalid, Refusal } from '../../errors/refusal.ts'
import { inTurns } from '../../runtime/turns.ts'
import { type EditedLink, followEdits, writeEdit } from '../apply-edit.ts'
import type { LinkKey } from '../link-key.ts'
import type { EditLinkDeps } from '../edit-link.ts'
import { labelsOfLinks } from '../labels/link-labels.ts'
import { fieldViews } from '../link-fields.ts'
import type { BulkSet } from './bulk-fields.ts'
import { findLinks } from './find-links.ts'
import { transactOrTryOut } from './try-out.ts'

export type BulkUpdate = { keys: readonly LinkKey[]; set: BulkSet; isDryRun: boolean }

/** What a link had in the fields that were changed, to change it back. */
export type LinkBefore = { short_code: string; before: Record<string, unknown> }

/** Changed before others get a turn: each is a few statements. */
const LINKS_PER_TURN = 10

/** Changes all of the links or none. */
export async function updateLinks(
  deps: EditLinkDeps,
  caller: Caller,
  { keys: asked, set, isDryRun }: BulkUpdate,
): Promise<LinkBefore[]> {
  const { changed, keys } = await transactOrTryOut(deps.db, { isDryRun }, async (tx) => {
    const time = { tx, nowUs: deps.clock.nowUs() }
    const links = await findLinks(tx, caller, asked)
    const edited: EditedLink[] = []
    for await (const { field, ...link } of inTurns(links, LINKS_PER_TURN)) {
      const written = writeEdit(time, caller, { ...link, edit: set }).catch(refusedAs(field))
      edited.push({ ...(await written), field })
    }
    // Before followEdits writes labels. The rows are locked by now, so no other request changes them.
    const labels = await labelsOfLinks(
      tx,
      links.map(({ linkId }) => linkId),
    )
    await followEdits(time, caller, { edited, action: 'link.updated' })
    return {
      changed: edited.map(({ before }) => {
        const had = labels.get(before.id) ?? []
        return { short_code: before.code, before: fieldsBefore(before, { had, set }) }
      }),
      keys: links.flatMap((link) => link.keys),
    }
  })
  if (!isDryRun) deps.changes.changed(keys)
  return changed
}

/** What one link cannot be given, such as an end before its start, is an error of its code. */
const refusedAs =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
    throw invalid({ [field]: mergedSentences(error.fields) })
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
