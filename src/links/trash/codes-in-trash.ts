import { sql } from 'kysely'
import type { CurrentDb, Tx } from '../../store/handles.ts'
import { keyText, type LinkKey } from '../link-key.ts'
import { otherKeys } from './deleted-links.ts'

export type TrashedKey = LinkKey & { linkId: number; shortCode: string }

/**
 * The deleted links of the workspace that had one of the keys, by the text of the key: the last of several. Their codes and
 * aliases open no other link until they are gone for good, so that they can be restored.
 */
export async function findKeysInTrash(
  db: CurrentDb | Tx,
  workspaceId: number,
  keys: readonly LinkKey[],
): Promise<Map<string, TrashedKey>> {
  if (keys.length === 0) return new Map()
  const names = new Set(keys.map(keyText))
  const rows = await db
    .selectFrom('deleted_links')
    .select(['id', 'domain_id as domainId', 'code', 'other_keys'])
    .where('workspace_id', '=', workspaceId)
    .where((eb) =>
      eb.or([
        eb(
          'code',
          'in',
          keys.map(({ code }) => code),
        ),
        ...keys.map(({ domainId, code }) => hasOtherKey({ domainId, code })),
      ]),
    )
    .orderBy('id')
    .execute()
  return new Map(
    rows.flatMap(({ id, domainId, code, other_keys: encoded }) =>
      [{ domainId, code }, ...otherKeys(encoded)]
        .filter((key) => names.has(keyText(key)))
        .map((key) => [keyText(key), { ...key, linkId: id, shortCode: code }]),
    ),
  )
}

/** LIKE would ignore case on SQLite. */
const hasOtherKey = ({ domainId, code }: LinkKey) => {
  const encoded = JSON.stringify([domainId, code])
  return sql<boolean>`(other_keys IS NOT NULL AND replace(other_keys, ${encoded}, '') <> other_keys)`
}
