import { z } from '@hono/zod-openapi'
import type { Caller } from '../../../access/caller.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { ChangeLinksDeps } from '../../../links/change-links.ts'
import { deleteLink } from '../../../links/trash/delete-link.ts'
import type { DestinationRules } from '../../../links/destinations/destination.ts'
import { editProtectedLink } from '../../../links/edit-link.ts'
import { findLink } from '../../../links/find-link.ts'
import { linkSchemas } from '../../../links/link-fields.ts'
import type { Domains } from '../../../links/domains/domains.ts'
import type { LinkKey } from '../../../links/link-key.ts'
import type { LinkPasswordHasher } from '../../../links/link-password.ts'
import type { LinkChanges } from '../../../links/link.ts'
import { listLinks } from '../../../links/lists/list-links.ts'
import { linkListParameters, linkPageOf } from '../../../links/lists/list-parameters.ts'
import { readLinkEdit } from '../../../links/read-links.ts'
import { toggleLink } from '../../../links/toggle-link.ts'
import type { Store } from '../../../store/open-store.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { success } from '../../responses/envelope.ts'
import { pageMeta } from '../../requests/paged-list.ts'
import { readParameters } from '../../requests/query.ts'
import { IGNORED_FIELDS, linkSchema, linkView } from './link-view.ts'
import { envelope, paginationMeta } from '../../endpoints/schemas.ts'

type LinkEndpointsDeps = {
  store: Store
  clock: Clock
  changes: LinkChanges
  domains: Domains
  destinationRules: DestinationRules
  codeLog: ChangeLinksDeps['codeLog']
  passwords: LinkPasswordHasher
}

const PATH = '/api/links/{short_code}'

/** Everything under /api/links except creation. */
export function linkEndpoints(deps: LinkEndpointsDeps): CallerEndpoint[] {
  return [
    listEndpoint(deps),
    readEndpoint(deps),
    editEndpoint(deps),
    toggleEndpoint(deps),
    deleteEndpoint(deps),
  ]
}

function listEndpoint(deps: LinkEndpointsDeps): CallerEndpoint {
  const { store, clock, domains } = deps
  return {
    method: 'get',
    path: '/api/links',
    tag: 'Links',
    summary: 'List links',
    description:
      'The newest first, unless `sort` or `order` say otherwise; a link whose code or short URL is searched for comes before all others. Filters combine. A page past the end is empty.',
    access: 'key',
    scope: 'links:read',
    query: linkListParameters,
    answer: {
      status: 200,
      description: 'A page of links.',
      schema: envelope('Links retrieved.', { data: z.array(linkSchema), meta: paginationMeta }),
    },
    refusals: [422],
    async handle({ caller, query }) {
      const page = linkPageOf(readParameters(linkListParameters, query))
      const { links, total } = await listLinks({ db: store.reportDb, clock, domains }, caller, page)
      return {
        body: success('Links retrieved.', {
          data: links.map((link) => linkView(deps, link)),
          meta: pageMeta(page, total),
        }),
      }
    },
  }
}

function readEndpoint(deps: LinkEndpointsDeps): CallerEndpoint {
  const { store } = deps
  return {
    method: 'get',
    path: PATH,
    tag: 'Links',
    summary: 'Read one link',
    description: 'A link of another account is not found.',
    access: 'key',
    scope: 'links:read',
    answer: {
      status: 200,
      description: 'The link.',
      schema: envelope('Link retrieved.', { data: linkSchema }),
    },
    refusals: [404],
    async handle({ caller, key }) {
      const link = await findLink({ db: store.readDb }, caller, key)
      return { body: success('Link retrieved.', { data: linkView(deps, link) }) }
    },
  }
}

function editEndpoint(deps: LinkEndpointsDeps): CallerEndpoint {
  const { store, clock, changes, destinationRules, codeLog, passwords } = deps
  const { db } = store
  const schemas = linkSchemas(destinationRules)
  return {
    method: 'put',
    path: PATH,
    tag: 'Links',
    summary: 'Change a link',
    description: 'Fields that are absent stay as they are. The code cannot be changed.',
    access: 'key',
    scope: 'links:write',
    body: {
      schema: schemas.linkEdit.openapi('LinkEdit'),
      example: { original_url: 'https://example.com/new', title: 'The new launch page' },
      ignored: IGNORED_FIELDS,
    },
    answer: { status: 200, description: 'Changed.', schema: envelope('Link updated.', {}) },
    refusals: [404, 422],
    // On the read handle: the writing one also sees changes that may never be committed.
    find: (caller: Caller, key: LinkKey) => findLink({ db: store.readDb }, caller, key),
    async handle({ caller, key, input, signal }) {
      const edit = readLinkEdit({ code: key.code, input }, schemas)
      const all = { db, clock, changes, codeLog, destinationRules, passwords }
      await editProtectedLink(all, caller, { key, edit, signal })
      return { body: success('Link updated.') }
    },
  }
}

function toggleEndpoint({ store: { db }, ...deps }: LinkEndpointsDeps): CallerEndpoint {
  return {
    method: 'post',
    path: `${PATH}/toggle`,
    tag: 'Links',
    summary: 'Switch a link on or off',
    description: 'An inactive link answers 404 and keeps its code, clicks and settings.',
    access: 'key',
    scope: 'links:write',
    answer: {
      status: 200,
      description: 'The new state.',
      schema: envelope('Link deactivated.', {
        data: z.strictObject({ is_active: z.boolean().openapi({ example: false }) }),
      }),
    },
    refusals: [404],
    async handle({ caller, key }) {
      const { isActive } = await toggleLink({ ...deps, db }, caller, key)
      return {
        body: success(isActive ? 'Link activated.' : 'Link deactivated.', { data: { is_active: isActive } }),
      }
    },
  }
}

function deleteEndpoint({ store: { db }, ...deps }: LinkEndpointsDeps): CallerEndpoint {
  return {
    method: 'delete',
    path: PATH,
    tag: 'Links',
    summary: 'Delete a link',
    description:
      'Moves it to the trash: it stops redirecting at once, and can be restored for as many days as the operator has set (30). Its code stays yours: nobody else will ever get it, and you can use it again.',
    access: 'key',
    scope: 'links:write',
    answer: { status: 200, description: 'Deleted.', schema: envelope('Link deleted.', {}) },
    refusals: [404],
    async handle({ caller, key }) {
      await deleteLink({ ...deps, db }, caller, key)
      return { body: success('Link deleted.') }
    },
  }
}
