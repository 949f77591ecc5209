import type { Caller } from '../access/caller.ts'
import { type CreateLinksDeps, type CreateLinksInput, createLinks } from './create-links.ts'
import { editLink } from './edit-link.ts'
import type { StoredResponse } from './idempotency.ts'
import type { LinkEdit } from './link-fields.ts'
import type { LinkKey } from './link-key.ts'
import { readLogo } from './qr-style/qr-logo.ts'
import { hashLinkPasswords, hasPassword, type LinkPasswordHasher, withoutHashing } from './link-password.ts'

// A password is hashed once a try-out has shown that the request is accepted, so that refused requests and dry runs cost no hash.

type Hashing = { passwords: LinkPasswordHasher }

/** As createLinks, with passwords instead of their hashes. `signal`: aborted when the client has gone away. */
export async function createProtectedLinks(
  deps: CreateLinksDeps & Hashing,
  caller: Caller,
  { signal, ...input }: CreateLinksInput & { signal?: AbortSignal | undefined },
): Promise<StoredResponse> {
  for (const [index, link] of input.links.entries()) await checkLogo(link, input.fieldName(index, 'qr_style'))
  const unhashed = { ...input, links: input.links.map(withoutHashing) }
  if (input.isDryRun || !input.links.some(hasPassword)) return createLinks(deps, caller, unhashed)
  const tried = await createLinks(deps, caller, { ...unhashed, isDryRun: true })
  if (tried.isReplayed) return tried
  const { workspaceId } = caller
  const links = await hashLinkPasswords(deps.passwords, { workspaceId, signal }, input.links)
  return createLinks(deps, caller, { ...input, links })
}

type ProtectedEdit = {
  key: LinkKey
  edit: LinkEdit
  seenVersion?: number | undefined
  signal?: AbortSignal | undefined
}

/** As editLink, with a password instead of its hash. */
export async function editProtectedLink(
  deps: Parameters<typeof editLink>[0] & Hashing,
  caller: Caller,
  { signal, ...input }: ProtectedEdit,
): Promise<void> {
  await checkLogo(input.edit, 'qr_style')
  const unhashed = { ...input, edit: withoutHashing(input.edit) }
  if (!hasPassword(input.edit)) return editLink(deps, caller, unhashed)
  await editLink(deps, caller, { ...unhashed, isDryRun: true })
  const { workspaceId } = caller
  const [edit] = await hashLinkPasswords(deps.passwords, { workspaceId, signal }, [input.edit])
  return editLink(deps, caller, { ...input, edit: edit! })
}

/** Only what can be drawn is stored. */
async function checkLogo({ qr_style: style }: Pick<LinkEdit, 'qr_style'>, field: string): Promise<void> {
  if (style?.logo) await readLogo(style.logo, `${field}.logo`)
}
