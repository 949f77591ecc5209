import { z } from '@hono/zod-openapi'
import { deleteView } from '../../links/views/delete-view.ts'
import { listViews, type SavedView } from '../../links/views/list-views.ts'
import { changeView, findOwnView, saveView } from '../../links/views/save-view.ts'
import { newView, viewChanges } from '../../links/views/view-fields.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { idOf } from '../requests/read-request.ts'
import { timestamp } from './schemas.ts'

const viewSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  query: z.string().meta({ description: 'Of the URL of the list.' }),
  is_shared: z.boolean(),
  is_own: z.boolean().meta({
    description: 'Only the user who saved a view can change it. Admins can also delete shared views.',
  }),
  saved_by: z.string().meta({ description: 'The name of the user who saved it.' }),
  created_at: timestamp(),
})
export type SavedViewView = z.infer<typeof viewSchema>

const savedViewView = (view: SavedView): SavedViewView => ({
  id: view.id,
  name: view.name,
  query: view.query,
  is_shared: view.isShared,
  is_own: view.isOwn,
  saved_by: view.ownerName,
  created_at: isoMicroseconds(view.createdAtUs),
})

/** Saved views: each belongs to a user in a workspace, viewers included. */
export const viewEndpoints = [
  endpoint({
    route: 'GET /views',
    who: 'session',
    role: 'links:read',
    description: 'Own ones, and those that others share.',
    answer: { message: 'Views retrieved.', data: z.array(viewSchema) },
    run: async ({ caller }, deps) => ({ data: (await listViews(deps, caller)).map(savedViewView) }),
  }),
  endpoint({
    route: 'POST /views',
    who: 'session',
    role: 'links:read',
    description: 'What is no filter, sorting or column is dropped from `query`.',
    input: body(newView),
    answer: { status: 201, message: 'View saved.', data: z.strictObject({ id: z.int() }) },
    run: async ({ caller, input }, deps) => ({ data: { id: await saveView(deps, caller, input) } }),
  }),
  endpoint({
    route: 'PUT /views/{id}',
    who: 'session',
    role: 'links:read',
    input: body(viewChanges),
    find: ({ deps, caller, params }) => findOwnView(deps, caller, idOf(params)),
    answer: { message: 'View updated.' },
    run: ({ caller, params, input: changes }, deps) =>
      changeView(deps, caller, { id: idOf(params), changes }),
  }),
  endpoint({
    route: 'DELETE /views/{id}',
    who: 'session',
    role: 'links:read',
    answer: { message: 'View deleted.' },
    run: ({ caller, params }, deps) => deleteView(deps, caller, idOf(params)),
  }),
]
