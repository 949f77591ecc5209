import type { Caller } from '../../access/caller.ts'
import type { EditLinkDeps } from '../edit-link.ts'
import type { LinkKey } from '../link-key.ts'
import { moveToTrash } from '../trash/delete-link.ts'
import { findLinks } from './find-links.ts'
import { transactOrTryOut } from './try-out.ts'

export type BulkDeletion = { keys: readonly LinkKey[]; isDryRun: boolean }

/** Moves all of the links to the trash or none. Gives how many there were. */
export async function deleteLinks(
  deps: EditLinkDeps,
  caller: Caller,
  { keys: asked, isDryRun }: BulkDeletion,
): Promise<number> {
  const { keys, count } = await transactOrTryOut(deps.db, { isDryRun }, async (tx) => {
    const links = await findLinks(tx, caller, asked)
    return moveToTrash(
      { tx, nowUs: deps.clock.nowUs() },
      caller,
      links.map(({ linkId }) => linkId),
    )
  })
  if (!isDryRun) deps.changes.changed(keys)
  return count
}
