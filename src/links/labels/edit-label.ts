import type { Caller } from '../../access/caller.ts'
import type { FieldChanges } from '../../audit/changes-text.ts'
import { recordChange } from '../../audit/record-change.ts'
import { invalid } from '../../errors/refusal.ts'
import type { Clock } from '../../runtime/clock.ts'
import { lockedToChange, writeRows } from '../../store/engine-sql.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { NEW_LABELS, newLabelRows, selectLabels } from './find-labels.ts'
import { foldText, type Label, type LabelKind } from './label.ts'
import { type LabelPlace, noSuchLabel } from './list-labels.ts'

export type LabelDeps = { db: DurableDb; clock: Pick<Clock, 'nowUs'> }

type NewLabel = { kind: LabelKind; name: string; color?: number | undefined }

/** Creates a tag or folder that no link has yet. */
export function createLabel(
  { db, clock }: LabelDeps,
  caller: Caller,
  { kind, name, color }: NewLabel,
): Promise<Label> {
  return transact(db, async (tx) => {
    const nowUs = clock.nowUs()
    const rows = await newLabelRows(tx, { workspaceId: caller.workspaceId, nowUs }, [{ kind, name, color }])
    const [created] = await writeRows<{ id: number; color: number }>(tx, CREATED_LABEL, rows)
    if (created === undefined) throw nameTaken(kind)
    await recordChange(tx, caller, { nowUs, action: `${kind}.created`, target: name, targetId: created.id })
    return { ...created, kind, name }
  })
}

const CREATED_LABEL = { ...NEW_LABELS, then: `${NEW_LABELS.then} RETURNING id, color` }

type LabelEdit = { name?: string | undefined; color?: number | undefined }

/** Renames it for all links that have it, or gives it another color. */
export function editLabel(
  { db, clock }: LabelDeps,
  caller: Caller,
  { kind, id, name, color }: LabelPlace & LabelEdit,
): Promise<void> {
  const { workspaceId } = caller
  return transact(db, async (tx) => {
    const query = selectLabels(tx).where('id', '=', id).where('kind', '=', kind)
    const label = await lockedToChange(tx, query.where('workspace_id', '=', workspaceId)).executeTakeFirst()
    if (label === undefined) throw noSuchLabel(kind)
    if (name === undefined && color === undefined) return
    if (name !== undefined) {
      const same = selectLabels(tx).where('workspace_id', '=', workspaceId).where('kind', '=', kind)
      const holder = await same.where('folded_name', '=', foldText(name)).executeTakeFirst()
      if (holder !== undefined && holder.id !== id) throw nameTaken(kind)
    }
    await tx
      .updateTable('labels')
      // Kysely leaves columns as they are whose value is undefined.
      .set({ name, folded_name: name && foldText(name), color })
      .where('id', '=', id)
      .execute()
    const changes: FieldChanges = {
      ...(name === undefined || name === label.name ? {} : { name: { from: label.name, to: name } }),
      ...(color === undefined || color === label.color ? {} : { color: { from: label.color, to: color } }),
    }
    if (Object.keys(changes).length === 0) return
    const nowUs = clock.nowUs()
    const change = { nowUs, action: `${kind}.updated`, target: label.name, targetId: id, changes } as const
    await recordChange(tx, caller, change)
  })
}

const nameTaken = (kind: LabelKind) =>
  invalid({ name: [`The name has already been taken by another ${kind}. Merge the two to make them one.`] })
