import { z } from '@hono/zod-openapi'
import { findLink } from '../../../links/find-link.ts'
import { deleteForGood } from '../../../links/trash/forget-deleted-links.ts'
import { type DeletedLink, listTrash } from '../../../links/trash/list-trash.ts'
import { restoreLink, type RestoreLinkDeps } from '../../../links/trash/restore-link.ts'
import { isoMicroseconds } from '../../../runtime/clock.ts'
import type { Store } from '../../../store/open-store.ts'
import { pageMeta, pageParameters, pageReaders } from '../../requests/paged-list.ts'
import { success } from '../../responses/envelope.ts'
import type { CallerEndpoint } from '../keyed-endpoint.ts'
import { linkSchema, linkView, type LinkViewDeps } from './link-view.ts'
import { timestamp } from '../../endpoints/schemas.ts'
import { readTogether } from '../../requests/read-together.ts'
import { envelope, paginationMeta } from '../../endpoints/schemas.ts'

type TrashEndpointsDeps = Omit<RestoreLinkDeps, 'db'> & LinkViewDeps & { store: Store }

const deletedLinkSchema = linkSchema
  .omit({ status: true })
  .extend({ deleted_at: timestamp() })
  .openapi('DeletedLink')

export type DeletedLinkView = z.infer<typeof deletedLinkSchema>

export function trashEndpoints(deps: TrashEndpointsDeps): CallerEndpoint[] {
  return [listEndpoint(deps), restoreEndpoint(deps), deleteEndpoint(deps)]
}

/** Without a status: no visitor meets it. */
function deletedLinkView(deps: LinkViewDeps, link: DeletedLink): DeletedLinkView {
  const { status: _, ...view } = linkView(deps, link)
  return { ...view, deleted_at: isoMicroseconds(link.deletedAtUs) }
}

function listEndpoint(deps: TrashEndpointsDeps): CallerEndpoint {
  const { store, clock, trashDays } = deps
  return {
    method: 'get',
    path: '/api/trash',
    tag: 'Links',
    summary: 'List deleted links',
    description:
      'Those that can be restored, the last deleted first. A link stays in the trash for as many days as the operator has set (30).',
    access: 'key',
    scope: 'links:read',
    query: pageParameters,
    answer: {
      status: 200,
      description: 'A page of deleted links.',
      schema: envelope('Trash retrieved.', { data: z.array(deletedLinkSchema), meta: paginationMeta }),
    },
    refusals: [422],
    async handle({ caller, query }) {
      const page = readTogether(pageReaders(query))
      // A link that was just deleted must be there.
      const { links, total } = await listTrash({ db: store.listDb, clock, trashDays }, caller, page)
      const data = links.map((link) => deletedLinkView(deps, link))
      return { body: success('Trash retrieved.', { data, meta: pageMeta(page, total) }) }
    },
  }
}

function restoreEndpoint(deps: TrashEndpointsDeps): CallerEndpoint {
  const { db, readDb } = deps.store
  return {
    method: 'post',
    path: '/api/links/{short_code}/restore',
    tag: 'Links',
    summary: 'Restore a deleted link',
    description:
      'Takes it out of the trash, with its ID, settings and clicks. Of several deleted links with one code, the last one. Refused while its code opens a newer link.',
    access: 'key',
    scope: 'links:write',
    answer: {
      status: 200,
      description: 'The link, which redirects again.',
      schema: envelope('Link restored.', { data: linkSchema }),
    },
    refusals: [404, 409, 422],
    async handle({ caller, key }) {
      await restoreLink({ ...deps, db }, caller, key)
      const link = await findLink({ db: readDb }, caller, key)
      return { body: success('Link restored.', { data: linkView(deps, link) }) }
    },
  }
}

function deleteEndpoint(deps: TrashEndpointsDeps): CallerEndpoint {
  const { db } = deps.store
  return {
    method: 'delete',
    path: '/api/trash/{short_code}',
    tag: 'Links',
    summary: 'Delete a link for good',
    description:
      'Removes it from the trash; it cannot be restored any more. Of several deleted links with one code, the last one. Its code stays yours, and its clicks stay counted.',
    access: 'key',
    scope: 'links:write',
    answer: {
      status: 200,
      description: 'Deleted for good.',
      schema: envelope('Link deleted for good.', {}),
    },
    refusals: [404],
    async handle({ caller, key }) {
      await deleteForGood({ ...deps, db }, caller, key)
      return { body: success('Link deleted for good.') }
    },
  }
}
