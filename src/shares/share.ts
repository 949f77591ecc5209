import type { Selectable } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { FieldChanges } from '../audit/changes-text.ts'
import { recordChange } from '../audit/record-change.ts'
import { Refusal } from '../errors/refusal.ts'
import { findLink } from '../links/find-link.ts'
import { findLabel, type LabelPlace } from '../links/labels/list-labels.ts'
import { recordLinkChanges } from '../links/link-changes.ts'
import type { LinkKey } from '../links/link-key.ts'
import { isoOrNull } from '../runtime/clock.ts'
import type { CurrentDb, Tx } from '../store/handles.ts'
import type { Database } from '../store/schema.ts'
import { type Panel, parsePanels } from './panels.ts'

/** Names a link, tag or folder whose statistics are shared. */
export type SharePlace = { kind: 'link'; key: LinkKey } | LabelPlace

/** What a place names. */
export type ShareSubject =
  ({ kind: 'link'; id: number } & LinkKey) | { kind: LabelPlace['kind']; id: number; name: string }

export type Share = {
  id: number
  /** The end of its URL: who has it sees the page. */
  secret: string
  panels: Panel[]
  endsAtUs: number | null
  passwordHash: string | null
  createdAtUs: number
}

export type ShareRow = Selectable<Database['shares']>

export const toShare = (row: ShareRow): Share => ({
  id: row.id,
  secret: row.secret,
  panels: parsePanels(row.panels),
  endsAtUs: row.ends_at,
  passwordHash: row.password_hash,
  createdAtUs: row.created_at,
})

/** Throws "not found" if it is not the caller's. */
export async function findSubject(
  { db }: { db: CurrentDb },
  caller: Caller,
  place: SharePlace,
): Promise<ShareSubject> {
  if (place.kind === 'link') {
    const { id, domainId, code } = await findLink({ db }, caller, place.key)
    return { kind: 'link', id, domainId, code }
  }
  const { id, name } = await findLabel({ db }, caller, place)
  return { kind: place.kind, id, name }
}

/** A link and a label may have the same id. */
export const subjectColumn = ({ kind }: ShareSubject): 'link_id' | 'label_id' =>
  kind === 'link' ? 'link_id' : 'label_id'

/** The page of one of the caller's links, tags or folders. */
export async function findShare(
  { db }: { db: CurrentDb },
  caller: Caller,
  place: SharePlace,
): Promise<Share> {
  const subject = await findSubject({ db }, caller, place)
  const row = await shareRowsOf(db, subject).executeTakeFirst()
  if (row === undefined) throw noSuchShare()
  return toShare(row)
}

export const shareRowsOf = (db: CurrentDb, subject: ShareSubject) =>
  db.selectFrom('shares').selectAll().where(subjectColumn(subject), '=', subject.id)

export const noSuchShare = () => new Refusal('share_not_found', 'The statistics are not shared.')

type ShareChange = {
  nowUs: number
  what: 'shared' | 'share_updated' | 'share_reset' | 'unshared'
  changes?: FieldChanges
}

/** The secret is not in the audit log. */
export async function recordShareChange(
  tx: Tx,
  caller: Caller,
  { subject, nowUs, what, changes = {} }: ShareChange & { subject: ShareSubject },
): Promise<void> {
  if (subject.kind === 'link') {
    const { id, domainId, code } = subject
    const links = [{ id, domainId, code, changes }]
    return recordLinkChanges(tx, caller, { nowUs, action: `link.${what}`, links })
  }
  const { kind, id, name } = subject
  await recordChange(tx, caller, { nowUs, action: `${kind}.${what}`, target: name, targetId: id, changes })
}

type ShareState = Pick<ShareRow, 'panels' | 'ends_at' | 'password_hash'>

/** What the audit log says of a change. `before`: undefined for a new page. */
export function shareChanges(before: ShareState | undefined, after: ShareState): FieldChanges {
  const changes: FieldChanges = {}
  if (before?.panels !== after.panels)
    changes.panels = { from: before ? parsePanels(before.panels) : null, to: parsePanels(after.panels) }
  const endedAt = before?.ends_at ?? null
  const endsAt = after.ends_at
  if (endedAt !== endsAt) changes.ends_at = { from: isoOrNull(endedAt), to: isoOrNull(endsAt) }
  const oldHash = before?.password_hash ?? null
  const newHash = after.password_hash
  if (oldHash !== newHash)
    changes.password = {
      from: oldHash === null ? null : 'set',
      to: newHash === null ? null : oldHash === null ? 'set' : 'changed',
    }
  return changes
}
