import { z } from '@hono/zod-openapi'
import { workspaceTotals } from '../../analytics/click-totals.ts'
import { validated } from '../../errors/field-errors.ts'
import { type DeletedClicks, deleteClicks } from '../../links/delete-clicks.ts'
import { findLink } from '../../links/find-link.ts'
import { linkCounts } from '../../links/lists/count-links.ts'
import { listLinks, listLinksFirst } from '../../links/lists/list-links.ts'
import { editProtectedLink } from '../../links/edit-link.ts'
import { readLinkEdit } from '../../links/read-links.ts'
import { toggleLink } from '../../links/toggle-link.ts'
import { deleteLink } from '../../links/trash/delete-link.ts'
import { seenVersion } from '../../links/versions/seen-version.ts'
import { parameters } from '../dispatch/body-and-query.ts'
import { endpoint, type FindContext } from '../dispatch/endpoint.ts'
import type { ServerDeps } from '../dispatch/server-deps.ts'
import { linkListParameters, linkPageOf } from '../../links/lists/list-parameters.ts'
import { choice } from '../../validation/field-rules.ts'
import { several } from '../../validation/query-parameters.ts'
import { pageMeta } from '../requests/query.ts'
import { readTogether } from '../requests/read-request.ts'
import { linkSchemasOf } from './create-link-endpoints.ts'
import { liveTotals, totalsSchema } from './click-view.ts'
import { LINK_PARTS, type LinkPart, linkViewsWithParts, linkWithParts } from './link-parts.ts'
import { IGNORED_FIELDS } from './link-view.ts'
import { paginationMeta } from './schemas.ts'

const metaParts = {
  archived: z.int().min(0).openapi({ description: 'How many archived links the workspace has.' }),
  totals: totalsSchema,
}
type MetaPart = keyof typeof metaParts
const LIST_PARTS = [...LINK_PARTS, ...(Object.keys(metaParts) as MetaPart[])] as [
  LinkPart,
  ...(LinkPart | MetaPart)[],
]

const includeParameter = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  several(choice(names)).meta({
    description: 'What each link of the answer has besides, or its `meta`. May be repeated.',
  })

/** Meta that only some requests want. */
async function metaPartsOf(deps: ServerDeps, workspaceId: number, include: readonly string[]) {
  const { readDb } = deps
  return {
    ...(include.includes('totals') && {
      totals: liveTotals(await workspaceTotals(readDb, [workspaceId]), workspaceId),
    }),
    ...(include.includes('archived') && { archived: (await linkCounts(readDb, workspaceId)).archived }),
  }
}

const listQuery = linkListParameters.extend({ include: includeParameter(LIST_PARTS) })
const linkQuery = z.object({ include: includeParameter(LINK_PARTS) })

const listOfLinks = endpoint({
  route: 'GET /links',
  who: 'both',
  scope: 'links:read',
  tag: 'Links',
  summary: 'List links',
  description:
    'The newest first, unless `sort` or `order` say otherwise; a link whose code or short URL is searched for comes before all others. Filters combine. A page past the end is empty.',
  query: parameters(listQuery),
  answer: {
    message: 'Links retrieved.',
    description: 'A page of links.',
    data: z.array(linkWithParts),
    meta: z.strictObject({ ...paginationMeta.shape, ...z.object(metaParts).partial().shape }),
  },
  refusals: [422],
  async run({ caller, query }, deps) {
    const { clock, domains, listDb, reportDb } = deps
    const { include = [], ...parameters } = query
    const page = linkPageOf(parameters)
    // Read before the links, so that the clicks of the links are never behind.
    const meta = await metaPartsOf(deps, caller.workspaceId, include)
    // The dashboard must show a link that was just created.
    const db = caller.keyId === undefined ? listDb : reportDb
    const { links, total } = await listLinks({ db, clock, domains }, caller, page)
    return {
      data: await linkViewsWithParts(deps, links, { caller, include }),
      meta: { ...pageMeta(page, total), ...meta },
    }
  },
})

/** A count of many links takes longer than their first page, so the dashboard shows links before their total. */
const linksBeforeTotal = endpoint({
  route: 'GET /list-links',
  who: 'session',
  role: 'links:read',
  description: 'Lists links as `GET /links` does, with all that a row shows, before they are counted.',
  query: parameters(linkListParameters),
  answer: {
    message: 'Links retrieved.',
    data: z.array(linkWithParts),
    meta: z.strictObject({
      ...paginationMeta.pick({ current_page: true, per_page: true }).shape,
      total: z.int().nullable().openapi({ description: 'null unless it is known without counting.' }),
      ...z.object(metaParts).partial().shape,
    }),
  },
  async run({ caller, query }, deps) {
    const { clock, domains, listDb: db } = deps
    const page = linkPageOf(query)
    const meta = await metaPartsOf(deps, caller.workspaceId, ['archived', 'totals'])
    const { links, total } = await listLinksFirst({ db, clock, domains }, caller, page)
    return {
      data: await linkViewsWithParts(deps, links, { caller, include: LINK_PARTS }),
      meta: { current_page: page.page, per_page: page.perPage, total, ...meta },
    }
  },
})

