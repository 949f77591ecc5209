import { z } from '@hono/zod-openapi'
import { accountOf, ownerOfWorkspace } from '../../../users/find-account.ts'
import { PLAN_NAMES } from '../../../access/plan-names.ts'
import { dailyUsage } from '../../../api-keys/daily-usage.ts'
import { listVisibleKeys } from '../../../api-keys/find-key.ts'
import { MASKED_KEY } from '../../../api-keys/key-format.ts'
import { SCOPES } from '../../../access/roles-and-scopes.ts'
import { type Clock, isoMicroseconds, isoOrNull } from '../../../runtime/clock.ts'
import type { ReadDb } from '../../../store/handles.ts'
import type { Endpoint } from '../keyed-endpoint.ts'
import { success } from '../../responses/envelope.ts'
import { timestamp } from '../../endpoints/schemas.ts'
import { envelope } from '../../endpoints/schemas.ts'

type AccountEndpointsDeps = { db: ReadDb; clock: Clock }

/** /api/account. Keys cannot be created here: a leaked key must not create more keys. */
export function accountEndpoints(deps: AccountEndpointsDeps): Endpoint[] {
  return [accountEndpoint(deps), usageEndpoint(deps), keysEndpoint(deps)]
}

function accountEndpoint({ db }: AccountEndpointsDeps): Endpoint {
  return {
    method: 'get',
    path: '/api/account',
    tag: 'Account',
    summary: 'Read the account',
    description:
      'Who the API key belongs to, and the plan: the user who created the key, or the owner of the workspace if that user was removed and the key kept. Keys with restrictions cannot read it.',
    access: 'key',
    scope: undefined,
    answer: {
      status: 200,
      description: 'The account.',
      schema: envelope('Account retrieved.', { data: accountSchema }),
    },
    async handle({ caller }) {
      const { workspaceId, userId, memberRole } = caller
      const account =
        userId === null || memberRole === undefined
          ? await ownerOfWorkspace(db, workspaceId)
          : await accountOf(db, { workspaceId, userId })
      return {
        body: success('Account retrieved.', {
          data: {
            user: {
              id: account.userId,
              name: account.name,
              email: account.email,
              created_at: isoMicroseconds(account.createdAtUs),
            },
            subscription: {
              plan: account.plan,
              status: account.subscriptionStatus,
              expires_at: isoOrNull(account.subscriptionExpiresAtUs),
            },
          },
        }),
      }
    },
  }
}

function usageEndpoint(deps: AccountEndpointsDeps): Endpoint {
  return {
    method: 'get',
    path: '/api/account/usage',
    tag: 'Account',
    summary: 'Read how much of the limit is used',
    description:
      "The current period is the calling key's hour; the other figures are of all the account's keys. Keys with restrictions cannot read it.",
    access: 'key',
    scope: undefined,
    answer: {
      status: 200,
      description: 'The usage.',
      schema: envelope('Usage retrieved.', { data: usageSchema }),
    },
    async handle({ caller, usage }) {
      const { days, lastSevenDays, lastThirtyDays } = await dailyUsage(deps, caller.workspaceId)
      return {
        body: success('Usage retrieved.', {
          data: {
            current_period: {
              requests: usage.used,
              limit: usage.limit,
              percentage: Math.round((usage.used / usage.limit) * 10_000) / 100,
              reset_at: isoMicroseconds(usage.resetAtUs),
            },
            daily_usage: days,
            weekly_usage: lastSevenDays,
            monthly_usage: lastThirtyDays,
          },
        }),
      }
    },
  }
}

function keysEndpoint(deps: AccountEndpointsDeps): Endpoint {
  return {
    method: 'get',
    path: '/api/account/api-keys',
    tag: 'Account',
    summary: 'List API keys',
    description:
      'The text of a key is shown once, when it is made, and never here. Keys with restrictions cannot read the list.',
    access: 'key',
    scope: undefined,
    answer: {
      status: 200,
      description: "The account's keys, revoked ones too.",
      schema: envelope('API keys retrieved.', { data: z.array(apiKeySchema) }),
    },
    async handle({ caller }) {
      const keys = await listVisibleKeys(deps, caller)
      return {
        body: success('API keys retrieved.', {
          data: keys.map((key) => ({
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
          })),
        }),
      }
    },
  }
}

const accountSchema = z
  .strictObject({
    user: z.strictObject({ id: z.int(), name: z.string(), email: z.string(), created_at: timestamp() }),
    subscription: z.strictObject({
      plan: z.enum(PLAN_NAMES),
      status: z.enum(['active', 'trialing', 'past_due', 'canceled', 'expired']),
      expires_at: timestamp().nullable().openapi({ description: 'null when it never ends.' }),
    }),
  })
  .openapi('Account', {
    example: {
      user: {
        ...{ id: 1, name: 'Ada Lovelace', email: 'ada@example.com' },
        created_at: '2026-04-20T09:30:00.123456Z',
      },
      subscription: { plan: 'free', status: 'active', expires_at: null },
    },
  })

const usageSchema = z
  .strictObject({
    current_period: z.strictObject({
      requests: z.int().openapi({ example: 25 }),
      limit: z.int().openapi({ example: 100 }),
      percentage: z.number().openapi({ example: 25 }),
      reset_at: timestamp(),
    }),
    daily_usage: z
      .array(z.strictObject({ date: z.iso.date(), requests: z.int().openapi({ example: 25 }) }))
      .openapi({ description: '30 UTC days, today last.' }),
    weekly_usage: z.int().openapi({ description: 'The last 7 days.', example: 140 }),
    monthly_usage: z.int().openapi({ description: 'The last 30 days.', example: 610 }),
  })
  .openapi('Usage')

const restrictionsSchema = z
  .strictObject({
    domain: z.string().optional(),
    code_prefix: z.string().optional(),
    destination_hosts: z.array(z.string()).optional(),
    links_per_day: z.int().optional(),
    origins: z.array(z.string()).optional(),
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
    restrictions: restrictionsSchema,
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
