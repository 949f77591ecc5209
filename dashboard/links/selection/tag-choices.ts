import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import type { BulkSet } from './bulk-set.ts'

/** By name: whether all links shall have it, or none. What was not touched stays as it is. */
export type TouchedTags = ReadonlyMap<string, boolean>

/** How many of the links have each tag, the most frequent first. */
export function tagCounts(links: readonly OwnLink[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tags } of links) for (const name of tags) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

/** Undefined if nothing is changed. */
export function tagsSet(touchedTags: TouchedTags): BulkSet | undefined {
  const names = (wanted: boolean) => [...touchedTags].flatMap(([name, isOn]) => (isOn === wanted ? name : []))
  const [added, removed] = [names(true), names(false)]
  if (added.length + removed.length === 0) return undefined
  return {
    ...(added.length === 0 ? {} : { add_tags: added }),
    ...(removed.length === 0 ? {} : { remove_tags: removed }),
  }
}
