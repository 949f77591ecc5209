import { z } from '@hono/zod-openapi'
import { findLink } from '../../links/find-link.ts'
import { deleteForGood } from '../../links/trash/forget-deleted-links.ts'
import { type DeletedLink, listTrash } from '../../links/trash/list-trash.ts'
import { restoreLink } from '../../links/trash/restore-link.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { linkSchema, linkView, type LinkViewDeps } from './link-view.ts'
import { pageParameters } from '../../validation/query-parameters.ts'
import { pageOf } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { pageMeta } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { paginationMeta, timestamp } from './schemas.ts'

const deletedLinkSchema = linkSchema
  .omit({ status: true })
  .extend({ deleted_at: timestamp() })
  .openapi('DeletedLink')

export type DeletedLinkView = z.infer<typeof deletedLinkSchema>

/** Without a status: no visitor meets it. */
function deletedLinkView(deps: LinkViewDeps, link: DeletedLink): DeletedLinkView {
  const { status: _, ...view } = linkView(deps, link)
  return { ...view, deleted_at: isoMicroseconds(link.deletedAtUs) }
}

export const trashEndpoints = [
  endpoint({
    route: 'GET /trash',
    who: 'both',
    scope: 'links:read',
    tag: 'Links',
    summary: 'List deleted links',
    description:
      'Those that can be restored, the last deleted first. A link stays in the trash for as many days as the operator has set (30).',
    query: pageOf(pageParameters),
    answer: {
      message: 'Trash retrieved.',
      description: 'A page of deleted links.',
      data: z.array(deletedLinkSchema),
      meta: paginationMeta,
    },
    refusals: [422],
    async run({ caller, query: page }, deps) {
      // A link that was just deleted must be there.
      const { links, total } = await listTrash({ ...deps, db: deps.listDb }, caller, page)
      return { data: links.map((link) => deletedLinkView(deps, link)), meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'POST /links/{short_code}/restore',
    who: 'both',
    scope: 'links:write',
    tag: 'Links',
    summary: 'Restore a deleted link',
    description:
      'Takes it out of the trash, with its ID, settings and clicks. Of several deleted links with one code, the last one. Refused while its code opens a newer link.',
    answer: {
      message: 'Link restored.',
      description: 'The link, which redirects again.',
      data: linkSchema,
    },
    refusals: [404, 409, 422],
    async run({ caller, key }, deps) {
      await restoreLink(deps, caller, key)
      return { data: linkView(deps, await findLink({ db: deps.readDb }, caller, key)) }
    },
  }),
  endpoint({
    route: 'DELETE /trash/{short_code}',
    who: 'both',
    scope: 'links:write',
    tag: 'Links',
    summary: 'Delete a link for good',
    description:
      'Removes it from the trash; it cannot be restored any more. Of several deleted links with one code, the last one. Its code stays yours, and its clicks stay counted.',
    answer: { message: 'Link deleted for good.', description: 'Deleted for good.' },
    refusals: [404],
    run: ({ caller, key }, deps) => deleteForGood(deps, caller, key),
  }),
  endpoint({
    route: 'POST /trash/links/{id}/restore',
    who: 'session',
    role: 'links:write',
    description: 'One deleted link of several with the same code.',
    answer: { message: 'Link restored.' },
    run: ({ caller, params }, deps) => restoreLink(deps, caller, { id: idOf(params) }),
  }),
  endpoint({
    route: 'DELETE /trash/links/{id}',
    who: 'session',
    role: 'links:write',
    answer: { message: 'Link deleted for good.' },
    run: ({ caller, params }, deps) => deleteForGood(deps, caller, { id: idOf(params) }),
  }),
]
