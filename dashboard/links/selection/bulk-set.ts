import type {
  BulkUpdateInput,
  ChangedLinkView,
  OwnLink,
} from '../../../src/http/dashboard-api/types/link-types.ts'

/** What is set for all selected links. */
export type BulkSet = Omit<BulkUpdateInput['set'], `${string}tags`> &
  Partial<Record<'tags' | 'add_tags' | 'remove_tags', string[]>>

/** The link as it will be, before the server has answered. */
export function withSet<Link extends OwnLink>(link: Link, set: BulkSet): Link {
  const { is_active = link.is_active, archived = link.archived, folder = link.folder } = set
  const removed = new Set(set.remove_tags?.map(folded))
  const kept = (set.tags ?? link.tags).filter((name) => !removed.has(folded(name)))
  const known = new Set(kept.map(folded))
  const added = (set.add_tags ?? []).filter((name) => !known.has(folded(name)))
  return { ...link, is_active, archived, folder, tags: [...kept, ...added] }
}

/** Names differ by more than upper and lower case. */
const folded = (name: string) => name.toLowerCase()

/** What a link had before a change. */
export type ChangedLink = { link: OwnLink; before: ChangedLinkView['before'] }
export type UndoGroup = { set: BulkSet; links: OwnLink[] }

/** What links had before, to set it again: those that had the same are changed together. */
export function undoGroups(changed: readonly ChangedLink[]): UndoGroup[] {
  const groups = new Map<string, UndoGroup>()
  for (const { link, before } of changed) {
    const key = JSON.stringify(before)
    const group = groups.get(key) ?? { set: before as BulkSet, links: [] }
    group.links.push(link)
    groups.set(key, group)
  }
  return [...groups.values()]
}
