import { z } from '@hono/zod-openapi'
import type { SignedInCaller } from '../../access/caller.ts'
import { SCOPES } from '../../access/roles-and-scopes.ts'
import type { ApiKey } from '../../api-keys/api-key.ts'
import { listVisibleKeys, revokeVisibleKey } from '../../api-keys/find-key.ts'
import { issueOwnKey, ownKey, ownKeyOf } from '../../api-keys/issue-own-key.ts'
import { MASKED_KEY } from '../../api-keys/key-format.ts'
import { validated } from '../../errors/field-errors.ts'
import { isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { limitOrNull, UNLIMITED } from '../../workspaces/plans.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { idOf } from '../requests/read-request.ts'
import { timestamp } from './schemas.ts'

const restrictions = z
  .strictObject({
    domain: z.string().optional(),
    code_prefix: z.string().optional(),
    destination_hosts: z.array(z.string()).readonly().optional(),
    links_per_day: z.int().optional(),
    origins: z.array(z.string()).readonly().optional(),
  })
  .nullable()
  .openapi({
    description:
      'What makes the key safe to publish: its links are on this domain, begin with this prefix and lead to these hosts; this many a day; and browsers may use it on pages of these origins. A key with any of the first four only creates links, and may set only `original_url`, `url`, `title`, `custom_code`, `domain`, `utm` and `expires_at`; other fields are refused. null: nothing.',
    example: null,
  })

const apiKeySchema = z
  .strictObject({
    id: z.int(),
    name: z.string().openapi({ example: 'Newsletter' }),
    key: z
      .string()
      .openapi({ description: 'The prefix and asterisks, the same for every key.', example: MASKED_KEY }),
    key_hint: z.string().nullable().openapi({
      description: 'The prefix and the last four characters; null for keys made before these were kept.',
      example: 'tern_…Ab3x',
    }),
    is_active: z.boolean(),
    permissions: z.array(z.enum(SCOPES)),
    restrictions,
    created_by: z
      .strictObject({ id: z.int(), name: z.string() })
      .nullable()
      .openapi({
        description: 'The user who created the key; null if they have deleted their account.',
        example: { id: 1, name: 'Ada Lovelace' },
      }),
    rate_limit: z.int().openapi({ description: 'Requests per hour.', example: 100 }),
    current_usage: z.int().openapi({ description: 'Requests in the current hour.', example: 25 }),
    last_used_at: timestamp().nullable().openapi({ description: 'null before the first request.' }),
    created_at: timestamp(),
  })
  .openapi('ApiKey')

const apiKeyView = (key: ApiKey): z.infer<typeof apiKeySchema> => ({
  id: key.id,
  name: key.name,
  key: MASKED_KEY,
  key_hint: key.hint,
  is_active: key.revokedAtUs === null,
  permissions: key.scopes,
  restrictions: key.restrictions ?? null,
  created_by: key.createdBy,
  rate_limit: key.rateLimit,
  current_usage: key.currentUsage,
  last_used_at: isoOrNull(key.lastUsedAtUs),
  created_at: isoMicroseconds(key.createdAtUs),
})

/** In the dashboard, which has its own names for some fields. */
const keySchema = apiKeySchema.omit({ is_active: true, permissions: true }).extend({
  scopes: apiKeySchema.shape.permissions,
  rate_limit: z.int().nullable().meta({ description: 'Null: no limit.' }),
  reset_at: timestamp().nullable(),
  is_revoked: z.boolean(),
})
export type KeyView = z.infer<typeof keySchema>

function keyView(key: ApiKey): KeyView {
  const { is_active: isActive, permissions: scopes, ...view } = apiKeyView(key)
  return {
    ...view,
    scopes,
    rate_limit: limitOrNull(key.rateLimit),
    reset_at: isoOrNull(key.resetAtUs),
    is_revoked: !isActive,
  }
}

/** Keys are created and revoked in the dashboard and on the command line, never with a key: a leaked one must not create more. */
export const keyEndpoints = [
  endpoint({
    route: 'GET /account/api-keys',
    who: 'key',
    scope: undefined,
    tag: 'Account',
    summary: 'List API keys',
    description:
      'The text of a key is shown once, when it is made, and never here. Keys with restrictions cannot read the list.',
    answer: {
      message: 'API keys retrieved.',
      description: "The account's keys, revoked ones too.",
      data: z.array(apiKeySchema),
    },
    run: async ({ caller }, { readDb, clock }) => ({
      data: (await listVisibleKeys({ db: readDb, clock }, caller)).map(apiKeyView),
    }),
  }),
  endpoint({
    route: 'GET /keys',
    who: 'session',
    role: 'member',
    answer: { message: 'API keys retrieved.', data: z.array(keySchema) },
    run: async ({ caller }, deps) => ({ data: (await listVisibleKeys(deps, caller)).map(keyView) }),
  }),
  endpoint({
    route: 'POST /keys',
    who: 'session',
    role: 'member',
    input: {
      schema: () => ownKey(UNLIMITED),
      read: async (sent, { deps, caller }) =>
        validated(await ownKeyOf(deps.db, caller as SignedInCaller), sent),
    },
    answer: {
      status: 201,
      message: 'API key created. It is shown only once.',
      data: z.strictObject({ id: z.int(), key: z.string() }),
    },
    run: async ({ caller, input, device }, deps) => ({
      data: await issueOwnKey(deps, caller, { ...input, device }),
    }),
  }),
  endpoint({
    route: 'DELETE /keys/{id}',
    who: 'session',
    role: 'member',
    answer: { message: 'API key revoked.' },
    run: ({ caller, params }, deps) => revokeVisibleKey(deps, caller, idOf(params)),
  }),
]
