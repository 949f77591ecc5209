import { z } from 'zod'
import { validated } from '../../errors/field-errors.ts'
import { editProtectedLink } from '../../links/edit-link.ts'
import { findLink } from '../../links/find-link.ts'
import { linkSchemas } from '../../links/link-fields.ts'
import { readLinkEdit } from '../../links/read-links.ts'
import type { Store } from '../../store/open-store.ts'
import { readTogether } from '../requests/read-together.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'

type EditLinkEndpointDeps = Omit<Parameters<typeof editProtectedLink>[0], 'db'> & {
  store: Pick<Store, 'db' | 'readDb'>
}

/** As in the API. Besides, an editor says which version it shows, so that it does not overwrite what somebody else did. */
export function editLinkEndpoint({ store, ...deps }: EditLinkEndpointDeps): DashboardEndpoint {
  const schemas = linkSchemas(deps.destinationRules)
  return endpoint('PUT /links/{short_code}', 'links:write', async ({ caller, key, input, signal }) => {
    await findLink({ db: store.readDb }, caller, key)
    const { edit, seenVersion } = readTogether({
      edit: () => readLinkEdit({ code: key.code, input }, schemas),
      seenVersion: () => readSeenVersion(input.seen_version),
    })
    await editProtectedLink({ ...deps, db: store.db }, caller, { key, edit, seenVersion, signal })
    return { message: 'Link updated.' }
  })
}

const version = z.int('The :attribute must be a whole number.').min(1, 'The :attribute must be at least 1.')

function readSeenVersion(sent: unknown): number | undefined {
  return validated(version.nullish(), sent, ['seen_version']) ?? undefined
}
