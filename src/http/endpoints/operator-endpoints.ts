import { z } from '@hono/zod-openapi'
import {
  type BlockedHost,
  blockHost,
  listBlockedHosts,
  newBlockedHost,
  unblockHost,
} from '../../links/destinations/block-host.ts'
import { isoMicroseconds } from '../../runtime/clock.ts'
import { emailBody } from '../../users/email.ts'
import {
  invite,
  type Invitation,
  listInvitations,
  withdrawInvitation,
} from '../../users/sign-up/invitations.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { idOf } from '../requests/read-request.ts'
import { timestamp } from './schemas.ts'

const blockedHostSchema = z.strictObject({ host: z.string(), reason: z.string(), blocked_at: timestamp() })
export type BlockedHostView = z.infer<typeof blockedHostSchema>

const blockedHostView = ({ host, reason, blockedAtUs }: BlockedHost): BlockedHostView => ({
  host,
  reason,
  blocked_at: isoMicroseconds(blockedAtUs),
})

const blockedHostEndpoints = [
  endpoint({
    route: 'GET /admin/blocked-hosts',
    who: 'session',
    role: 'operator',
    answer: { message: 'Blocked hosts retrieved.', data: z.array(blockedHostSchema) },
    run: async (_, { db }) => ({ data: (await listBlockedHosts(db)).map(blockedHostView) }),
  }),
  endpoint({
    route: 'POST /admin/blocked-hosts',
    who: 'session',
    role: 'operator',
    description: 'A host or any URL. Its subdomains are blocked too.',
    input: body(newBlockedHost),
    answer: { status: 201, message: 'Host blocked.', data: blockedHostSchema },
    run: async ({ input }, deps) => ({
      data: blockedHostView(await blockHost(deps, input)),
    }),
  }),
  endpoint({
    route: 'DELETE /admin/blocked-hosts/{host}',
    who: 'session',
    role: 'operator',
    answer: { message: 'Host unblocked.' },
    run: ({ params }, deps) => unblockHost(deps, params.host!),
  }),
]

const invitationSchema = z.strictObject({
  id: z.int(),
  email: z.string(),
  created_at: timestamp(),
  expires_at: timestamp(),
})
export type InvitationView = z.infer<typeof invitationSchema>

const invitationView = ({ id, email, createdAtUs, expiresAtUs }: Invitation): InvitationView => ({
  id,
  email,
  created_at: isoMicroseconds(createdAtUs),
  expires_at: isoMicroseconds(expiresAtUs),
})

/** Invitations to sign up, into no workspace. */
const invitationEndpoints = [
  endpoint({
    route: 'GET /admin/invitations',
    who: 'session',
    role: 'operator',
    answer: { message: 'Invitations retrieved.', data: z.array(invitationSchema) },
    run: async (_, deps) => ({ data: (await listInvitations(deps)).map(invitationView) }),
  }),
  endpoint({
    route: 'POST /admin/invitations',
    who: 'session',
    role: 'operator',
    input: body(emailBody),
    answer: {
      status: 201,
      message: 'Invitation sent.',
      data: invitationSchema.extend({
        link: z.string().nullable().meta({
          description: 'Shown once, for the operator to pass on; null if it is sent by email.',
        }),
      }),
    },
    async run({ input }, deps) {
      const invitation = await invite(deps, input.email)
      const link = deps.config.smtpUrl === undefined ? invitation.href : null
      return { data: { ...invitationView(invitation), link } }
    },
  }),
  endpoint({
    route: 'DELETE /admin/invitations/{id}',
    who: 'session',
    role: 'operator',
    answer: { message: 'Invitation revoked.' },
    run: ({ params }, { db }) => withdrawInvitation(db, idOf(params)),
  }),
]

export const operatorEndpoints = [...blockedHostEndpoints, ...invitationEndpoints]
