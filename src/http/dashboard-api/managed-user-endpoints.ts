import { validated } from '../../errors/field-errors.ts'
import { Refusal } from '../../errors/refusal.ts'
import {
  browseUsers,
  changeUserFor,
  type ManagedUser,
  reinstateUser,
  suspendUser,
  userChange,
} from '../../operator/manage-users.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { makeResetLinkFor } from '../../users/password/reset-link.ts'
import { pageMeta, readPage, searchedPageParameters } from '../requests/paged-list.ts'
import { idOf } from '../requests/path-id.ts'
import { type DashboardEndpoint, endpoint } from './dashboard-endpoint.ts'
import { prove, proven } from './proven-change.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import type { ManagedUserView } from './types/operator-types.ts'

/** All users, for operators. */
export function managedUserEndpoints(deps: DashboardDeps): DashboardEndpoint[] {
  return [
    endpoint('GET /admin/users', 'operator', async ({ query }) => {
      const page = readPage(searchedPageParameters, query)
      const { users, total } = await browseUsers(deps.db, page)
      return { message: 'Users retrieved.', data: users.map(userView), meta: pageMeta(page, total) }
    }),
    endpoint('PUT /admin/users/{id}', 'operator', async (request) => {
      const { params, input, caller } = request
      const userId = idOf(params)
      const change = validated(userChange, input)
      // Operators can do everything, so a stolen session must not make one.
      if (change.role !== undefined) await prove(deps, request)
      await changeUserFor(deps, caller.userId, { userId, ...change })
      return { message: 'User updated.' }
    }),
    endpoint('POST /admin/users/{id}/suspend', 'operator', async ({ params, caller }) => {
      await suspendUser(deps, caller, idOf(params))
      return { message: 'User suspended.' }
    }),
    endpoint('POST /admin/users/{id}/reinstate', 'operator', async ({ params, caller }) => {
      await reinstateUser(deps, caller, idOf(params))
      return { message: 'User reinstated.' }
    }),
    resetLinkEndpoint(deps),
  ]
}

function resetLinkEndpoint(deps: DashboardDeps): DashboardEndpoint {
  return endpoint('POST /admin/users/{id}/reset-link', 'operator', async (request) => {
    const { params, caller } = request
    if (deps.config.smtpUrl !== undefined) {
      throw new Refusal(
        'email_configured',
        'This server sends email: people request the link where they sign in.',
      )
    }
    const userId = idOf(params)
    const link = await proven(deps, request, (proof) =>
      makeResetLinkFor(deps, caller.userId, { userId, proof }),
    )
    const data = { email: link.email, link: link.href, expires_at: isoMicroseconds(link.expiresAtUs) }
    return { status: 201, message: 'Reset link created. It is shown this once.', data }
  })
}

const userView = (user: ManagedUser): ManagedUserView => ({
  id: user.id,
  name: user.name,
  email: user.email,
  is_verified: user.emailVerifiedAtUs !== null,
  role: user.role,
  is_suspended: user.suspendedAtUs !== null,
  has_two_factor: user.hasSecondFactor,
  workspaces: user.workspaces,
  created_at: isoMicroseconds(user.createdAtUs),
  last_signed_in_at: isoOrNull(user.lastSignedInAtUs),
})
