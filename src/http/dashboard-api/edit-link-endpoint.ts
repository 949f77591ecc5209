import { z } from 'zod'
import { validated } from '../../errors/field-errors.ts'
import { editLink } from '../../links/edit-link.ts'
import { findLink } from '../../links/find-link.ts'
import { linkSchemas } from '../../links/link-fields.ts'
import { hashLinkPassword, type PasswordHasher } from '../../links/link-password.ts'
import { readLinkEdit } from '../../links/read-links.ts'
import type { Store } from '../../store/open-store.ts'
import { readTogether } from '../requests/read-together.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

type EditLinkEndpointDeps = Omit<Parameters<typeof editLink>[0], 'db'> & {
  store: Pick<Store, 'db' | 'readDb'>
  passwords: PasswordHasher
}

/** As in the API. Besides, an editor says which version it shows, so that it does not overwrite what somebody else did. */
export function editLinkEndpoint({ store, passwords, ...deps }: EditLinkEndpointDeps): DashboardEndpoint {
  const schemas = linkSchemas(deps.destinationRules)
  return endpoint('PUT /links/{short_code}', 'links:write', async ({ caller, key, input }) => {
    await findLink({ db: store.readDb }, caller, key)
    const { read, seenVersion } = readTogether({
      read: () => readLinkEdit({ code: key.code, input }, schemas),
      seenVersion: () => readSeenVersion(input.seen_version),
    })
    const edit = await hashLinkPassword(passwords, read)
    await editLink({ ...deps, db: store.db }, caller, { key, edit, seenVersion })
    return { message: 'Link updated.' }
  })
}

const version = z.int('The :attribute must be a whole number.').min(1, 'The :attribute must be at least 1.')

function readSeenVersion(sent: unknown): number | undefined {
  return validated(version.nullish(), sent, ['seen_version']) ?? undefined
}
