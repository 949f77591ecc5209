import { z } from '@hono/zod-openapi'
import type { Caller } from '../../caller.ts'
import type { Clock } from '../../clock.ts'
import { deleteLink } from '../../links/delete-link.ts'
import { DESTINATION_LENGTH_MAX, type DestinationRules } from '../../links/destination.ts'
import { editLink, readLinkEdit } from '../../links/edit-link.ts'
import { findLink } from '../../links/find-link.ts'
import type { LinkChanges } from '../../links/link.ts'
import {
  listLinks,
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  readSearch,
  SEARCH_CHARS_MAX,
} from '../../links/list-links.ts'
import { TITLE_LENGTH_MAX } from '../../links/title.ts'
import { toggleLink } from '../../links/toggle-link.ts'
import type { Store } from '../../store/open-store.ts'
import type { CallerEndpoint } from '../endpoint.ts'
import { success } from '../envelope.ts'
import { countParameter, textParameter } from '../query.ts'
import { linkSchema, linkView } from './link-view.ts'
import { readTogether } from './read-together.ts'
import { envelope, paginationMeta } from './schemas.ts'

type LinkEndpointsDeps = {
  store: Store
  clock: Clock
  changes: LinkChanges
  baseUrl: string
  destinationRules: DestinationRules
}

/** More pages than any account can fill. */
const PAGE_MAX = 1_000_000_000
const PATH = '/api/links/{short_code}'

/** Everything under /api/links but creation. */
export function linkEndpoints(deps: LinkEndpointsDeps): CallerEndpoint[] {
  return [
    listEndpoint(deps),
    readEndpoint(deps),
    editEndpoint(deps),
    toggleEndpoint(deps),
    deleteEndpoint(deps),
  ]
}

function listEndpoint({ store, baseUrl, destinationRules }: LinkEndpointsDeps): CallerEndpoint {
  return {
    method: 'get',
    path: '/api/links',
    tag: 'Links',
    summary: 'List links',
    description: 'Newest first. A page past the end is empty.',
    access: 'key',
    scope: 'links:read',
    query: z.object({
      page: z.int().min(1).default(1),
      per_page: z
        .int()
        .min(1)
        .default(PER_PAGE_DEFAULT)
        .openapi({ description: `More than ${PER_PAGE_MAX} is taken as ${PER_PAGE_MAX}.` }),
      search: z.string().max(SEARCH_CHARS_MAX).optional().openapi({
        description:
          'Words of title, destination and code, whatever their case and order; all must be there. A short URL finds its link.',
        example: 'launch',
      }),
    }),
    answer: {
      status: 200,
      description: 'A page of links.',
      schema: envelope('Links retrieved.', { data: z.array(linkSchema), meta: paginationMeta }),
    },
    refusals: [422],
    async handle({ caller, query }) {
      const asked = readTogether({
        page: () => countParameter(query, 'page', { default: 1, max: PAGE_MAX }),
        perPage: () => countParameter(query, 'per_page', { default: PER_PAGE_DEFAULT, max: PER_PAGE_MAX }),
        search: () => readSearch(textParameter(query, 'search')),
      })
      const { page, perPage } = asked
      const { ownHosts } = destinationRules
      const { links, total } = await listLinks({ db: store.reportDb, ownHosts }, caller, asked)
      return {
        body: success('Links retrieved.', {
          data: links.map((link) => linkView(baseUrl, link)),
          meta: {
            current_page: page,
            last_page: Math.max(1, Math.ceil(total / perPage)),
            per_page: perPage,
            total,
          },
        }),
      }
    },
  }
}

function readEndpoint({ store, baseUrl }: LinkEndpointsDeps): CallerEndpoint {
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
    async handle({ caller, code }) {
      const link = await findLink({ db: store.readDb }, caller, code)
      return { body: success('Link retrieved.', { data: linkView(baseUrl, link) }) }
    },
  }
}

function editEndpoint({ store, clock, changes, destinationRules }: LinkEndpointsDeps): CallerEndpoint {
  const { db } = store
  return {
    method: 'put',
    path: PATH,
    tag: 'Links',
    summary: 'Change a link',
    description: 'Fields that are absent stay as they are. The code cannot be changed.',
    access: 'key',
    scope: 'links:write',
    body: z
      .object({
        original_url: z
          .string()
          .max(DESTINATION_LENGTH_MAX)
          .optional()
          .openapi({ example: 'https://example.com/new' }),
        title: z
          .string()
          .max(TITLE_LENGTH_MAX)
          .nullable()
          .optional()
          .openapi({ description: 'null clears it.' }),
        is_active: z.boolean().optional(),
      })
      .openapi('LinkEdit'),
    answer: { status: 200, description: 'Changed.', schema: envelope('Link updated.', {}) },
    refusals: [404, 422],
    // By the reports' handle: the writing one also sees what is not committed yet, and may never be.
    find: (caller: Caller, code: string) => findLink({ db: store.readDb }, caller, code),
    async handle({ caller, code, input }) {
      const edit = readLinkEdit({ code, input }, destinationRules)
      await editLink({ db, clock, changes }, caller, { code, edit })
      return { body: success('Link updated.') }
    },
  }
}

function toggleEndpoint({ store: { db }, clock, changes }: LinkEndpointsDeps): CallerEndpoint {
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
      schema: envelope('Link deactivated.', { data: z.strictObject({ is_active: z.boolean() }) }),
    },
    refusals: [404],
    async handle({ caller, code }) {
      const { isActive } = await toggleLink({ db, clock, changes }, caller, code)
      return {
        body: success(isActive ? 'Link activated.' : 'Link deactivated.', { data: { is_active: isActive } }),
      }
    },
  }
}

function deleteEndpoint({ store: { db }, clock, changes }: LinkEndpointsDeps): CallerEndpoint {
  return {
    method: 'delete',
    path: PATH,
    tag: 'Links',
    summary: 'Delete a link',
    description: 'Its code stays yours: nobody else will ever get it, and you can claim it anew.',
    access: 'key',
    scope: 'links:write',
    answer: { status: 200, description: 'Deleted.', schema: envelope('Link deleted.', {}) },
    refusals: [404],
    async handle({ caller, code }) {
      await deleteLink({ db, clock, changes }, caller, code)
      return { body: success('Link deleted.') }
    },
  }
}
