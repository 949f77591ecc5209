import type { Caller } from '../../access/caller.ts'
import { lockedToChange } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'
import { changeLinks } from '../change-links.ts'
import { isSameKey, keyText, type LinkKey } from '../link-key.ts'
import { putBack, type TrashedLink } from '../trash/put-back.ts'
import type { RestoreLinkDeps } from '../trash/restore-link.ts'
import { inTrashSinceUs } from '../trash/trash-period.ts'
import { refuseMissing } from './find-links.ts'

/** Takes all of the links out of the trash or none. Gives how many there were. See restoreLink. */
export function restoreLinks(
  deps: RestoreLinkDeps,
  caller: Caller,
  keys: readonly LinkKey[],
): Promise<number> {
  return changeLinks(deps, {}, async (change) => {
    const sinceUs = inTrashSinceUs(change.nowUs, deps.trashDays)
    const links = await takeAllFromTrash(change.tx, caller, { keys, sinceUs })
    await putBack({ ...change, linksMax: deps.linksMax }, caller, links)
    return links.length
  })
}

type LinksToRestore = { keys: readonly LinkKey[]; sinceUs: number }

/** Of several deleted links with one code, the last one. In the order of their ids. */
async function takeAllFromTrash(
  tx: Tx,
  { workspaceId }: Caller,
  { keys, sinceUs }: LinksToRestore,
): Promise<TrashedLink[]> {
  const own = tx
    .selectFrom('deleted_links')
    .select(['id', 'domain_id as domainId', 'code'])
    .where('code', 'in', [...new Set(keys.map(({ code }) => code))])
    .where('domain_id', 'in', [...new Set(keys.map(({ domainId }) => domainId))])
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', '>', sinceUs)
    .orderBy('id')
  const ids = new Map((await lockedToChange(tx, own).execute()).map(({ id, ...key }) => [keyText(key), id]))
  refuseMissing([...keys.keys()].filter((index) => !ids.has(keyText(keys[index]!))))
  const query = tx.deleteFrom('deleted_links').where(
    'id',
    'in',
    keys.map((key) => ids.get(keyText(key))!),
  )
  const rows = await query.returningAll().execute()
  return rows
    .sort((a, b) => a.id - b.id)
    .map((row) => {
      const own = { domainId: row.domain_id, code: row.code }
      return { row, index: keys.findIndex((key) => isSameKey(key, own)) }
    })
}
