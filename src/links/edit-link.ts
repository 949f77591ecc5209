import type { DurableDb, Tx } from '../store/handles.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditAction } from '../audit/audit-actions.ts'
import type { ClaimedCode } from '../codes/log/code-log-record.ts'
import { followEdits, writeEdit } from './apply-edit.ts'
import { lockAliases, replaceAliases } from './aliases.ts'
import type { CreateLinksDeps } from './create-links.ts'
import type { DestinationRules } from './destinations/destination.ts'
import type { Clock } from '../runtime/clock.ts'
import { transactOrTryOut } from './bulk/try-out.ts'
import { refuseTakenIds } from './external-ids.ts'
import { findKeys } from './find-link.ts'
import type { LinkKey } from './link-key.ts'
import type { LinkChanges } from './link.ts'
import type { LinkEdit } from './link-fields.ts'
import type { Destination } from './destinations/destination-field.ts'
import { editedDestination } from './utm-parameters.ts'
import type { WithPasswordHash } from './link-password.ts'

/** What every change of a link takes. */
export type EditLinkDeps = { db: DurableDb; clock: Clock; changes: LinkChanges }

type EditDeps = EditLinkDeps & Pick<CreateLinksDeps, 'codeLog'>

/** Changes what the edit names and nothing else. */
export function editLink(
  { destinationRules, ...deps }: EditDeps & { destinationRules: DestinationRules },
  caller: Caller,
  {
    key,
    edit,
    seenVersion,
    isDryRun,
  }: { key: LinkKey; edit: WithPasswordHash<LinkEdit>; seenVersion?: number | undefined; isDryRun?: boolean },
): Promise<void> {
  const editsAliases = edit.aliases !== undefined
  const destinationOf = (stored: string) => editedDestination(stored, edit, destinationRules)
  const editOf = async () => edit
  return changeLink(deps, caller, { key, editsAliases, seenVersion, editOf, destinationOf, isDryRun })
}

type Change = {
  key: LinkKey
  /** Whether the edit may name aliases. */
  editsAliases: boolean
  /** Refused if somebody else has changed the link after it. */
  seenVersion?: number | undefined
  /** Undefined: nothing is changed after all. */
  editOf(tx: Tx, linkId: number): Promise<WithPasswordHash<LinkEdit> | undefined>
  /** What becomes of the stored destination, where the edit alone does not say it; undefined: it stays. */
  destinationOf?: ((stored: string) => Destination | undefined) | undefined
  /** What the audit log calls it. */
  action?: AuditAction
  /** Changes nothing, and refuses as it would have otherwise. */
  isDryRun?: boolean | undefined
}

/** An edit that may depend on what is stored: it is read in the transaction that applies it. */
export async function changeLink(
  deps: EditDeps,
  caller: Caller,
  {
    key,
    editsAliases,
    seenVersion,
    editOf,
    destinationOf,
    action = 'link.updated',
    isDryRun = false,
  }: Change,
): Promise<void> {
  if (editsAliases) await deps.codeLog.ready()
  let claims: ClaimedCode[] = []
  const { workspaceId } = caller
  const changed = await transactOrTryOut(deps.db, { isDryRun }, async (tx) => {
    if (editsAliases) await lockAliases(tx, workspaceId)
    const found = await findKeys(tx, caller, key)
    const edit = await editOf(tx, found.linkId)
    if (edit === undefined) return []
    const { external_id: externalId } = edit
    await refuseTakenIds(tx, { workspaceId, linkId: found.linkId }, [{ field: 'external_id', externalId }])
    const added =
      edit.aliases === undefined ? [] : await replaceAliases(tx, { workspaceId, ...found }, edit.aliases)
    const time = { tx, nowUs: deps.clock.nowUs() }
    const edited = await writeEdit(time, caller, { ...found, edit, seenVersion, destinationOf })
    await followEdits(time, caller, { edited: [edited], action })
    if (isDryRun) return []
    claims = added.map((claimed) => ({ ...claimed, workspaceId, linkId: found.linkId }))
    deps.codeLog.note(claims)
    return [...found.keys, ...added]
  })
  await deps.codeLog.keep(claims)
  if (!isDryRun) deps.changes.changed(changed)
}
