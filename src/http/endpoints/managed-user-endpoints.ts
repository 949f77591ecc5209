import { z } from '@hono/zod-openapi'
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
import { proofBody } from '../../users/sign-in/reauthenticate.ts'
import { USER_ROLES } from '../../users/user.ts'
import { comparedText } from '../../validation/field-rules.ts'
import { body, pageOf } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { prove, proven } from '../dispatch/proven-change.ts'
import { pageMeta, searchedPageParameters } from '../requests/query.ts'
import { idOf } from '../requests/read-request.ts'
import { paginationMeta, timestamp } from './schemas.ts'

const userSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  is_verified: z.boolean(),
  role: z.enum(USER_ROLES),
  is_suspended: z.boolean(),
  has_two_factor: z.boolean(),
  workspaces: z.int().meta({ description: 'How many they are a member of.' }),
  created_at: timestamp(),
  last_signed_in_at: timestamp().nullable(),
})
export type ManagedUserView = z.infer<typeof userSchema>

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

/** All users, for operators. */
export const managedUserEndpoints = [
  endpoint({
    route: 'GET /admin/users',
    who: 'session',
    role: 'operator',
    query: pageOf(searchedPageParameters),
    answer: { message: 'Users retrieved.', data: z.array(userSchema), meta: paginationMeta },
    async run({ query: page }, { db }) {
      const { users, total } = await browseUsers(db, page)
      return { data: users.map(userView), meta: pageMeta(page, total) }
    },
  }),
  endpoint({
    route: 'PUT /admin/users/{id}',
    who: 'session',
    role: 'operator',
    description: 'A new role needs the `password` of the operator.',
    input: body(userChange.extend({ password: comparedText.default('') })),
    answer: { message: 'User updated.' },
    async run(request, deps) {
      const { params, input, caller } = request
      const { role, is_verified } = input
      // Operators can do everything, so a stolen session must not make one.
      if (role !== undefined) await prove(deps, request)
      await changeUserFor(deps, caller.userId, { userId: idOf(params), role, is_verified })
    },
  }),
  endpoint({
    route: 'POST /admin/users/{id}/suspend',
    who: 'session',
    role: 'operator',
    answer: { message: 'User suspended.' },
    run: ({ params, caller }, deps) => suspendUser(deps, caller, idOf(params)),
  }),
  endpoint({
    route: 'POST /admin/users/{id}/reinstate',
    who: 'session',
    role: 'operator',
    answer: { message: 'User reinstated.' },
    run: ({ params, caller }, deps) => reinstateUser(deps, caller, idOf(params)),
  }),
  endpoint({
    route: 'POST /admin/users/{id}/reset-link',
    who: 'session',
    role: 'operator',
    description: 'Only without a mail server. The link is shown once.',
    input: body(proofBody),
    answer: {
      status: 201,
      message: 'Reset link created. It is shown this once.',
      data: z.strictObject({ email: z.string(), link: z.string(), expires_at: timestamp() }),
    },
    async run(request, deps) {
      const { params, caller } = request
      if (deps.config.smtpUrl !== undefined)
        throw new Refusal(
          'email_configured',
          'This server sends email: people request the link where they sign in.',
        )
      const userId = idOf(params)
      const { email, href, expiresAtUs } = await proven(deps, request, (proof) =>
        makeResetLinkFor(deps, caller.userId, { userId, proof }),
      )
      return { data: { email, link: href, expires_at: isoMicroseconds(expiresAtUs) } }
    },
  }),
]
