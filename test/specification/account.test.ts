import { describe, expect, test } from 'bun:test'
import { SCOPES } from '../../src/access/roles-and-scopes.ts'
import { userById } from '../../src/users/find-user.ts'
import { revokeKey } from '../../src/api-keys/find-key.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { dayOf, isoDay, isoMicroseconds, systemClock } from '../../src/runtime/clock.ts'
import { useCaller } from '../rigs/service/service-rig.ts'
import { statusAndBody, TIMESTAMP, useContractRig } from './contract-rig.ts'

const rig = useContractRig()
const caller = useCaller(rig)

const read = async (path: string, { key } = caller) => (await rig.call('GET', path, { key })).body

describe('the account', () => {
  test('is a user and a subscription, which does not end unless an end was set', async () => {
    const { createdAtUs } = await userById(rig.store.db, caller.userId)
    expect(statusAndBody(await rig.call('GET', '/api/account', { key: caller.key }))).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'Account retrieved.',
        data: {
          user: {
            id: caller.userId,
            name: expect.stringMatching(/^Caller \d+$/),
            email: caller.email,
            created_at: isoMicroseconds(createdAtUs),
          },
          subscription: { plan: 'free', status: 'active', expires_at: null },
        },
      },
    })
    expect(isoMicroseconds(createdAtUs)).toMatch(TIMESTAMP)
  })

  test('shows every plan and status, and when the subscription ends', async () => {
    const { key, workspaceId } = await rig.makeCaller()
    const endsAtUs = Date.UTC(2030, 0, 2, 3, 4, 5) * 1000 + 6
    const plans = ['free', 'pro', 'business', 'enterprise', 'free']
    const statuses = ['active', 'trialing', 'past_due', 'canceled', 'expired']
    for (const [i, subscription_status] of statuses.entries()) {
      await rig.store.db
        .updateTable('workspaces')
        .set({ plan: plans[i]!, subscription_status, subscription_expires_at: endsAtUs })
        .where('id', '=', workspaceId)
        .execute()
      expect((await rig.call('GET', '/api/account', { key })).body.data.subscription).toEqual({
        plan: plans[i],
        status: subscription_status,
        expires_at: '2030-01-02T03:04:05.000006Z',
      })
    }
  })
})

describe('the usage', () => {
  test('is that of the calling key for the current hour, and of the whole account for the days', async () => {
    const account = await rig.makeCaller({ rateLimit: 300 })
    const { db } = rig.store
    const today = dayOf(systemClock.nowUs())
    const daysAgo: [days: number, requests: number][] = [
      [6, 40],
      [7, 500],
      [29, 6_000],
      [30, 70_000],
    ]
    await db
      .insertInto('api_usage_days')
      .values(
        daysAgo.map(([days, requests]) => ({
          workspace_id: account.workspaceId,
          day: today - days,
          requests,
        })),
      )
      .execute()
    const further = await issueKey({ db, clock: systemClock, baseUrl: rig.config.baseUrl }, account, {
      name: 'Further',
      scopes: [],
    })
    await rig.call('GET', '/api/account', { key: further.key })
    await rig.call('GET', '/api/account', { key: account.key })
    const body = await read('/api/account/usage', account)
    expect(body).toEqual({
      success: true,
      message: 'Usage retrieved.',
      data: {
        current_period: {
          requests: 2,
          limit: 300,
          percentage: 0.67,
          reset_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z$/),
        },
        daily_usage: expect.any(Array),
        weekly_usage: 43,
        monthly_usage: 6_543,
      },
    })
    const requestsOf = new Map<number, number>([...daysAgo, [0, 3]])
    expect(body.data.daily_usage).toEqual(
      Array.from({ length: 30 }, (_, i) => ({
        date: isoDay(today - 29 + i),
        requests: requestsOf.get(29 - i) ?? 0,
      })),
    )
  })
})

describe('the list of keys', () => {
  test('has every field of the specification, and the text of no key', async () => {
    const { createdAtUs } = await keyRow(caller.keyId)
    const body = await read('/api/account/api-keys')
    const { lastUsedAtUs, requests } = await keyRow(caller.keyId)
    expect(body).toEqual({
      success: true,
      message: 'API keys retrieved.',
      data: [
        {
          id: caller.keyId,
          name: 'Test key',
          key: `tern_${'*'.repeat(38)}`,
          key_hint: `tern_…${caller.key.slice(-4)}`,
          is_active: true,
          permissions: [...SCOPES],
          restrictions: null,
          created_by: { id: caller.userId, name: caller.actor },
          rate_limit: 1_000_000,
          current_usage: requests,
          last_used_at: isoMicroseconds(lastUsedAtUs!),
          created_at: isoMicroseconds(createdAtUs),
        },
      ],
    })
    expect(JSON.stringify(body)).not.toContain(caller.key.slice(5, 15))
  })

  test('masks all keys alike, keeps revoked ones, and shows the scopes and limit of each', async () => {
    const account = await rig.makeCaller({ scopes: ['links:read'], rateLimit: 50 })
    const deps = { db: rig.store.db, clock: systemClock, baseUrl: rig.config.baseUrl }
    const writer = await issueKey(deps, account, {
      name: 'Writer – Größe',
      scopes: ['links:write', 'links:create'],
    })
    const gone = await issueKey(deps, account, { name: 'Gone', scopes: ['analytics:read'], rateLimit: 9 })
    await revokeKey(deps, gone.id)
    const { data } = await read('/api/account/api-keys', account)
    expect(new Set(data.map(({ key }: { key: string }) => key)).size).toBe(1)
    expect(data.map(({ key_hint }: { key_hint: string }) => key_hint)).toEqual(
      [account, writer, gone].map(({ key }) => `tern_…${key.slice(-4)}`),
    )
    expect(data).toMatchObject([
      { id: account.keyId, is_active: true, permissions: ['links:read'], rate_limit: 50, current_usage: 1 },
      {
        id: writer.id,
        name: 'Writer – Größe',
        is_active: true,
        permissions: ['links:create', 'links:write'],
        rate_limit: 100,
        current_usage: 0,
        last_used_at: null,
      },
      { id: gone.id, is_active: false, permissions: ['analytics:read'], rate_limit: 9, last_used_at: null },
    ])
  })

  test('has no hint for a key that was created before hints were stored', async () => {
    const account = await rig.makeCaller()
    await rig.store.db
      .updateTable('api_keys')
      .set({ key_hint: null })
      .where('id', '=', account.keyId)
      .execute()
    const { data } = await read('/api/account/api-keys', account)
    expect(data).toMatchObject([{ id: account.keyId, key_hint: null }])
  })

  test('shows no usage of an hour that is over', async () => {
    const { key, keyId } = await rig.makeCaller({ rateLimit: 5 })
    const watcher = await rig.makeCaller()
    await rig.store.db
      .updateTable('api_keys')
      .set({
        workspace_id: watcher.workspaceId,
        user_id: watcher.userId,
        window_started_at: 1_000_000,
        window_requests: 5,
      })
      .where('id', '=', keyId)
      .execute()
    const { data } = await read('/api/account/api-keys', watcher)
    expect(data[0]).toMatchObject({ id: keyId, current_usage: 0 })
    expect((await rig.call('GET', '/api/account', { key })).headers.get('x-ratelimit-remaining')).toBe('4')
  })
})

const keyRow = (id: number) =>
  rig.store.db
    .selectFrom('api_keys')
    .select(['created_at as createdAtUs', 'last_used_at as lastUsedAtUs', 'window_requests as requests'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
