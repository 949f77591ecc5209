import { z } from '@hono/zod-openapi'
import { isoMicroseconds } from '../../runtime/clock.ts'
import {
  passkeyBody,
  passkeySignInOptions,
  signInByPasskey,
} from '../../users/second-factor/passkey-sign-in.ts'
import { endAllSessions, endSession, listSessions } from '../../users/sign-in/session.ts'
import { signIn, signInBody } from '../../users/sign-in/sign-in.ts'
import { body } from '../dispatch/body-and-query.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { idOf } from '../requests/read-request.ts'
import { meSchema, meView } from './me-view.ts'
import { timestamp } from './schemas.ts'

const signInSchema = z.strictObject({
  is_signed_in: z.boolean(),
  needs_code: z.boolean().meta({
    description: 'Send the same again with a code of the authenticator app or a recovery code.',
  }),
})

const SIGNED_IN = { is_signed_in: true, needs_code: false }

const sessionSchema = z.strictObject({
  id: z.int(),
  device: z.string(),
  created_at: timestamp(),
  last_used_at: timestamp(),
  is_this_one: z.boolean(),
})
export type SessionView = z.infer<typeof sessionSchema>

/** Signing in, and what has signed in. */
export const sessionEndpoints = [
  endpoint({
    route: 'POST /session',
    who: 'anybody',
    input: body(signInBody),
    answer: { message: 'Signed in.', data: signInSchema },
    async run({ input, ip, device }, deps) {
      const outcome = await deps.limits.guess(
        { ip, owner: input.email },
        () => signIn(deps, { ...input, device }),
        // Otherwise a correct password would reset the delay for wrong codes.
        (value) => value !== 'needs-code',
      )
      if (outcome !== 'needs-code') return { data: SIGNED_IN, sessionToken: outcome.token }
      const message = 'A code from your authenticator app is required.'
      return { message, data: { is_signed_in: false, needs_code: true } }
    },
  }),
  endpoint({
    route: 'POST /session/passkey/options',
    who: 'anybody',
    answer: { message: 'Options created.', data: z.custom<object>() },
    async run({ ip }, deps) {
      deps.limits.secret(ip)
      return { data: await passkeySignInOptions(deps) }
    },
  }),
  endpoint({
    route: 'POST /session/passkey',
    who: 'anybody',
    input: body(passkeyBody),
    answer: { message: 'Signed in.', data: signInSchema },
    async run({ input, ip, device }, deps) {
      deps.limits.secret(ip)
      return { data: SIGNED_IN, sessionToken: await signInByPasskey(deps, { ...input, device }) }
    },
  }),
  endpoint({
    route: 'GET /session',
    who: 'session',
    role: 'signed-in',
    answer: { message: 'Account retrieved.', data: meSchema },
    run: async ({ session }, deps) => ({ data: await meView(deps, session) }),
  }),
  endpoint({
    route: 'DELETE /session',
    who: 'session',
    role: 'signed-in',
    answer: { message: 'Signed out.' },
    async run({ session }, { db }) {
      await endSession(db, { userId: session.userId, sessionId: session.id })
      return { sessionToken: null }
    },
  }),
  endpoint({
    route: 'GET /sessions',
    who: 'session',
    role: 'signed-in',
    answer: { message: 'Sessions retrieved.', data: z.array(sessionSchema) },
    async run({ session }, deps) {
      const sessions = await listSessions(deps, session.userId)
      const data = sessions.map(({ id, device, createdAtUs, lastUsedAtUs }) => ({
        id,
        device,
        created_at: isoMicroseconds(createdAtUs),
        last_used_at: isoMicroseconds(lastUsedAtUs),
        is_this_one: id === session.id,
      }))
      return { data }
    },
  }),
  endpoint({
    route: 'DELETE /sessions',
    who: 'session',
    role: 'signed-in',
    answer: { message: 'Signed out everywhere.' },
    async run({ session }, { db }) {
      await endAllSessions(db, session.userId)
      return { sessionToken: null }
    },
  }),
  endpoint({
    route: 'DELETE /sessions/{id}',
    who: 'session',
    role: 'signed-in',
    answer: { message: 'Signed out there.' },
    async run({ session, params }, { db }) {
      await endSession(db, { userId: session.userId, sessionId: idOf(params) })
    },
  }),
]
