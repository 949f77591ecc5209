import type { BulkUpdateInput, ChangedLinkView, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import type { SentItems } from './send-in-parts.ts'

/** What is set for all selected links. */
export type BulkSet = Omit<BulkUpdateInput['set'], `${string}tags`> &
  Partial<Record<'tags' | 'add_tags' | 'remove_tags', string[]>>

/** The link as it will be, before the server has answered. */
export function withSet<Link extends OwnLink>(link: Link, set: BulkSet): Link {
  const { is_active = link.is_active, archived = link.archived, folder = link.folder } = set
  const oldTags = new Set(set.remove_tags?.map(folded))
  const others = (set.tags ?? link.tags).filter((name) => !oldTags.has(folded(name)))
  const otherNames = new Set(others.map(folded))
  const newTags = (set.add_tags ?? []).filter((name) => !otherNames.has(folded(name)))
  return { ...link, is_active, archived, folder, tags: [...others, ...newTags] }
}

/** Names differ by more than upper and lower case. */
const folded = (name: string) => name.toLowerCase()

/** What a link had before a change. */
export type ChangedLink = { link: OwnLink; before: ChangedLinkView['before'] }
type Tried = Pick<SentItems<OwnLink>, 'done' | 'refused'>
export type UndoGroup = { set: BulkSet; links: OwnLink[] }

/** Those of the links that may still succeed: neither done nor refused. */
export function linksWithout(links: readonly OwnLink[], { done, refused }: Tried): OwnLink[] {
  const ids = new Set([...done, ...refused.map(({ item }) => item)].map(({ id }) => id))
  return links.filter(({ id }) => !ids.has(id))
}

export const groupsWithout = (groups: readonly UndoGroup[], tried: Tried): UndoGroup[] =>
  groups
    .map(({ set, links }) => ({ set, links: linksWithout(links, tried) }))
    .filter(({ links }) => links.length > 0)

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
