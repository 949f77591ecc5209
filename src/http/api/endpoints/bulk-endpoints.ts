import { z } from '@hono/zod-openapi'
import type { Caller } from '../../../access/caller.ts'
import type { Domains } from '../../../links/domains/domains.ts'
import { keysOf } from '../../../links/domains/key-of.ts'
import { validated } from '../../../errors/field-errors.ts'
import { bulkSchemas } from '../../../links/bulk/bulk-fields.ts'
import { deleteLinks } from '../../../links/bulk/delete-links.ts'
import { restoreLinks } from '../../../links/bulk/restore-links.ts'
import { updateLinks } from '../../../links/bulk/update-links.ts'
import { BULK_LINKS_MAX, linkSchemas } from '../../../links/link-fields.ts'
import type { DestinationRules } from '../../../links/destinations/destination.ts'
import type { RestoreLinkDeps } from '../../../links/trash/restore-link.ts'
import { namedWhole } from '../../requests/name-items.ts'
import { success } from '../../responses/envelope.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { envelope } from '../../endpoints/schemas.ts'

type BulkEndpointsDeps = RestoreLinkDeps & { destinationRules: DestinationRules; domains: Domains }
type Parts = { deps: BulkEndpointsDeps; schemas: ReturnType<typeof bulkSchemas> }

/** What changes many links at once: all of them or none. */
export function bulkEndpoints(deps: BulkEndpointsDeps): CallerEndpoint[] {
  const parts = { deps, schemas: bulkSchemas(linkSchemas(deps.destinationRules)) }
  return [updateEndpoint(parts), deleteEndpoint(parts), restoreEndpoint(parts)]
}

type NamedLinks = { short_codes: string[]; domain?: string | undefined }

const keysIn = (deps: BulkEndpointsDeps, caller: Caller, { short_codes: codes, domain }: NamedLinks) =>
  keysOf(deps, caller, { codes, domain })

const links = (count: number) => `${count} ${count === 1 ? 'link' : 'links'}`
const count = z.int().min(1).openapi({ description: 'How many links there were.', example: 2 })

const changedLink = z
  .strictObject({
    short_code: z.string().openapi({ example: 'launch' }),
    before: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'The fields that were set, as they were.', example: { archived: false } }),
  })
  .openapi('ChangedLink')

export type ChangedLinkView = z.infer<typeof changedLink>

function updateEndpoint({ deps, schemas }: Parts): CallerEndpoint {
  return {
    method: 'post',
    path: '/api/links/bulk-update',
    tag: 'Links',
    summary: `Change up to ${BULK_LINKS_MAX} links`,
    description:
      'All or none: if one link is not found or cannot be given a field, nothing is stored. The response has what was there before, to change it back.',
    access: 'key',
    scope: 'links:write',
    body: {
      schema: schemas.update.openapi('BulkUpdate'),
      example: { short_codes: ['launch', 'sale'], set: { archived: true, add_tags: ['Winter 2026'] } },
    },
    answer: {
      status: 200,
      description: 'The links as they were.',
      schema: envelope('2 links updated.', { count, data: z.array(changedLink) }),
    },
    refusals: [422],
    async handle({ caller, input }) {
      const { set, dry_run: isDryRun = false, ...named } = validated(schemas.update, input)
      const changed = await updateLinks(deps, caller, {
        keys: await keysIn(deps, caller, named),
        set,
        isDryRun,
      }).catch(namedWhole('short_codes'))
      const done = isDryRun ? 'would be updated; nothing was stored.' : 'updated.'
      return { body: success(`${links(changed.length)} ${done}`, { count: changed.length, data: changed }) }
    },
  }
}

function deleteEndpoint({ deps, schemas }: Parts): CallerEndpoint {
  return {
    method: 'post',
    path: '/api/links/bulk-delete',
    tag: 'Links',
    summary: `Delete up to ${BULK_LINKS_MAX} links`,
    description: 'All or none. Moves them to the trash, like deleting one.',
    access: 'key',
    scope: 'links:write',
    body: { schema: schemas.delete.openapi('BulkDeletion'), example: { short_codes: ['launch', 'sale'] } },
    answer: { status: 200, description: 'Deleted.', schema: envelope('2 links deleted.', { count }) },
    refusals: [422],
    async handle({ caller, input }) {
      const { dry_run: isDryRun = false, ...named } = validated(schemas.delete, input)
      const keys = await keysIn(deps, caller, named)
      const deleted = await deleteLinks(deps, caller, { keys, isDryRun }).catch(namedWhole('short_codes'))
      const done = isDryRun ? 'would be deleted; nothing was stored.' : 'deleted.'
      return { body: success(`${links(deleted)} ${done}`, { count: deleted }) }
    },
  }
}

function restoreEndpoint({ deps, schemas }: Parts): CallerEndpoint {
  return {
    method: 'post',
    path: '/api/links/bulk-restore',
    tag: 'Links',
    summary: `Restore up to ${BULK_LINKS_MAX} deleted links`,
    description: 'All or none. Takes them out of the trash, like restoring one.',
    access: 'key',
    scope: 'links:write',
    body: {
      schema: schemas.restore.openapi('BulkRestoration'),
      example: { short_codes: ['launch', 'sale'] },
    },
    answer: { status: 200, description: 'Restored.', schema: envelope('2 links restored.', { count }) },
    refusals: [409, 422],
    async handle({ caller, input }) {
      const named = validated(schemas.restore, input)
      const keys = await keysIn(deps, caller, named)
      const restored = await restoreLinks(deps, caller, keys).catch(namedWhole('short_codes'))
      return { body: success(`${links(restored)} restored.`, { count: restored }) }
    },
  }
}
