import type { Caller } from '../../access/caller.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { AnyDb, CurrentDb } from '../../store/handles.ts'
import { labelCounts } from './count-labels.ts'
import { selectLabels } from './find-labels.ts'
import type { Label, LabelKind } from './label.ts'

/** `links` and `archived`: how many links have it; those in the trash do not count. */
export type CountedLabel = Label & { links: number; archived: number }

/** All of the workspace's tags or folders, in alphabetical order. */
export async function listLabels(
  deps: { db: CurrentDb },
  { workspaceId }: Caller,
  kind: LabelKind,
): Promise<CountedLabel[]> {
  const labels = (await selectLabels(deps.db)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .orderBy('folded_name')
    .execute()) as Label[]
  return counted(deps.db, labels)
}

export type LabelPlace = { kind: LabelKind; id: number }

export async function findLabel(
  deps: { db: CurrentDb },
  { workspaceId }: Caller,
  { kind, id }: LabelPlace,
): Promise<CountedLabel> {
  const label = (await selectLabels(deps.db)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()) as Label | undefined
  if (label === undefined) throw noSuchLabel(kind)
  return (await counted(deps.db, [label]))[0]!
}

async function counted(db: AnyDb, labels: readonly Label[]): Promise<CountedLabel[]> {
  const ids = labels.map(({ id }) => id)
  // Thousands of ids are more than a statement takes; all counts of a workspace are few rows each.
  const counts = new Map<number, { links: number; archived: number }>()
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
    for (const [id, count] of await labelCounts(db, ids.slice(from, from + IDS_AT_ONCE)))
      counts.set(id, count)
  return labels.map((label) => ({ ...label, ...(counts.get(label.id) ?? { links: 0, archived: 0 }) }))
}

const IDS_AT_ONCE = 1_000

const NAME_OF_KIND: Record<LabelKind, string> = { tag: 'Tag', folder: 'Folder' }

export const noSuchLabel = (kind: LabelKind) =>
  new Refusal(`${kind}_not_found`, `${NAME_OF_KIND[kind]} not found.`)
