import { beforeAll, expect, test } from 'bun:test'
import { type TestUser, useOwnDashboardRig } from '../rigs/service/dashboard-rig.ts'
import { invalid } from '../specification/contract-rig.ts'

const rig = useOwnDashboardRig()
let operator: TestUser

beforeAll(async () => {
  // The first account, the operator's, has no limit; those after it have the default.
  operator = await rig.user()
})

test('a key is created with its scopes and limit, shown once, works, is listed masked with its usage, and can be revoked', async () => {
  const { browser, name, userId } = await rig.user()
  const input = { name: 'Deploy', scopes: ['links:read', 'links:create'], rate_limit: 9 }
  const { status, body } = await browser.request('POST', '/keys', input)
  const { id, key } = body.data
  expect([status, key]).toEqual([201, expect.stringMatching(/^tern_[A-Za-z0-9]{38}$/)])
  expect((await rig.call('GET', '/api/links', { key })).status).toBe(200)
  expect((await rig.call('GET', '/api/analytics/overview', { key })).status).toBe(403)
  const listed = await browser.succeed('GET', '/keys')
  expect(listed).toEqual([
    {
      id,
      name: 'Deploy',
      key: `tern_${'*'.repeat(38)}`,
      key_hint: `tern_…${key.slice(-4)}`,
      scopes: ['links:create', 'links:read'],
      restrictions: null,
      created_by: { id: userId, name },
      rate_limit: 9,
      current_usage: 2,
      reset_at: expect.any(String),
      last_used_at: expect.any(String),
      is_revoked: false,
      created_at: expect.any(String),
    },
  ])
  const usage = await browser.succeed('GET', '/usage')
  expect([
    usage.days.length,
    usage.days.at(-1).requests,
    usage.last_seven_days,
    usage.last_thirty_days,
  ]).toEqual([30, 2, 2, 2])
  await browser.succeed('DELETE', `/keys/${id}`)
  expect((await rig.call('GET', '/api/links', { key })).status).toBe(401)
  expect((await browser.succeed('GET', '/keys'))[0].is_revoked).toBe(true)
  expect((await browser.request('DELETE', `/keys/${id}`)).status).toBe(404)
})

test('a key of an operator has the usual limit unless the operator chooses another, or none', async () => {
  const { browser } = operator
  expect(await browser.succeed('GET', '/session')).toMatchObject({
    requests_per_hour: 100,
    has_plans: false,
  })
  const make = (input: object) => browser.succeed('POST', '/keys', { scopes: ['links:read'], ...input })
  const usual = await make({ name: 'Usual' })
  await make({ name: 'High', rate_limit: 500_000 })
  const { key } = await make({ name: 'Free', rate_limit: null })
  expect((await rig.call('GET', '/api/links', { key: usual.key })).headers.get('x-ratelimit-limit')).toBe(
    '100',
  )
  const { headers } = await rig.call('GET', '/api/links', { key })
  expect(headers.get('x-ratelimit-limit')).toBe('1000000000')
  expect(headers.get('x-ratelimit-remaining')).toBe('999999999')
  const limits = (await browser.succeed('GET', '/keys')).map((each: any) => [
    each.rate_limit,
    each.current_usage,
  ])
  expect(limits).toEqual([
    [100, 1],
    [500_000, 0],
    [null, 1],
  ])
})

test.each([
  [{ name: 'K' }, { scopes: ['The scopes field is required: choose at least one.'] }],
  [{ name: 'K', scopes: [] }, { scopes: ['The scopes field is required: choose at least one.'] }],
  // One sentence however many there are: a list of half a million took seconds.
  [{ name: 'K', scopes: [1, 2, 3] }, { scopes: ['The scopes field is required: choose at least one.'] }],
  [
    { name: ' ', scopes: ['links:all'] },
    {
      name: ['The name field is required.'],
      scopes: [
        'There is no scope links:all; there are links:create, links:read, analytics:read, links:write, tags:write, shares:write, domains:write, workspace:write, audit:read.',
      ],
    },
  ],
  [
    { name: 'K', scopes: ['links:read'], rate_limit: 101 },
    { rate_limit: ['The rate limit must be a number of at most 100.'] },
  ],
  [
    { name: 'K', scopes: ['links:read'], rate_limit: null },
    { rate_limit: ['The rate limit must be a number of at most 100.'] },
  ],
  [
    { name: 'K', scopes: ['links:read'], rate_limit: 0.5 },
    { rate_limit: ['The rate limit must be an integer between 1 and 1000000000.'] },
  ],
])('an invalid key is not created: %j', async (input, errors) => {
  const { browser } = await rig.user()
  const { status, body } = await browser.request('POST', '/keys', input)
  expect([status, body]).toEqual([422, invalid(errors as any)])
  expect(await browser.succeed('GET', '/keys')).toEqual([])
})
