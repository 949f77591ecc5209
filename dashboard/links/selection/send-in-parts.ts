import type { LinkAddress } from '../../link-address.ts'
import { RequestFailure } from '../../request.ts'

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
