import { describe, expect, test } from 'bun:test'
import { assignPlan } from '../../src/operator/assign-plan.ts'
import { issueKey } from '../../src/api-keys/issue-key.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { TestAnswer, TestCaller } from '../rigs/service/service-rig.ts'
import { countLinks, DESTINATION, refusal, statusAndBody, useContractRig } from './contract-rig.ts'

const rig = useContractRig()

const HOUR_SECONDS = 3600
const SECOND_US = 1_000_000

describe('the rate limit of a key', () => {
  test('is in every response to a request with the key, whatever its status, and agrees with the usage', async () => {
    const { key } = await rig.makeCaller({ rateLimit: 40 })
    const scoped = await rig.makeCaller({ scopes: ['links:read'], rateLimit: 40 })
    const unverified = await rig.makeCaller({ isVerified: false, rateLimit: 40 })
    const requests: [status: number, method: string, path: string, key: string, body?: unknown][] = [
      [200, 'GET', '/api/links', key],
      [201, 'POST', '/api/links', key, { original_url: DESTINATION }],
      [400, 'POST', '/api/links', key, '{'],
      [404, 'GET', '/api/links/never-made', key],
      [404, 'GET', '/api/nothing', key],
      [405, 'PATCH', '/api/links', key],
      [413, 'POST', '/api/links', key, 'x'.repeat(2 ** 20 + 1)],
      [422, 'POST', '/api/links', key, {}],
      [403, 'GET', '/api/analytics/overview', scoped.key],
      [403, 'GET', '/api/links', unverified.key],
    ]
    for (const [status, method, path, asKey, body] of requests) {
      const answer = await rig.call(method, path, { key: asKey, body })
      expect(answer.status, `${method} ${path}`).toBe(status)
      const { limit, remaining, resetSeconds } = standing(answer)
      if (asKey === unverified.key) continue
      const { current_period } = await usageOf({ key: asKey })
      expect(current_period.limit).toBe(limit)
      expect(current_period.requests).toBe(limit - remaining + 1)
      expect(Date.parse(current_period.reset_at)).toBe(resetSeconds * 1000)
      expect(current_period.percentage).toBe((current_period.requests / limit) * 100)
    }
  })

  test('is not in responses to requests without a key, nor in redirects', async () => {
    await rig.call('POST', '/api/links', {
      key: (await rig.makeCaller()).key,
      body: { original_url: DESTINATION, custom_code: 'no-limit' },
    })
    for (const path of ['/api/links', '/api/health', '/api/info/no-limit', '/no-limit', '/qr/no-limit']) {
      const names = [...(await rig.call('GET', path)).headers.keys()]
      expect(names.filter((name) => name.includes('ratelimit'))).toEqual([])
    }
  })

  test('starts an hour with the first request, and later ones do not extend it', async () => {
    const caller = await rig.makeCaller({ rateLimit: 40 })
    const first = standing(await rig.call('GET', '/api/links', caller))
    expect(first).toMatchObject({ limit: 40, remaining: 39 })
    const nowSeconds = systemClock.nowUs() / 1_000_000
    expect(first.resetSeconds - nowSeconds).toBeLessThanOrEqual(HOUR_SECONDS)
    expect(first.resetSeconds - nowSeconds).toBeGreaterThan(HOUR_SECONDS - 60)
    const second = standing(await rig.call('GET', '/api/links', caller))
    expect(second).toEqual({ ...first, remaining: 38 })
  })

  test('is by default 100 requests, and follows the plan from the next request on', async () => {
    const caller = await rig.makeCaller()
    const { key } = await furtherKey(caller)
    const ask = async () => standing(await rig.call('GET', '/api/links', { key }))
    expect(await ask()).toMatchObject({ limit: 100, remaining: 99 })
    const deps = { db: rig.store.db, clock: systemClock }
    for (const [plan, limit, remaining] of [
      ['pro', 1_000, 998],
      ['business', 10_000, 9_997],
      ['enterprise', 100_000, 99_996],
      ['free', 100, 95],
    ] as const) {
      await assignPlan(deps, caller.email, plan)
      expect(await ask()).toMatchObject({ limit, remaining })
      expect((await rig.call('GET', '/api/account', caller)).body.data.subscription.plan).toBe(plan)
    }
  })

  test('is the key’s own if one was set, whatever the plan', async () => {
    const caller = await rig.makeCaller()
    const { key } = await furtherKey(caller, 7)
    await assignPlan({ db: rig.store.db, clock: systemClock }, caller.email, 'enterprise')
    expect(standing(await rig.call('GET', '/api/links', { key }))).toMatchObject({ limit: 7, remaining: 6 })
  })
})

