import type { Selectable } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { AuditAction } from '../audit/audit-actions.ts'
import type { FieldChanges } from '../audit/changes-text.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import type { Database } from '../store/schema.ts'
import type { Destination } from './destinations/destination-field.ts'
import { type FoundKeys, noSuchLink } from './find-link.ts'
import { changeLabels, type LabelEdit, labeledLink } from './labels/link-labels.ts'
import { type LinkEdit, linkColumns } from './link-fields.ts'
import { countEarlierClicks } from './link-openings.ts'
import type { WithPasswordHash } from './link-password.ts'
import { recordLinkChanges, withoutSecrets } from './link-changes.ts'
import { countLinks } from './lists/count-links.ts'
import { textOf, writeLinkTexts } from './lists/link-text.ts'
import { refuseConflicts } from './read-links.ts'
import { changesBetween, recordVersion } from './versions/record-version.ts'
import { refuseUnseenChanges } from './versions/seen-version.ts'

// What an edit writes, in the transaction that has found its links. A single edit and one of many links share it.

type FoundEdit = FoundKeys & {
  edit: WithPasswordHash<LinkEdit> & LabelEdit
  /** Refused if somebody else has changed the link after it. */
  seenVersion?: number | undefined
  /** What becomes of the stored destination, where the edit alone does not say it; undefined: it stays. */
  destinationOf?: ((stored: string) => Destination | undefined) | undefined
}

type LinkRow = Selectable<Database['links']>
/** A link whose row was written. What else follows from that is up to followEdits. */
export type EditedLink = {
  before: LinkRow
  after: LinkRow
  /** Without those of labels. */
  changes: FieldChanges
  edit: LabelEdit
  /** What a refusal calls the link, if there are several. */
  field?: string
}

/** What the text of a search is made of, beside the code. */
const SEARCHED_FIELDS = ['original_url', 'title', 'aliases', 'notes'] as const

type Time = { tx: Tx; nowUs: number }

/** Changes the link's row, its text and its versions. `keys`: those that opened it before. */
export async function writeEdit(
  { tx, nowUs }: Time,
  caller: Caller,
  { linkId, own, keys, edit: named, seenVersion, destinationOf }: FoundEdit,
): Promise<EditedLink> {
  const stored = tx.selectFrom('links').selectAll().where('id', '=', linkId)
  const before = await lockedToChange(tx, stored).executeTakeFirst()
  if (before === undefined) throw noSuchLink()
  if (seenVersion !== undefined) await refuseUnseenChanges(tx, caller, { linkId, seenVersion })
  const edit =
    destinationOf === undefined ? named : { ...named, original_url: destinationOf(before.original_url) }
  const after = await tx
    .updateTable('links')
    // Kysely leaves columns as they are whose value is undefined.
    .set({ ...linkColumns(edit), updated_at: nowUs })
    .where('id', '=', linkId)
    .returningAll()
    .executeTakeFirstOrThrow()
  refuseConflicts(after, edit)
  if (before.max_clicks === null && after.max_clicks !== null) await countEarlierClicks(tx, { linkId, nowUs })
  const others = keys.map(({ code }) => code).filter((code) => code !== own.code)
  const aliases = edit.aliases ?? others
  if (SEARCHED_FIELDS.some((name) => edit[name] !== undefined)) {
    await writeLinkTexts(tx, [{ ...textOf(after), aliases }])
  }
  const changes = changesBetween({ ...before, aliases: others }, { ...after, aliases })
  await recordVersion(tx, caller, { linkId, nowUs, changes })
  return { before, after, edit, changes }
}

/** The labels of the links, all counts and the entry of the audit log: once for all of them, so that edits of many take their rows in one order. */
export async function followEdits(
  { tx, nowUs }: Time,
  caller: Caller,
  { edited, action }: { edited: readonly EditedLink[]; action: AuditAction },
): Promise<void> {
  const { workspaceId } = caller
  const labels = await changeLabels(
    tx,
    { workspaceId, nowUs },
    edited.map(({ before, after, ...rest }) => ({
      before: labeledLink(before),
      after: labeledLink(after),
      ...rest,
    })),
  )
  const sum = (of: (row: LinkRow) => number) =>
    edited.reduce((total, { before, after }) => total + of(after) - of(before), 0)
  await countLinks(tx, workspaceId, {
    links: 0,
    active: sum((row) => row.is_active),
    archived: sum((row) => row.is_archived ?? 0),
  })
  const links = edited.map(({ before, after, changes }) => ({
    id: after.id,
    domainId: after.domain_id,
    code: after.code,
    changes: { ...withoutSecrets(changes, before, after), ...labels.get(after.id) },
  }))
  const changed = links.filter(({ changes }) => Object.keys(changes).length > 0)
  await recordLinkChanges(tx, caller, { nowUs, action, links: changed })
}
