import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import type { AnyDb } from '../../store/handles.ts'
import { labelCounts } from '../labels/count-labels.ts'
import { selectLabels } from '../labels/find-labels.ts'
import { foldText, foldedName, type LabelName } from '../labels/label.ts'
import type { Condition } from './link-list.ts'
import type { LinkFilters } from './list-parameters.ts'

/** A link must have one of them. A name that the workspace does not have stands for no label. */
export type LabelGroup = {
  ids: readonly number[]
  /** How many links have one; those with several count for each. */
  links: number
  archived: number
}

/** A link in the list is in all of the groups. */
export async function labelGroups(
  db: AnyDb,
  { workspaceId }: Caller,
  { tag: tags = [], tag_mode: tagMode, folder: folders = [] }: LinkFilters,
): Promise<LabelGroup[]> {
  const tagNames = tags.map((name): LabelName => ({ kind: 'tag', name }))
  const named = [
    ...(tagMode === 'all' ? tagNames.map((name) => [name]) : [tagNames]),
    folders.map((name): LabelName => ({ kind: 'folder', name })),
  ].filter(({ length }) => length > 0)
  if (named.length === 0) return []
  const labels = await selectLabels(db)
    .where('workspace_id', '=', workspaceId)
    .where('folded_name', 'in', [...new Set(named.flat().map(({ name }) => foldText(name)))])
    .execute()
  const idOf = new Map(labels.map((label) => [foldedName(label as LabelName), label.id]))
  const counts = await labelCounts(db, [...idOf.values()])
  return named.map((names) => {
    const ids = [...new Set(names.flatMap((name) => idOf.get(foldedName(name)) ?? []))]
    const sum = (of: 'links' | 'archived') =>
      ids.reduce((total, id) => total + (counts.get(id)?.[of] ?? 0), 0)
    return { ids, links: sum('links'), archived: sum('archived') }
  })
}

const idsIn = ({ ids }: LabelGroup): RawBuilder<unknown> => sql.join(ids.length === 0 ? [0] : ids)

/** A condition on `links`, for links that are looked at one by one. */
export const hasLabelOf = (group: LabelGroup): Condition =>
  sql<boolean>`EXISTS (SELECT 1 FROM link_labels WHERE link_labels.link_id = links.id AND link_labels.label_id IN (${idsIn(group)}))`

/** A query for the IDs of links, and of some in the trash. */
export const labeledWith = (group: LabelGroup): RawBuilder<unknown> =>
  sql`SELECT link_id FROM link_labels WHERE label_id IN (${idsIn(group)})`

/** The group to start with, undefined without a filter by label. */
export const smallestGroup = (groups: readonly LabelGroup[]): LabelGroup | undefined =>
  groups.toSorted((a, b) => a.links - b.links)[0]
