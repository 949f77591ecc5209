import type { Selectable } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { AuditAction } from '../audit/audit-actions.ts'
import type { FieldChanges } from '../audit/changes-text.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Tx } from '../store/handles.ts'
import type { Database } from '../store/schema.ts'
import { aliasesOn, replaceAliases } from './aliases.ts'
import type { LinksTx } from './change-links.ts'
import type { DestinationRules } from './destinations/destination.ts'
import { refuseTakenIds } from './external-ids.ts'
import { type FoundKeys, noSuchLink } from './find-link.ts'
import { changeLabels, type LabelEdit, labeledLink } from './labels/link-labels.ts'
import { type LinkEdit, linkColumns } from './link-fields.ts'
import { countEarlierClicks } from './link-openings.ts'
import type { WithPasswordHash } from './link-password.ts'
import { recordLinkChanges, withoutSecrets } from './link-changes.ts'
import { countLinks } from './lists/count-links.ts'
import { textOf, writeLinkTexts } from './lists/link-text.ts'
import { refuseConflicts } from './read-links.ts'
import { keepRuleIds, parseRules } from './rules/rule-ids.ts'
import { editedDestination } from './utm-parameters.ts'
import { changesBetween, recordVersion } from './versions/record-version.ts'
import { refuseUnseenChanges } from './versions/seen-version.ts'

// What an edit writes, in the transaction that has found its links. A single edit and one of many links share it.

type FoundEdit = FoundKeys & {
  /** The place of the link in the request, if that is about several. */
  index?: number
  edit: WithPasswordHash<LinkEdit> & LabelEdit
  /** Refused if somebody else has changed the link after it. */
  seenVersion?: number | undefined
  /** For an edit of UTM parameters, which are part of the stored destination. */
  destinationRules?: DestinationRules
}

type LinkRow = Selectable<Database['links']>
/** A link whose row was written. What else follows from that is up to followEdits. */
export type EditedLink = {
  before: LinkRow
  after: LinkRow
  /** Without those of labels. */
  changes: FieldChanges
  edit: LabelEdit
  index: number
}

/** What the text of a search is made of, beside the code. */
const SEARCHED_FIELDS = ['original_url', 'title', 'aliases', 'notes'] as const

type Time = { tx: Tx; nowUs: number }

/** Applies an edit of one link. `action`: what the audit log calls it. */
export async function applyEdit(
  change: LinksTx,
  caller: Caller,
  { action = 'link.updated', ...named }: FoundEdit & { action?: AuditAction },
): Promise<void> {
  const { workspaceId } = caller
  const { linkId, keys, own } = named
  const { aliases } = named.edit
  const edit = aliases ? { ...named.edit, aliases: await aliasesOn(change.tx, own, aliases) } : named.edit
  const editedLink = { ...named, edit }
  await refuseTakenIds(change.tx, caller, [{ index: 0, linkId, externalId: edit.external_id }])
  const newKeys =
    edit.aliases === undefined
      ? []
      : await replaceAliases(change.tx, { workspaceId, ...editedLink }, edit.aliases)
  const edited = await writeEdit(change, caller, editedLink)
  await followEdits(change, caller, { edited: [edited], action })
  change.claims.push(...newKeys.map((key) => ({ ...key, workspaceId, linkId })))
  change.changedKeys.push(...keys, ...newKeys)
}

/** Changes the link's row, its text and its versions. `keys`: those that opened it before. */
export async function writeEdit(
  { tx, nowUs }: Time,
  caller: Caller,
  { linkId, own, keys, edit: named, seenVersion, destinationRules, index = 0 }: FoundEdit,
): Promise<EditedLink> {
  const query = tx.selectFrom('links').selectAll().where('id', '=', linkId)
  const before = await lockedToChange(tx, query).executeTakeFirst()
  if (before === undefined) throw noSuchLink()
  if (seenVersion !== undefined) await refuseUnseenChanges(tx, caller, { linkId, seenVersion })
  const edit = editOf(before, named, destinationRules)
  const after = await tx
    .updateTable('links')
    // Kysely leaves columns as they are whose value is undefined.
    .set({ ...linkColumns(edit), updated_at: nowUs })
    .where('id', '=', linkId)
    .returningAll()
    .executeTakeFirstOrThrow()
  refuseConflicts(after, edit)
  if (before.max_clicks === null && after.max_clicks !== null)
    await countEarlierClicks(tx, { linkId, workspaceId: after.workspace_id, nowUs })
  const others = keys.map(({ code }) => code).filter((code) => code !== own.code)
  const aliases = edit.aliases ?? others
  if (SEARCHED_FIELDS.some((name) => edit[name] !== undefined)) {
    await writeLinkTexts(tx, [{ ...textOf(after), aliases }])
  }
  const changes = changesBetween({ ...before, aliases: others }, { ...after, aliases })
  await recordVersion(tx, caller, { linkId, nowUs, changes })
  return { before, after, edit, changes, index }
}

/** The edit with what depends on the link as it was. */
function editOf(
  before: LinkRow,
  named: FoundEdit['edit'],
  destinationRules: DestinationRules | undefined,
): FoundEdit['edit'] {
  const rules = named.rules && keepRuleIds(named.rules, parseRules(before.rules) ?? [])
  const original_url = destinationRules && editedDestination(before.original_url, named, destinationRules)
  return { ...named, ...(rules && { rules }), ...(destinationRules && { original_url }) }
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
  const changedLinks = links.filter(({ changes }) => Object.keys(changes).length > 0)
  await recordLinkChanges(tx, caller, { nowUs, action, links: changedLinks })
}
