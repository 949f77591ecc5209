import { beforeEach, expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import type { Account } from '../users/account.ts'
import { SCOPES } from '../access/roles-and-scopes.ts'
import type { FieldErrors } from '../errors/refusal.ts'
import { revokeKey } from './find-key.ts'
import { DAY_US } from '../runtime/clock.ts'
import { ACTIVE_KEYS_MAX, issueKey, type NewKey } from './issue-key.ts'
import { hashKey, hintOf } from './key-format.ts'

const rig = useAccountRig()
let account: Account

beforeEach(async () => {
  account = await rig.makeAccount()
})

const GOOD_KEY: NewKey = { name: 'Key', scopes: [] }

test('of a key only its hash and its hint are stored', async () => {
  const { id, key } = await issue({ name: ' Key ', rateLimit: 7 })
  const rows = await rig.keys()
  expect(rows).toEqual([
    {
      id,
      workspace_id: account.workspaceId,
      user_id: account.userId,
      is_kept: 0,
      name: 'Key',
      key_hash: hashKey(key),
      key_hint: hintOf(key),
      scopes: JSON.stringify(SCOPES),
      rate_limit: 7,
      window_started_at: null,
      window_requests: 0,
      last_used_at: null,
      revoked_at: null,
      created_at: NOON_US,
      restrictions: null,
      links_day: null,
      links_of_day: 0,
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(key)
})

test('scopes are kept once each and in one order, and the limit is the plan’s unless it is given', async () => {
  await issue({ scopes: ['links:write', 'links:read', 'links:write'] })
  const [row] = await rig.keys()
  expect(JSON.parse(row!.scopes)).toEqual(['links:read', 'links:write'])
  expect(row!.rate_limit).toBeNull()
})

const RATE_LIMIT = { rate_limit: ['The rate limit must be an integer between 1 and 1000000000.'] }
const NAME = { name: ['The name must be at most 255 characters, without control characters.'] }
const CASES: [change: Partial<NewKey>, fields: FieldErrors][] = [
  [{ name: ' ' }, { name: ['The name field is required.'] }],
  [{ name: 'x'.repeat(256) }, NAME],
  [{ name: 'a\nb' }, NAME],
  [{ name: 'a\ud800' }, NAME],
  [{ rateLimit: 0 }, RATE_LIMIT],
  [{ rateLimit: 1.5 }, RATE_LIMIT],
  [{ rateLimit: Number.NaN }, RATE_LIMIT],
  [{ rateLimit: 1_000_000_001 }, RATE_LIMIT],
  [
    { scopes: ['links:read', 'all', 'links:delete'] },
    { scopes: [`There is no scope all, links:delete; there are ${SCOPES.join(', ')}.`] },
  ],
]
test.each(CASES)('a value that breaks a rule is refused and no key is made: %j', async (change, fields) => {
  await expect(issue(change)).rejects.toMatchObject({ kind: 'invalid', fields })
  expect(await rig.keys()).toEqual([])
})

test('an account has a limit of active keys, however many are asked for at once', async () => {
  const other = await rig.makeAccount({ email: 'bob@example.com' })
  const ends = await Promise.allSettled(Array.from({ length: ACTIVE_KEYS_MAX + 5 }, () => issue()))
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(refusals).toHaveLength(5)
  expect(refusals[0]).toMatchObject({
    kind: 'invalid',
    fields: { name: ['There can be at most 20 active keys. Revoke one first.'] },
  })
  expect(await rig.keys()).toHaveLength(ACTIVE_KEYS_MAX)
  await issue({}, other)
  await revokeKey(rig.deps, 1)
  await issue()
  await expect(issue()).rejects.toMatchObject({ kind: 'invalid' })
})

test('making keys and revoking them in turn ends at fifty a day: each would have an hour of requests of its own', async () => {
  for (let i = 0; i < 50; i++) await revokeKey(rig.deps, (await issue()).id)
  await expect(issue()).rejects.toMatchObject({
    kind: 'invalid',
    fields: { name: ['At most 50 keys can be created a day. Try again tomorrow.'] },
  })
  await issue({}, await rig.makeAccount({ email: 'bob@example.com' }))
  rig.clock.advance(DAY_US)
  await issue()
})

const issue = (change: Partial<NewKey> = {}, owner = account) =>
  issueKey(rig.deps, owner, { ...GOOD_KEY, ...change })
