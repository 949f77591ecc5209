import { codedSentences } from '../errors/field-codes.ts'
import type { Caller } from '../access/caller.ts'
import { invalid } from '../errors/refusal.ts'
import { lock } from '../store/engine-sql.ts'
import type { AnyDb, Tx } from '../store/handles.ts'

/** An external ID that a link is to have, and the field that asks for it. */
type WantedId = { field: string; externalId: string | null | undefined }

export const externalIdTaken = () =>
  codedSentences([{ sentence: 'The external id has already been taken.', code: 'external_id_taken' }])

/**
 * Refuses IDs that another link of the workspace has, and keeps others from giving them to one until the transaction ends.
 * Call it before rows are written. `linkId`: the link that asks, if it exists.
 */
export async function refuseTakenIds(
  tx: Tx,
  { workspaceId, linkId }: Pick<Caller, 'workspaceId'> & { linkId?: number },
  wanted: readonly WantedId[],
): Promise<void> {
  const given = wanted.flatMap(({ field, externalId }) => (externalId ? { field, externalId } : []))
  if (given.length === 0) return
  await lock(tx, `external ids of workspace ${workspaceId}`)
  const ids = given.map(({ externalId }) => externalId)
  const taken = await linksByExternalId(tx, { workspaceId }, ids)
  const errors = given.filter(({ externalId }) => (taken.get(externalId) ?? linkId) !== linkId)
  if (errors.length > 0)
    throw invalid(Object.fromEntries(errors.map(({ field }) => [field, externalIdTaken()])))
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
    .where('account_id', '=', workspaceId)
    .where('external_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, external_id: externalId }) => [externalId!, id]))
}
