import type { DurableDb, Tx } from '../store/handles.ts'
import { invalid } from '../errors/refusal.ts'
import type { Caller } from '../access/caller.ts'
import type { ClaimedCode } from '../codes/log/code-log-record.ts'
import { lockAliases, replaceAliases } from './aliases.ts'
import type { CreateLinksDeps } from './create-links.ts'
import type { DestinationRules } from './destinations/destination.ts'
import type { Clock } from '../runtime/clock.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import { transact } from '../store/transact.ts'
import { countLinks } from './lists/count-links.ts'
import { findKeys, noSuchLink } from './find-link.ts'
import type { LinkKey } from './link-key.ts'
import type { LinkChanges } from './link.ts'
import { writeLinkTexts } from './lists/link-text.ts'
import { type LinkEdit, linkColumns } from './link-fields.ts'
import type { Destination } from './destinations/destination-field.ts'
import { storedWithUtm } from './utm-parameters.ts'
import { optionConflicts } from './link-options.ts'
import type { WithPasswordHash } from './link-password.ts'
import { changesBetween, recordVersion } from './versions/record-version.ts'

/** What every change of a link takes. */
export type EditLinkDeps = { db: DurableDb; clock: Clock; changes: LinkChanges }

type EditDeps = EditLinkDeps & Pick<CreateLinksDeps, 'codeLog'>

/** Changes what the edit names and nothing else. */
export function editLink(
  { destinationRules, ...deps }: EditDeps & { destinationRules: DestinationRules },
  caller: Caller,
  { key, edit }: { key: LinkKey; edit: WithPasswordHash<LinkEdit> },
): Promise<void> {
  const editsAliases = edit.aliases !== undefined
  const { utm } = edit
  const change = { key, editsAliases, editOf: async () => edit }
  if (!utm || edit.original_url !== undefined) return changeLink(deps, caller, change)
  const destinationOf = (stored: string) => storedWithUtm(stored, utm, destinationRules)
  return changeLink(deps, caller, { ...change, destinationOf })
}

type Change = {
  key: LinkKey
  /** Whether the edit may name aliases. */
  editsAliases: boolean
  editOf(tx: Tx, linkId: number): Promise<WithPasswordHash<LinkEdit>>
  /** What becomes of the stored destination, where the edit names parts of it only. */
  destinationOf?: ((stored: string) => Destination) | undefined
}

/** An edit that may depend on what is stored: it is read in the transaction that applies it. */
export async function changeLink(
  deps: EditDeps,
  caller: Caller,
  { key, editsAliases, editOf, destinationOf }: Change,
): Promise<void> {
  if (editsAliases) await deps.codeLog.ready()
  let claims: ClaimedCode[] = []
  const { workspaceId } = caller
  const changed = await transact(deps.db, async (tx) => {
    if (editsAliases) await lockAliases(tx, workspaceId)
    const found = await findKeys(tx, caller, key)
    const edit = await editOf(tx, found.linkId)
    const added =
      edit.aliases === undefined ? [] : await replaceAliases(tx, { workspaceId, ...found }, edit.aliases)
    await applyEdit({ tx, nowUs: deps.clock.nowUs() }, caller, { ...found, edit, destinationOf })
    claims = added.map((claimed) => ({ ...claimed, workspaceId, linkId: found.linkId }))
    deps.codeLog.note(claims)
    return [...found.keys, ...added]
  })
  await deps.codeLog.keep(claims)
  deps.changes.changed(changed)
}

/** What the text of a search is made of, beside the code. */
const SEARCHED_FIELDS = ['original_url', 'title', 'aliases', 'notes'] as const

type FoundEdit = {
  linkId: number
  own: LinkKey
  keys: readonly LinkKey[]
  edit: WithPasswordHash<LinkEdit>
  destinationOf: Change['destinationOf']
}

/** Changes the link's row and what follows from it. `keys`: those that opened it before. */
async function applyEdit(
  { tx, nowUs }: { tx: Tx; nowUs: number },
  caller: Caller,
  { linkId, own, keys, edit: named, destinationOf }: FoundEdit,
): Promise<void> {
  const stored = tx.selectFrom('links').selectAll().where('id', '=', linkId)
  const before = await lockedToChange(tx, stored).executeTakeFirst()
  if (before === undefined) throw noSuchLink()
  const edit =
    destinationOf === undefined ? named : { ...named, original_url: destinationOf(before.original_url) }
  const after = await tx
    .updateTable('links')
    // Kysely leaves columns as they are whose value is undefined.
    .set({ ...linkColumns(edit), updated_at: nowUs })
    .where('id', '=', linkId)
    .returningAll()
    .executeTakeFirstOrThrow()
  refuseConflicts(after)
  const others = keys.map(({ code }) => code).filter((code) => code !== own.code)
  const aliases = edit.aliases ?? others
  if (SEARCHED_FIELDS.some((name) => edit[name] !== undefined)) {
    const { account_id: workspaceId, title, original_url: originalUrl, code, notes } = after
    await writeLinkTexts(tx, [{ linkId, workspaceId, title, originalUrl, code, aliases, notes }])
  }
  const changes = changesBetween({ ...before, aliases: others }, { ...after, aliases })
  await recordVersion(tx, caller, { linkId, nowUs, changes })
  await countLinks(tx, caller.workspaceId, {
    links: 0,
    active: after.is_active - before.is_active,
    archived: (after.is_archived ?? 0) - (before.is_archived ?? 0),
  })
}

/** A stored field may conflict with one that is changed. */
function refuseConflicts(options: Parameters<typeof optionConflicts>[0]): void {
  const conflicts = Object.entries(optionConflicts(options)).map(([field, sentence]) => [field, [sentence]])
  if (conflicts.length > 0) throw invalid(Object.fromEntries(conflicts))
}
