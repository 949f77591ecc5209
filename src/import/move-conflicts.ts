import type { Caller } from '../access/caller.ts'
import { invalid } from '../errors/refusal.ts'
import { newLinkDomain } from '../links/place-links.ts'
import { type PlacingDeps, placeUnusual } from '../links/place-unusual.ts'
import { type Import, type PlacedItem, withoutRefused } from './imported-items.ts'

/** For the choice `move`. Throws if the workspace cannot use the domain. */
export function refuseOtherDomain(
  { domains }: Pick<PlacingDeps, 'domains'>,
  caller: Caller,
  host: string | undefined,
): void {
  if (host === undefined)
    throw invalid({ conflict_domain: ['The conflict domain is required when on conflict is move.'] })
  if (newLinkDomain(domains, caller, host) === undefined)
    throw invalid({ conflict_domain: ['The conflict domain is not one that you can use.'] })
}

/** The items that are in conflict, on the other domain. */
export async function onOtherDomain(all: Import, items: readonly PlacedItem[]): Promise<PlacedItem[]> {
  const { deps, caller, request, outcomes } = all
  const domain = request.conflictDomain
  const conflicts = items.filter(({ index }) => outcomes.get(index)?.result === 'skipped')
  for (const { index } of conflicts) outcomes.delete(index)
  const moved = conflicts.map(({ sent, link: { spelling, ignoresCase: _, ...link }, ...item }) => ({
    ...item,
    sent: { ...sent, domain },
    link: { ...link, domain, custom_code: spelling ?? link.custom_code },
  }))
  const { accepted, value: links } = await withoutRefused(all, moved, async (some) =>
    placeUnusual(
      deps,
      caller,
      some.map(({ link }) => link),
    ),
  )
  return accepted.map((item, at) => ({ ...item, link: { ...item.link, ...links[at]! } }))
}

/** Those whose code opens a link on the other domain as well. */
export function refuseConflicts({ outcomes, request }: Import, items: readonly PlacedItem[]): void {
  const errors = { custom_code: [`The code is in use on ${request.conflictDomain} too.`] }
  for (const { index } of items) {
    const outcome = outcomes.get(index)
    if (outcome?.result === 'skipped') outcomes.set(index, { ...outcome, result: 'refused', errors })
  }
}
