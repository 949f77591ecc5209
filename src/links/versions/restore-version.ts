import type { Caller } from '../../access/caller.ts'
import type { FieldChanges } from '../../audit/changes-text.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Tx } from '../../store/handles.ts'
import { lockAliases } from '../aliases.ts'
import { applyEdit } from '../apply-edit.ts'
import { type ChangeLinksDeps, changeLinks } from '../change-links.ts'
import { findKeys } from '../find-link.ts'
import type { LinkSchemas } from '../link-fields.ts'
import type { LinkKey } from '../link-key.ts'
import { readLinkEdit } from '../read-links.ts'
import { refuseUnusualAliases } from '../unusual-aliases.ts'
import { latestVersion, VERSIONS_MAX } from './record-version.ts'

/**
 * Gives a link the fields that it had as of a version, as an edit would: what is not allowed any more is refused, and the
 * change is a new version. A password stays as it is, because only its hash was ever kept.
 */
export function restoreVersion(
  { schemas, ...deps }: ChangeLinksDeps & { schemas: LinkSchemas },
  caller: Caller,
  { key, version }: { key: LinkKey; version: number },
): Promise<void> {
  return changeLinks(deps, { claimsCodes: true }, async (change) => {
    await lockAliases(change.tx, caller.workspaceId)
    const link = await findKeys(change.tx, caller, key)
    const input = await fieldsAsOf(change.tx, { linkId: link.linkId, version })
    const edit = readLinkEdit({ code: key.code, input }, schemas)
    await refuseUnusualAliases(change.tx, caller, { ...key, aliases: edit.aliases ?? [] })
    await applyEdit(change, caller, { ...link, edit, action: 'link.version_restored' })
  })
}

/** Those that have changed since. An edit at the same moment may come after it. */
async function fieldsAsOf(
  tx: Tx,
  { linkId, version }: { linkId: number; version: number },
): Promise<Record<string, unknown>> {
  const latest = await latestVersion(tx, linkId)
  if (version > latest || version <= latest - VERSIONS_MAX) throw noSuchVersion()
  const rows = await tx
    .selectFrom('link_versions')
    .select('changes')
    .where('link_id', '=', linkId)
    .where('version', '>', version)
    .orderBy('version', 'desc')
    .execute()
  const fields: Record<string, unknown> = {}
  for (const { changes } of rows) {
    for (const [name, { from }] of Object.entries<FieldChanges[string]>(JSON.parse(changes)))
      fields[name] = from
  }
  return fields
}

export const noSuchVersion = () => new Refusal('version_not_found', 'Version not found.')
