import type { Caller } from '../../access/caller.ts'
import { refuseFaults } from '../../errors/refusal.ts'
import type { Tx } from '../../store/handles.ts'
import { findAllKeys, type FoundKeys } from '../find-link.ts'
import type { LinkKey } from '../link-key.ts'

/** `index`: its place in the request. */
type FoundLink = FoundKeys & { index: number }

/** The links with these codes, each once, in the order in which edits of many take their rows. Refused if one is missing. */
export async function findLinks(tx: Tx, caller: Caller, keys: readonly LinkKey[]): Promise<FoundLink[]> {
  const linksByKey = await findAllKeys(tx, caller, keys)
  refuseMissing([...keys.keys()].filter((index) => linksByKey[index] === undefined))
  const links = new Map(linksByKey.map((each, index) => [each!.linkId, { ...each!, index }]))
  return [...links.values()].sort((a, b) => a.linkId - b.linkId)
}

/** The places of codes without a link. */
export const refuseMissing = (indexes: readonly number[]): void =>
  refuseFaults(indexes.map((index) => ({ index, field: 'short_code', sentences: ['Link not found.'] })))
