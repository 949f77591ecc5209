import type { BulkUpdateInput, ChangedLinkView, OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import type { LinkAddress } from '../link-address.ts'
import { RequestFailure } from '../../api/request.ts'

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

/** As many as the server takes at once. */
const PART_LINKS_MAX = 100
const PLACE = /^short_codes\.(\d+)$/

export type Refused<Item> = { item: Item; reason: string }

export type SentItems<Item, Answer = unknown> = {
  answers: Answer[]
  /** All of the parts that were accepted. */
  done: Item[]
  /** Why other parts were refused as a whole. */
  refused: Refused<Item>[]
  /** What stopped it. The parts after it were not sent. */
  failure?: unknown
}

export const partsOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / PART_LINKS_MAX) }, (_, part) =>
    items.slice(part * PART_LINKS_MAX, (part + 1) * PART_LINKS_MAX),
  )

/** A request names links by codes of one domain. */
export const partsByDomain = <Link extends LinkAddress>(links: readonly Link[]): Link[][] =>
  [...Map.groupBy(links, ({ domain }) => domain).values()].flatMap(partsOf)

/** One part after another, each all or nothing. A refused part does not stop the others; any other failure does. */
export async function sendInParts<Item, Answer>(
  parts: readonly Item[][],
  send: (part: Item[]) => Promise<Answer>,
  onProgress: (done: number) => void = () => {},
): Promise<SentItems<Item, Answer>> {
  const result: SentItems<Item, Answer> = { answers: [], done: [], refused: [] }
  let count = 0
  for (const part of parts) {
    try {
      result.answers.push(await send(part))
      result.done.push(...part)
    } catch (failure) {
      const refusals = refusedIn(failure, part)
      if (refusals.length === 0) return { ...result, failure }
      result.refused.push(...refusals)
    }
    count += part.length
    onProgress(count)
  }
  return result
}

function refusedIn<Item>(failure: unknown, part: readonly Item[]): Refused<Item>[] {
  if (!(failure instanceof RequestFailure) || failure.kind !== 'invalid') return []
  return Object.entries(failure.fields).flatMap(([field, reasons]) => {
    const item = part[Number(PLACE.exec(field)?.[1] ?? -1)]
    return item === undefined ? [] : [{ item, reason: reasons.join(' ') }]
  })
}
