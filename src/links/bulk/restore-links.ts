import type { Caller } from '../../access/caller.ts'
import { invalid } from '../../errors/refusal.ts'
import { lockedToChange } from '../../store/engine-sql.ts'
import type { Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { isSameKey, keyText, type LinkKey } from '../link-key.ts'
import { putBack, type TrashedLink } from '../trash/put-back.ts'
import type { RestoreLinkDeps } from '../trash/restore-link.ts'
import { inTrashSinceUs } from '../trash/trash-period.ts'
import { fieldOf } from './find-links.ts'

/** Takes all of the links out of the trash or none. Gives how many there were. See restoreLink. */
export async function restoreLinks(
  deps: RestoreLinkDeps,
  caller: Caller,
  asked: readonly LinkKey[],
): Promise<number> {
  const nowUs = deps.clock.nowUs()
  const { keys, count } = await transact(deps.db, async (tx) => {
    const sinceUs = inTrashSinceUs(nowUs, deps.trashDays)
    const trashed = await takeAllFromTrash(tx, caller, { asked, sinceUs })
    return { keys: await putBack({ ...deps, tx, nowUs }, caller, trashed), count: trashed.length }
  })
  deps.changes.changed(keys)
  return count
}

type Wanted = { asked: readonly LinkKey[]; sinceUs: number }

/** Of several deleted links with one code, the last one. In the order of their ids. */
async function takeAllFromTrash(
  tx: Tx,
  { workspaceId }: Caller,
  { asked, sinceUs }: Wanted,
): Promise<TrashedLink[]> {
  const own = tx
    .selectFrom('deleted_links')
    .select(['id', 'domain_id as domainId', 'code'])
    .where('code', 'in', [...new Set(asked.map(({ code }) => code))])
    .where('domain_id', 'in', [...new Set(asked.map(({ domainId }) => domainId))])
    .where('account_id', '=', workspaceId)
    .where('deleted_at', '>', sinceUs)
    .orderBy('id')
  const found = new Map((await lockedToChange(tx, own).execute()).map(({ id, ...key }) => [keyText(key), id]))
  const missing = [...asked.keys()].filter((index) => !found.has(keyText(asked[index]!)))
  if (missing.length > 0)
    throw invalid(Object.fromEntries(missing.map((index) => [fieldOf(index), ['Link not found.']])))
  const taken = tx.deleteFrom('deleted_links').where(
    'id',
    'in',
    asked.map((key) => found.get(keyText(key))!),
  )
  const rows = await taken.returningAll().execute()
  return rows
    .sort((a, b) => a.id - b.id)
    .map((row) => {
      const field = fieldOf(
        asked.findIndex((key) => isSameKey(key, { domainId: row.domain_id, code: row.code })),
      )
      return { row, codeField: field, externalIdField: field }
    })
}
