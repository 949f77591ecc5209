import type { Caller } from '../../access/caller.ts'
import { type ChangeLinksDeps, changeLinks } from '../change-links.ts'
import type { LinkKey } from '../link-key.ts'
import { moveToTrash } from '../trash/delete-link.ts'
import { findLinks } from './find-links.ts'

/** Moves all of the links to the trash or none. Gives how many there were. */
export function deleteLinks(
  deps: ChangeLinksDeps,
  caller: Caller,
  { keys, isDryRun }: { keys: readonly LinkKey[]; isDryRun: boolean },
): Promise<number> {
  return changeLinks(deps, { isDryRun }, async (change) => {
    const links = await findLinks(change.tx, caller, keys)
    return moveToTrash(
      change,
      caller,
      links.map(({ linkId }) => linkId),
    )
  })
}
