import { codedSentences } from '../errors/field-codes.ts'
import type { Caller } from '../access/caller.ts'
import { refuseFaults } from '../errors/refusal.ts'
import { lock } from '../store/engine-sql.ts'
import type { AnyDb, Tx } from '../store/handles.ts'

/** An external ID that a link is to have. `linkId`: if the link exists. */
type ExternalIdOfLink = { externalId: string | null | undefined; index: number; linkId?: number }

export const externalIdTaken = () =>
  codedSentences([{ sentence: 'The external id has already been taken.', code: 'external_id_taken' }])

/**
 * Refuses IDs that another link of the workspace has, and keeps others from giving them to one until the transaction ends.
 * Call it before rows are written.
 */
export async function refuseTakenIds(
  tx: Tx,
  { workspaceId }: Pick<Caller, 'workspaceId'>,
  links: readonly ExternalIdOfLink[],
): Promise<void> {
  const ids = links.flatMap(({ externalId }) => externalId || [])
  if (ids.length === 0) return
  await lock(tx, `external ids of workspace ${workspaceId}`)
  const owners = await linksByExternalId(tx, { workspaceId }, ids)
  refuseFaults(
    links.flatMap(({ externalId, index, linkId }) => {
      const owner = externalId ? owners.get(externalId) : undefined
      const isTaken = owner !== undefined && owner !== linkId
      return isTaken ? [{ index, field: 'external_id', sentences: externalIdTaken() }] : []
    }),
  )
}

/** Which links of the workspace have these IDs. Links in the trash have none. */
export async function linksByExternalId(
  db: AnyDb,
  { workspaceId }: Pick<Caller, 'workspaceId'>,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('links')
    .select(['id', 'external_id'])
    .where('workspace_id', '=', workspaceId)
    .where('external_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, external_id: externalId }) => [externalId!, id]))
}
