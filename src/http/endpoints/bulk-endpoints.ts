import { z } from '@hono/zod-openapi'
import type { Caller } from '../../access/caller.ts'
import { deleteLinks } from '../../links/bulk/delete-links.ts'
import { restoreLinks } from '../../links/bulk/restore-links.ts'
import { updateLinks } from '../../links/bulk/update-links.ts'
import { keysOf } from '../../links/domains/key-of.ts'
import { BULK_LINKS_MAX } from '../../links/link-fields.ts'
import { configuredBody } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { namedWhole } from '../requests/read-request.ts'

type NamedLinks = { short_codes: string[]; domain?: string | undefined }

const keysIn = (deps: ServerDeps, caller: Caller, { short_codes: codes, domain }: NamedLinks) =>
  keysOf(deps, caller, { codes, domain })

const nameErrors = namedWhole('short_codes')

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

/** What changes many links at once: all of them or none. */
export const bulkEndpoints = [
  endpoint({
    route: 'POST /links/bulk-update',
    who: 'both',
    scope: 'links:write',
    tag: 'Links',
    summary: `Change up to ${BULK_LINKS_MAX} links`,
    description:
      'All or none: if one link is not found or cannot be given a field, nothing is stored. The response has what was there before, to change it back.',
    input: configuredBody(({ schemas }) => schemas.bulkUpdate, {
      short_codes: ['launch', 'sale'],
      set: { archived: true, add_tags: ['Winter 2026'] },
    }),
    answer: {
      message: '2 links updated.',
      description: 'The links as they were.',
      count,
      data: z.array(changedLink),
    },
    refusals: [422],
    async run({ caller, input: { set, dry_run: isDryRun = false, ...named } }, deps) {
      const keys = await keysIn(deps, caller, named)
      const count = await updateLinks(deps, caller, { keys, set, isDryRun }).catch(nameErrors)
      const outcome = isDryRun ? 'would be updated; nothing was stored.' : 'updated.'
      return { message: `${links(count.length)} ${outcome}`, count: count.length, data: count }
    },
  }),
  endpoint({
    route: 'POST /links/bulk-delete',
    who: 'both',
    scope: 'links:write',
    tag: 'Links',
    summary: `Delete up to ${BULK_LINKS_MAX} links`,
    description: 'All or none. Moves them to the trash, like deleting one.',
    input: configuredBody(({ schemas }) => schemas.bulkDeletion, { short_codes: ['launch', 'sale'] }),
    answer: { message: '2 links deleted.', description: 'Deleted.', count },
    refusals: [422],
    async run({ caller, input: { dry_run: isDryRun = false, ...named } }, deps) {
      const keys = await keysIn(deps, caller, named)
      const count = await deleteLinks(deps, caller, { keys, isDryRun }).catch(nameErrors)
      const outcome = isDryRun ? 'would be deleted; nothing was stored.' : 'deleted.'
      return { message: `${links(count)} ${outcome}`, count: count }
    },
  }),
  endpoint({
    route: 'POST /links/bulk-restore',
    who: 'both',
    scope: 'links:write',
    tag: 'Links',
    summary: `Restore up to ${BULK_LINKS_MAX} deleted links`,
    description: 'All or none. Takes them out of the trash, like restoring one.',
    input: configuredBody(({ schemas }) => schemas.bulkRestoration, { short_codes: ['launch', 'sale'] }),
    answer: { message: '2 links restored.', description: 'Restored.', count },
    refusals: [409, 422],
    async run({ caller, input }, deps) {
      const keys = await keysIn(deps, caller, input)
      const results = await restoreLinks(deps, caller, keys).catch(nameErrors)
      return { message: `${links(results)} restored.`, count: results }
    },
  }),
]
