import type { z } from 'zod'
import type { Caller } from '../access/caller.ts'
import { applyEdit } from './apply-edit.ts'
import { lockAliases } from './aliases.ts'
import { type ChangeLinksDeps, changeLinks } from './change-links.ts'
import type { DestinationRules } from './destinations/destination.ts'
import { findKeys } from './find-link.ts'
import type { LinkKey } from './link-key.ts'
import type { LinkEdit } from './link-fields.ts'
import {
  hashLinkPasswords,
  hasPassword,
  type LinkPasswordHasher,
  withoutHashing,
  type WithPasswordHash,
} from './link-password.ts'
import { refuseUnusualAliases } from './unusual-aliases.ts'
import { refuseBadLogos } from './qr-style/qr-logo.ts'

type EditLinkDeps = ChangeLinksDeps & { destinationRules: DestinationRules }

type Edit<Fields> = {
  key: LinkKey
  edit: Fields
  /** Refused if somebody else has changed the link after it. */
  seenVersion?: number | undefined
  /** Of aliases that are new to the workspace. Absent: plain codes. */
  codeSchema?: z.ZodType<string> | undefined
}

/** Changes what the edit names and nothing else. */
export async function editLink(
  { destinationRules, ...deps }: EditLinkDeps,
  caller: Caller,
  { key, isDryRun, codeSchema: schema, ...edit }: Edit<WithPasswordHash<LinkEdit>> & { isDryRun?: boolean },
): Promise<void> {
  const claimsCodes = edit.edit.aliases !== undefined
  await changeLinks(deps, { claimsCodes, isDryRun }, async (change) => {
    if (claimsCodes) await lockAliases(change.tx, caller.workspaceId)
    const link = await findKeys(change.tx, caller, key)
    const aliases = edit.edit.aliases ?? []
    await refuseUnusualAliases(change.tx, caller, { ...key, aliases, schema })
    await applyEdit(change, caller, { ...link, ...edit, destinationRules })
  })
}

/**
 * The same with a password instead of its hash. It is hashed once a dry run has shown that the edit is accepted, so that refused
 * requests cost no hash. `signal`: aborted when the client has gone away.
 */
export async function editProtectedLink(
  deps: EditLinkDeps & { passwords: LinkPasswordHasher },
  caller: Caller,
  { signal, ...input }: Edit<LinkEdit> & { signal?: AbortSignal | undefined },
): Promise<void> {
  const { edit } = input
  await refuseBadLogos([edit])
  const unhashed = { ...input, edit: withoutHashing(edit) }
  if (!hasPassword(edit)) return editLink(deps, caller, unhashed)
  await editLink(deps, caller, { ...unhashed, isDryRun: true })
  const { workspaceId } = caller
  const [hashed] = await hashLinkPasswords(deps.passwords, { workspaceId, signal }, [edit])
  return editLink(deps, caller, { ...input, edit: hashed! })
}
