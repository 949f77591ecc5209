import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'

/** Selected links, by ID: as they were when they were selected. */
export type Picked = ReadonlyMap<number, OwnLink>

/** With these links selected, or not. */
export function withLinks(picked: Picked, links: readonly OwnLink[], isOn: boolean): Picked {
  const next = new Map(picked)
  for (const link of links)
    if (isOn) next.set(link.id, link)
    else next.delete(link.id)
  return next
}

/** The rows between two of them, with both. Only the second if the first is on another page. */
export function rowsBetween(rows: readonly OwnLink[], from: number | undefined, to: number): OwnLink[] {
  const places = [from ?? to, to].map((wanted) => rows.findIndex(({ id }) => id === wanted))
  const [first, last] = places.includes(-1) ? [places[1]!, places[1]!] : places.sort((a, b) => a - b)
  return rows.slice(first, last! + 1)
}

/** How many of the rows are selected. */
export function pickedOf(picked: Picked, rows: readonly OwnLink[]): boolean | 'some' {
  const count = rows.filter(({ id }) => picked.has(id)).length
  return count === 0 ? false : count === rows.length ? true : 'some'
}
