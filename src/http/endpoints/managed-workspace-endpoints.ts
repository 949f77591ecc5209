import { z } from '@hono/zod-openapi'
import {
  browseWorkspaces,
  changeWorkspace,
  type ManagedWorkspace,
  workspaceChange,
} from '../../operator/manage-workspaces.ts'
import { reinstateWorkspace, suspendWorkspace } from '../../operator/suspend-workspace.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { hourlyAllowance, limitOrNull } from '../../workspaces/plans.ts'
import { body, pageOf } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { pageMeta, searchedPageParameters } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { paginationMeta, timestamp } from './schemas.ts'

const workspaceSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  owner: z.string().nullable().meta({ description: 'An email: of several owners, the first.' }),
  plan: z.string(),
  rate_limit: z.int().nullable().meta({ description: 'Null: what the plan allows.' }),
  requests_per_hour: z
    .int()
    .nullable()
    .meta({ description: 'For each key without a limit of its own. Null: no limit.' }),
  is_suspended: z.boolean(),
  members: z.int(),
  links: z.int(),
  clicks: z.int(),
  created_at: timestamp(),
})
export type ManagedWorkspaceView = z.infer<typeof workspaceSchema>

const workspaceView = ({ plan, rateLimit, ...workspace }: ManagedWorkspace): ManagedWorkspaceView => ({
  id: workspace.id,
  name: workspace.name,
  owner: workspace.ownerEmail,
  plan,
  rate_limit: rateLimit,
  requests_per_hour: limitOrNull(hourlyAllowance({ plan, rateLimit })),
  is_suspended: workspace.suspendedAtUs !== null,
  members: workspace.members,
  links: workspace.links,
  clicks: workspace.clicks,
  created_at: isoMicroseconds(workspace.createdAtUs),
})

/** All workspaces, for operators. */
export const managedWorkspaceEndpoints = [
  endpoint({
    route: 'GET /admin/workspaces',
    who: 'session',
    role: 'operator',
    query: pageOf(searchedPageParameters),
    answer: { message: 'Workspaces retrieved.', data: z.array(workspaceSchema), meta: paginationMeta },
    async run({ query: page }, { db }) {
      const { workspaces, total } = await browseWorkspaces(db, page)
      return { data: workspaces.map(workspaceView), meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'PUT /admin/workspaces/{id}',
    who: 'session',
    role: 'operator',
    input: body(workspaceChange),
    answer: { message: 'Workspace updated.' },
    run: ({ params, input, caller }, deps) =>
      changeWorkspace(deps, caller, { workspaceId: idOf(params), ...input }),
  }),
  endpoint({
    route: 'POST /admin/workspaces/{id}/suspend',
    who: 'session',
    role: 'operator',
    answer: { message: 'Workspace suspended.' },
    run: ({ params, caller }, deps) => suspendWorkspace(deps, caller, idOf(params)),
  }),
  endpoint({
    route: 'POST /admin/workspaces/{id}/reinstate',
    who: 'session',
    role: 'operator',
    answer: { message: 'Workspace reinstated.' },
    run: ({ params, caller }, deps) => reinstateWorkspace(deps, caller, idOf(params)),
  }),
]
