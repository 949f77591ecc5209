import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../errors/refusal.ts'
import type { Tx } from '../../store/handles.ts'
import { findAllKeys, type FoundKeys } from '../find-link.ts'
import type { LinkKey } from '../link-key.ts'

/** `field`: what a refusal calls it. */
type FoundLink = FoundKeys & { field: string }

/** The links with these codes, each once, in the order in which edits of many take their rows. Refused if one is missing. */
export async function findLinks(tx: Tx, caller: Caller, keys: readonly LinkKey[]): Promise<FoundLink[]> {
  const found = await findAllKeys(tx, caller, keys)
  const missing = [...keys.keys()].filter((index) => found[index] === undefined)
  if (missing.length > 0)
    throw invalid(Object.fromEntries(missing.map((index) => [fieldOf(index), ['Link not found.']])))
  const links = new Map(found.map((each, index) => [each!.linkId, { ...each!, field: fieldOf(index) }]))
  return [...links.values()].sort((a, b) => a.linkId - b.linkId)
}

/** What a refusal calls the link at this index. */
export const fieldOf = (index: number) => `short_codes.${index}`
