import { z } from '@hono/zod-openapi'
import { changeWorkspace, workspaceChanges } from '../../users/members/change-workspace.ts'
import { deleteWorkspace } from '../../users/members/delete-workspace.ts'
import { leaveOwnWorkspace, newOwner, transferWorkspace } from '../../users/members/member-changes.ts'
import { chooseWorkspace, makeWorkspace } from '../../users/members/workspaces-of-user.ts'
import { proofBody } from '../../users/sign-in/reauthenticate.ts'
import { nameBody } from '../../users/sign-up/create-account.ts'
import { comparedText } from '../../validation/field-rules.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { prove, proven } from '../dispatch/proven-change.ts'
import { idOf } from '../requests/read-request.ts'

/** Workspaces of the signed-in user: to choose, and to change the current one. */
export const ownWorkspaceEndpoints = [
  endpoint({
    route: 'POST /workspaces',
    who: 'session',
    role: 'verified',
    input: body(nameBody),
    answer: { status: 201, message: 'Workspace created.', data: z.strictObject({ id: z.int() }) },
    run: async ({ caller, input }, deps) => ({ data: { id: await makeWorkspace(deps, caller, input.name) } }),
  }),
  endpoint({
    route: 'POST /workspaces/{id}/choose',
    who: 'session',
    role: 'signed-in',
    description: 'From the next request on, this browser works in that workspace.',
    answer: { message: 'Workspace chosen.' },
    run: ({ session, params }, deps) => chooseWorkspace(deps, session, idOf(params)),
  }),
  endpoint({
    route: 'PUT /workspace',
    who: 'session',
    role: 'workspace:write',
    input: body(workspaceChanges),
    answer: { message: 'Workspace updated.' },
    run: ({ caller, input }, deps) => changeWorkspace(deps, caller, input),
  }),
  endpoint({
    route: 'POST /workspace/leave',
    who: 'session',
    role: 'verified',
    answer: { message: 'You have left the workspace.' },
    run: ({ caller }, deps) => leaveOwnWorkspace(deps, caller),
  }),
  endpoint({
    route: 'POST /workspace/transfer',
    who: 'session',
    role: 'workspace:own',
    input: body(proofBody.extend(newOwner.shape)),
    answer: { message: 'Workspace transferred.' },
    async run(request, deps) {
      await prove(deps, request)
      await transferWorkspace(deps, request.caller, request.input.user_id)
    },
  }),
  endpoint({
    route: 'DELETE /workspace',
    who: 'session',
    role: 'workspace:own',
    input: body(proofBody.extend({ name: comparedText })),
    answer: { message: 'Workspace deleted.' },
    async run(request, deps) {
      const { caller, input } = request
      const { name } = input
      await proven(deps, request, (proof) => deleteWorkspace(deps, caller, { name, proof }))
    },
  }),
]
