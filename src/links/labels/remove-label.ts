import type { Caller } from '../../access/caller.ts'
import { recordChange } from '../../audit/record-change.ts'
import { invalid } from '../../errors/refusal.ts'
import { lockedToChange, readLocked, type RowInsert, writeRows } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { countLabels, type LabelCount } from './count-labels.ts'
import type { LabelDeps } from './edit-label.ts'
import { selectLabels } from './find-labels.ts'
import { type LabelPlace, noSuchLabel } from './list-labels.ts'

/** Links per transaction, so that nobody waits long for a step. */
const LINKS_MAX = 1_000

/**
 * Takes the tag or folder from all links and removes it. In steps: after a crash in between, some links have lost it, and
 * the next request goes on.
 */
export async function deleteLabel(deps: LabelDeps, caller: Caller, place: LabelPlace): Promise<void> {
  await removeLabel(deps, caller, { place, into: undefined })
}

/** Gives all links of one label the other in its place, and removes the first. In steps, like deleteLabel. */
export async function mergeLabels(
  deps: LabelDeps,
  caller: Caller,
  { kind, id, into }: LabelPlace & { into: number },
): Promise<void> {
  if (id === into) throw invalid({ into: [`A ${kind} cannot be merged into itself.`] })
  await removeLabel(deps, caller, { place: { kind, id }, into })
}

type Time = { tx: Tx; nowUs: number }
type Removal = { place: LabelPlace; into: number | undefined }

async function removeLabel(deps: LabelDeps, caller: Caller, removal: Removal): Promise<void> {
  const nowUs = deps.clock.nowUs()
  while (!(await transact(deps.db, (tx) => removeSome({ tx, nowUs }, caller, removal))));
}

/** True once the label is gone. */
async function removeSome({ tx, nowUs }: Time, caller: Caller, { place, into }: Removal): Promise<boolean> {
  const own = selectLabels(tx).where('workspace_id', '=', caller.workspaceId).where('kind', '=', place.kind)
  const from = own.where('id', '=', place.id)
  const label = await from.executeTakeFirst()
  if (label === undefined) throw noSuchLabel(place.kind)
  const rows = await someLinks(tx, place.id)
  const live = await lockedLinks(tx, rows)
  // After the links: who changes a link takes its row first, and then those of its labels.
  const target = into === undefined ? undefined : own.where('id', '=', into)
  const merged = target && (await readLocked(tx, target).executeTakeFirst())
  if (target !== undefined && merged === undefined)
    throw invalid({ into: [`The ${place.kind} to merge into was not found.`] })
  if (rows.length > 0) {
    await moveLinks(tx, { from: place.id, into, rows, live })
    return false
  }
  await lockedToChange(tx, from).execute()
  if ((await someLinks(tx, place.id)).length > 0) return false
  await tx.deleteFrom('label_link_counts').where('label_id', '=', place.id).execute()
  await tx.deleteFrom('shares').where('label_id', '=', place.id).execute()
  await tx.deleteFrom('labels').where('id', '=', place.id).execute()
  const change = { nowUs, target: label.name, targetId: place.id }
  await recordChange(
    tx,
    caller,
    merged === undefined
      ? { ...change, action: `${place.kind}.deleted` }
      : {
          ...change,
          action: `${place.kind}.merged`,
          changes: { name: { from: label.name, to: merged.name } },
        },
  )
  return true
}

type LabeledRow = { link_id: number; created_at: number }

const someLinks = (tx: Tx, labelId: number): Promise<LabeledRow[]> =>
  tx
    .selectFrom('link_labels')
    .select(['link_id', 'created_at'])
    .where('label_id', '=', labelId)
    .orderBy('created_at')
    .orderBy('link_id')
    .limit(LINKS_MAX)
    .execute()

type Move = {
  from: number
  into: number | undefined
  rows: readonly LabeledRow[]
  /** The links that are not in the trash: by id, whether archived. */
  live: ReadonlyMap<number, boolean>
}

async function moveLinks(tx: Tx, { from, into, rows, live }: Move): Promise<void> {
  // Others may have taken it from some of them since they were read.
  const links = await tx
    .deleteFrom('link_labels')
    .where('label_id', '=', from)
    .where('link_id', 'in', rows.map(linkIdOf))
    .returning(['link_id', 'created_at'])
    .execute()
  const counts = new Map([[from, countOf(live, links.map(linkIdOf), -1)]])
  if (into !== undefined) {
    const moved = links.map((row) => [into, row.created_at, row.link_id])
    const newRows = await writeRows<{ link_id: number }>(tx, MOVED, moved)
    counts.set(into, countOf(live, newRows.map(linkIdOf), 1))
  }
  await countLabels(tx, counts)
}

const linkIdOf = (row: { link_id: number }): number => row.link_id

const MOVED: RowInsert = {
  table: 'link_labels',
  columns: ['label_id', 'created_at', 'link_id'],
  then: 'ON CONFLICT (label_id, created_at, link_id) DO NOTHING RETURNING link_id',
}

/**
 * The links among these that are not in the trash: by id, whether archived. All are locked, those in the trash first, so that none
 * of them comes or goes before the counts are written.
 */
async function lockedLinks(tx: Tx, rows: readonly LabeledRow[]): Promise<Map<number, boolean>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ link_id: id }) => id)
  const trash = tx.selectFrom('deleted_links').select('id').where('id', 'in', ids).orderBy('id')
  await lockedToChange(tx, trash).execute()
  const links = tx.selectFrom('links').select(['id', 'is_archived']).where('id', 'in', ids).orderBy('id')
  const live = await lockedToChange(tx, links).execute()
  return new Map(live.map(({ id, is_archived: archived }) => [id, archived === 1]))
}

function countOf(live: ReadonlyMap<number, boolean>, ids: readonly number[], by: 1 | -1): LabelCount {
  const states = ids.flatMap((id) => live.get(id) ?? [])
  return { links: by * states.length, archived: by * states.filter((isArchived) => isArchived).length }
}