describe('over the limit', () => {
  test('requests are 429 with Retry-After, do nothing, do not count and do not extend the hour', async () => {
    const caller = await rig.makeCaller({ rateLimit: 3 })
    const watcher = await furtherKey(caller)
    const create = () =>
      rig.call('POST', '/api/links', { key: caller.key, body: { original_url: DESTINATION } })
    const inside = [await create(), await create(), await create()]
    expect(inside.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(inside.map((answer) => standing(answer).remaining)).toEqual([2, 1, 0])
    const { resetSeconds } = standing(inside[2]!)
    for (let tries = 0; tries < 3; tries++) {
      const answer = await create()
      expect(statusAndBody(answer)).toEqual({
        status: 429,
        body: refusal('rate_limited', 'You have used all 3 requests of this hour.'),
      })
      expect(standing(answer)).toEqual({ limit: 3, remaining: 0, resetSeconds })
      const retryAfter = answer.headers.get('retry-after')!
      expect(retryAfter).toMatch(/^\d{4}$/)
      expect(answer.headers.get('ratelimit')).toBe(`"hour";r=0;t=${retryAfter}`)
    }
    expect(await countLinks(rig, watcher)).toBe(3)
    const keys = (await rig.call('GET', '/api/account/api-keys', watcher)).body.data
    expect(keys[0]).toMatchObject({ id: caller.keyId, rate_limit: 3, current_usage: 3 })
    const usage = await usageOf(watcher)
    expect([usage.daily_usage.at(-1).requests, usage.weekly_usage, usage.monthly_usage]).toEqual([6, 6, 6])
  })

  test('an unverified email address is reported first, a missing scope and an unknown path are not', async () => {
    const unverified = await rig.makeCaller({ isVerified: false, rateLimit: 1 })
    const scoped = await rig.makeCaller({ scopes: ['links:read'], rateLimit: 1 })
    for (const { key } of [unverified, scoped]) await rig.call('GET', '/api/links', { key })
    expect((await rig.call('GET', '/api/links', unverified)).status).toBe(403)
    expect((await rig.call('GET', '/api/analytics/overview', scoped)).status).toBe(429)
    expect((await rig.call('GET', '/api/nothing', scoped)).status).toBe(429)
  })

  test('another key of the same account still works', async () => {
    const caller = await rig.makeCaller({ rateLimit: 1 })
    const { key } = await furtherKey(caller, 2)
    const statuses = []
    for (const asKey of [caller.key, caller.key, key, key, key, caller.key])
      statuses.push((await rig.call('GET', '/api/account', { key: asKey })).status)
    expect(statuses).toEqual([200, 429, 200, 200, 429, 429])
  })

  test('a larger plan takes effect at once', async () => {
    const caller = await rig.makeCaller()
    const { key, id } = await furtherKey(caller)
    const now = systemClock.nowUs()
    // An hour begins on a whole second.
    const startedAt = now - (now % SECOND_US)
    await rig.store.db
      .updateTable('api_keys')
      .set({ window_started_at: startedAt, window_requests: 100 })
      .where('id', '=', id)
      .execute()
    const ask = () => rig.call('GET', '/api/account', { key })
    expect((await ask()).status).toBe(429)
    await assignPlan({ db: rig.store.db, clock: systemClock }, caller.email, 'pro')
    expect((await ask()).status).toBe(200)
    await assignPlan({ db: rig.store.db, clock: systemClock }, caller.email, 'free')
    expect((await ask()).status).toBe(429)
  })

  test('the limit is exact when all requests arrive at the same moment', async () => {
    const { key } = await rig.makeCaller({ rateLimit: 10 })
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => rig.call('GET', '/api/account', { key })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })
})

describe('what is not counted', () => {
  test('is a request without a valid key', async () => {
    const { key } = await rig.makeCaller({ rateLimit: 5 })
    await rig.call('GET', '/api/links', { key })
    for (const headers of [{}, { 'X-API-Key': `${key}x` }, { Authorization: 'Basic dTpw' }])
      expect((await rig.call('GET', '/api/links', { headers })).status).toBe(401)
    expect((await usageOf({ key })).current_period.requests).toBe(2)
  })

  test('is a public request, even with a key', async () => {
    const { key } = await rig.makeCaller({ rateLimit: 5 })
    for (const path of ['/api/health', '/api/stats/public', '/api/info/never-made'])
      await rig.call('GET', path, { key })
    expect((await usageOf({ key })).current_period.requests).toBe(1)
  })
})

/** Where a key stands by the headers of an answer; fails when the two kinds of headers do not agree. */
function standing({ headers }: TestAnswer) {
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN)
  const limit = number('x-ratelimit-limit')
  const remaining = number('x-ratelimit-remaining')
  const resetSeconds = number('x-ratelimit-reset')
  expect(headers.get('ratelimit-policy')).toBe(`"hour";q=${limit};w=${HOUR_SECONDS}`)
  expect(headers.get('ratelimit')).toMatch(new RegExp(`^"hour";r=${remaining};t=\\d{1,4}$`))
  expect(Number.isInteger(resetSeconds)).toBe(true)
  return { limit, remaining, resetSeconds }
}

const usageOf = async ({ key }: Pick<TestCaller, 'key'>) =>
  (await rig.call('GET', '/api/account/usage', { key })).body.data

/** A further key of the caller's account, under the limit of its plan unless it is given its own. */
async function furtherKey(account: TestCaller, rateLimit?: number) {
  const { db } = rig.store
  return issueKey({ db, clock: systemClock, baseUrl: rig.config.baseUrl }, account, {
    name: 'Further',
    scopes: [],
    rateLimit,
  })
}
