import { z } from '@hono/zod-openapi'
import { PLAN_NAMES } from '../../access/plan-names.ts'
import { dailyUsage } from '../../api-keys/daily-usage.ts'
import { dayOf, isoDay, isoMicroseconds, isoOrNull } from '../../runtime/clock.ts'
import { accountOf, ownerOfWorkspace } from '../../users/find-account.ts'
import { exportAccount } from '../../export/export-account.ts'
import { endpoint } from '../dispatch/endpoint.ts'
import { secondFactorMissing } from '../dispatch/permissions.ts'
import { streamedFile } from '../responses/streamed-file.ts'
import { timestamp } from './schemas.ts'

const accountSchema = z
  .strictObject({
    user: z.strictObject({ id: z.int(), name: z.string(), email: z.string(), created_at: timestamp() }),
    subscription: z.strictObject({
      plan: z.string().openapi({ enum: [...PLAN_NAMES] }),
      status: z.string().openapi({ enum: ['active', 'trialing', 'past_due', 'canceled', 'expired'] }),
      expires_at: timestamp().nullable().openapi({ description: 'null when it never ends.' }),
    }),
  })
  .openapi('Account', {
    example: {
      user: {
        id: 1,
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        created_at: '2026-04-20T09:30:00.123456Z',
      },
      subscription: { plan: 'free', status: 'active', expires_at: null },
    },
  })

const usageOfDays = z
  .array(z.strictObject({ date: z.iso.date(), requests: z.int().openapi({ example: 25 }) }))
  .openapi({ description: '30 UTC days, today last.' })

const usageSchema = z
  .strictObject({
    current_period: z.strictObject({
      requests: z.int().openapi({ example: 25 }),
      limit: z.int().openapi({ example: 100 }),
      percentage: z.number().openapi({ example: 25 }),
      reset_at: timestamp(),
    }),
    daily_usage: usageOfDays,
    weekly_usage: z.int().openapi({ description: 'The last 7 days.', example: 140 }),
    monthly_usage: z.int().openapi({ description: 'The last 30 days.', example: 610 }),
  })
  .openapi('Usage')

const workspaceUsageSchema = z.strictObject({
  days: usageOfDays,
  last_seven_days: z.int(),
  last_thirty_days: z.int(),
})
export type UsageView = z.infer<typeof workspaceUsageSchema>

export const accountEndpoints = [
  endpoint({
    route: 'GET /account',
    who: 'key',
    scope: undefined,
    tag: 'Account',
    summary: 'Read the account',
    description:
      'Who the API key belongs to, and the plan: the user who created the key, or the owner of the workspace if that user was removed and the key kept. Keys with restrictions cannot read it.',
    answer: { message: 'Account retrieved.', description: 'The account.', data: accountSchema },
    async run({ caller: { workspaceId, userId, memberRole } }, { readDb }) {
      const account =
        userId === null || memberRole === undefined
          ? await ownerOfWorkspace(readDb, workspaceId)
          : await accountOf(readDb, { workspaceId, userId })
      return {
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
      }
    },
  }),
  endpoint({
    route: 'GET /account/usage',
    who: 'key',
    scope: undefined,
    tag: 'Account',
    summary: 'Read how much of the limit is used',
    description:
      "The current period is the calling key's hour; the other figures are of all the account's keys. Keys with restrictions cannot read it.",
    answer: { message: 'Usage retrieved.', description: 'The usage.', data: usageSchema },
    async run({ caller, usage }, { readDb, clock }) {
      const { days, lastSevenDays, lastThirtyDays } = await dailyUsage(
        { db: readDb, clock },
        caller.workspaceId,
      )
      return {
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
      }
    },
  }),
  endpoint({
    route: 'GET /usage',
    who: 'session',
    role: 'member',
    description: 'Counted requests of all keys of the workspace.',
    answer: { message: 'Usage retrieved.', data: workspaceUsageSchema },
    async run({ caller }, deps) {
      const { days, lastSevenDays, lastThirtyDays } = await dailyUsage(deps, caller.workspaceId)
      return { data: { days, last_seven_days: lastSevenDays, last_thirty_days: lastThirtyDays } }
    },
  }),
  endpoint({
    route: 'GET /export',
    who: 'session',
    role: 'signed-in',
    description: 'All that is stored about the user and the workspace, as JSON lines.',
    answer: {},
    run({ caller, session }, { reportDb: db, callEngine, clickHouse, clock, domains, exportPlaces }) {
      if (session.lacksSecondFactor) throw secondFactorMissing()
      const onEnd = exportPlaces.account.take(caller.workspaceId)
      return streamedFile({
        name: `tern-export-${isoDay(dayOf(clock.nowUs()))}.jsonl`,
        type: 'application/x-ndjson',
        pages: textsOf(exportAccount({ db, callEngine, clickHouse, clock, domains }, caller)),
        onEnd,
      })
    },
  }),
]

async function* textsOf(pages: AsyncIterable<object[]>): AsyncGenerator<string[]> {
  for await (const lines of pages) yield lines.map((line) => JSON.stringify(line) + '\n')
}
