import { invalid } from '../../errors/refusal.ts'
import type { AnyDb, Tx } from '../../store/handles.ts'
import { readLocked, type RowInsert, writeRows } from '../../store/engine-sql.ts'
import { prepareForList } from '../../store/sqlite/prepare.ts'
import { turnAfter } from '../../runtime/turns.ts'
import { COLORS, foldedName, foldText, type Label, type LabelKind, type LabelName } from './label.ts'

/** Of each kind, in a workspace: the dashboard shows all of them. */
const LABELS_MAX = 5_000
/** More than these are looked for and created in steps, between which others get a turn. */
const LABELS_PER_TURN = 100

type Owner = { workspaceId: number; nowUs: number }

/**
 * The labels with these names, by their folded names. Those that the workspace does not have yet are created. Nobody can
 * remove them before the transaction ends.
 */
export async function labelsNamed(
  tx: Tx,
  owner: Owner,
  names: readonly LabelName[],
): Promise<Map<string, Label>> {
  if (names.length === 0) return new Map()
  const labels = await lockedLabels(tx, owner, names)
  const missing = names.filter((name) => !labels.has(foldedName(name)))
  if (missing.length === 0) return labels
  await turnAfter(missing, LABELS_PER_TURN)
  await createLabels(tx, owner, missing)
  await turnAfter(missing, LABELS_PER_TURN)
  return lockedLabels(tx, owner, names)
}

async function lockedLabels(
  tx: Tx,
  { workspaceId }: Owner,
  names: readonly LabelName[],
): Promise<Map<string, Label>> {
  const foldedNames = [...new Set(names.map(({ name }) => foldText(name)))]
  const labels = (await labelsByName(tx, { workspaceId }, foldedNames)) as Label[]
  return new Map(labels.map((label) => [foldedName(label), label]))
}

const labelsByName = prepareForList(
  (tx: Tx, { workspaceId }: { workspaceId: number }, foldedNames: readonly string[]) =>
    readLocked(
      tx,
      selectLabels(tx)
        .where('workspace_id', '=', workspaceId)
        .where('folded_name', 'in', foldedNames)
        .orderBy('id'),
    ),
)

export const selectLabels = (db: AnyDb) => db.selectFrom('labels').select(['id', 'kind', 'name', 'color'])

/** In the order of their names: two transactions that create the same ones do not wait for each other in a circle. */
async function createLabels(tx: Tx, owner: Owner, names: readonly LabelName[]): Promise<void> {
  const inOrder = names.toSorted((a, b) => (foldedName(a) < foldedName(b) ? -1 : 1))
  await writeRows(tx, NEW_LABELS, await newLabelRows(tx, owner, inOrder))
}

export const NEW_LABELS: RowInsert = {
  table: 'labels',
  columns: ['workspace_id', 'kind', 'name', 'folded_name', 'color', 'created_at'],
  texts: ['kind', 'name', 'folded_name'],
  then: 'ON CONFLICT (workspace_id, kind, folded_name) DO NOTHING',
}

const FIELD_OF_KIND: Record<LabelKind, string> = { tag: 'tags', folder: 'folder' }

type NewLabel = LabelName & { color?: number | undefined }

/** The rows for NEW_LABELS, each in the next color unless it has one. Refused if there would be too many labels. */
export async function newLabelRows(
  tx: Tx,
  { workspaceId, nowUs }: Owner,
  labels: readonly NewLabel[],
): Promise<(string | number)[][]> {
  const counts = await countOfKinds(tx, workspaceId)
  return labels.map(({ kind, name, color }) => {
    const count = counts.get(kind) ?? 0
    if (count === LABELS_MAX)
      throw invalid({ [FIELD_OF_KIND[kind]]: [`A workspace may not have more than ${LABELS_MAX} ${kind}s.`] })
    counts.set(kind, count + 1)
    return [workspaceId, kind, name, foldText(name), color ?? count % COLORS, nowUs]
  })
}

async function countOfKinds(tx: Tx, workspaceId: number): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('labels')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('workspace_id', '=', workspaceId)
    .groupBy('kind')
    .execute()
  return new Map(rows.map(({ kind, count }) => [kind, Number(count)]))
}