// On the read handle: the writing one also sees changes that may never be committed.
const findOne = ({ deps, caller, key }: FindContext) => findLink({ db: deps.readDb }, caller, key)

const readingOfLink = endpoint({
  route: 'GET /links/{short_code}',
  who: 'both',
  scope: 'links:read',
  tag: 'Links',
  summary: 'Read one link',
  description: 'A link of another account is not found.',
  query: parameters(linkQuery),
  answer: { message: 'Link retrieved.', description: 'The link.', data: linkWithParts },
  refusals: [404, 422],
  async run({ caller, key, query: { include = [] } }, deps) {
    const link = await findLink({ db: deps.readDb }, caller, key)
    const [data] = await linkViewsWithParts(deps, [link], { caller, include })
    return { data: data! }
  },
})

const editOfLink = endpoint({
  route: 'PUT /links/{short_code}',
  who: 'both',
  scope: 'links:write',
  tag: 'Links',
  summary: 'Change a link',
  description: 'Fields that are absent stay as they are. The code cannot be changed.',
  input: {
    schema: ({ schemas }) => schemas.seenLinkEdit,
    example: { original_url: 'https://example.com/new', title: 'The new launch page' },
    ignored: IGNORED_FIELDS,
    read: (sent, { deps, key }) =>
      readTogether({
        edit: () => readLinkEdit({ code: key.code, input: sent }, deps.schemas),
        seenVersion: () => validated(seenVersion, sent.seen_version, ['seen_version']) ?? undefined,
      }),
  },
  answer: { message: 'Link updated.', description: 'Changed.' },
  refusals: [404, 409, 422],
  find: findOne,
  async run({ caller, key, input, signal }, deps) {
    const { code: codeSchema } = await linkSchemasOf(deps, caller)
    await editProtectedLink(deps, caller, { key, ...input, signal, codeSchema })
  },
})

const toggleOfLink = endpoint({
  route: 'POST /links/{short_code}/toggle',
  who: 'both',
  scope: 'links:write',
  tag: 'Links',
  summary: 'Switch a link on or off',
  description: 'An inactive link answers 404 and keeps its code, clicks and settings.',
  answer: {
    message: 'Link deactivated.',
    description: 'The new state.',
    data: z.strictObject({ is_active: z.boolean().openapi({ example: false }) }),
  },
  refusals: [404],
  async run({ caller, key }, deps) {
    const { isActive } = await toggleLink(deps, caller, key)
    return { message: isActive ? 'Link activated.' : 'Link deactivated.', data: { is_active: isActive } }
  },
})

const deletionOfLink = endpoint({
  route: 'DELETE /links/{short_code}',
  who: 'both',
  scope: 'links:write',
  tag: 'Links',
  summary: 'Delete a link',
  description:
    'Moves it to the trash: it stops redirecting at once, and can be restored for as many days as the operator has set (30). Its code stays yours: nobody else will ever get it, and you can use it again.',
  answer: { message: 'Link deleted.', description: 'Deleted.' },
  refusals: [404],
  run: ({ caller, key }, deps) => deleteLink(deps, caller, key),
})

const deletedClicks = z.strictObject({
  clicks: z.int().min(0).openapi({ example: 42 }),
  bots: z.int().min(0).openapi({ example: 7 }),
  imported_clicks: z
    .int()
    .min(0)
    .openapi({ description: 'Those that another program had counted.', example: 0 }),
})
export type DeletedClicksView = z.infer<typeof deletedClicks>

const deletionOfClicks = endpoint({
  route: 'DELETE /links/{short_code}/clicks',
  who: 'both',
  scope: 'links:write',
  tag: 'Links',
  summary: 'Delete the clicks of a link',
  description:
    'Deletes the clicks and bot clicks that are counted by now, and those that were imported; this cannot be undone. The link stays as it is, and later clicks count as always. So do those of the last moments that are not counted yet. All numbers of the link and of the workspace are then as if the clicks had never been, but what visitors have spent of `max_clicks` stays spent. Clicks of a deleted link are deleted after it is restored. Repeating the request deletes what was counted since.',
  answer: {
    message: 'Clicks deleted.',
    description: 'How many there were.',
    data: deletedClicks,
  },
  refusals: [404],
  run: async ({ caller, key }, deps) => ({ data: deletedView(await deleteClicks(deps, caller, key)) }),
})

const deletedView = ({ imported, ...counts }: DeletedClicks): DeletedClicksView => ({
  ...counts,
  imported_clicks: imported,
})

/** Everything that is done with one link, except creation, and their list. */
export const linkEndpoints = [
  listOfLinks,
  linksBeforeTotal,
  readingOfLink,
  editOfLink,
  toggleOfLink,
  deletionOfLink,
  deletionOfClicks,
]
