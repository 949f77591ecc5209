import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { addUser } from '../../test/rigs/service/add-user.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { usePerTest } from '../../test/rigs/use-rig.ts'
import { manualClock } from '../runtime/clock.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { transact } from '../store/transact.ts'
import { findKey } from './find-key.ts'
import { RequestCounter } from './hourly-limit.ts'
import { issueKey } from './issue-key.ts'
import { KeyCache } from './key-cache.ts'

const rig = usePerTest(openKeyRig, async ({ own, other }) => {
  await own.close()
  await other.close()
})

describe.each(['own', 'other'] as const)('a change by the %s connection', (which) => {
  test.each(CHANGES)('holds at once: %s', async (statement, change) => {
    expect(await found()).toMatchObject({ memberRole: 'owner', rateLimit: 100, isSuspended: false })
    await sql.raw(statement).execute(rig[which].db)
    const now = await found()
    if (change === undefined) expect(now).toBeUndefined()
    else expect(now).toMatchObject(change)
  })
})

test('a change that is rolled back, and then another one, are two', async () => {
  const suspend = sql`UPDATE workspaces SET suspended_at = 5`
  for (const error of ['first', 'second']) {
    const change = transact(rig.own.db, async (tx) => {
      await suspend.execute(tx)
      // Another request comes while it is under way.
      void rig.cache.find(rig.key)
      throw new Error(error)
    })
    await expect(change).rejects.toThrow(error)
    expect(await found()).toMatchObject({ isSuspended: false })
  }
  await suspend.execute(rig.own.db)
  expect(await found()).toMatchObject({ isSuspended: true })
})

test('counting a request leaves what is known', async () => {
  const key = (await found())!
  const before = rig.own.callersVersion()
  const counter = new RequestCounter(rig.deps)
  for (let requests = 0; requests < 2; requests++) {
    const { stored } = await counter.count(key)
    await stored
    rig.deps.clock.advance(1)
  }
  expect(rig.own.callersVersion()).toBe(before)
})

test('a text that is no key is not one after a key was found', async () => {
  await found()
  expect(await rig.cache.find(`${rig.key}x`)).toBeUndefined()
})

/** `other`: another connection, as those of the other threads and of commands are. */
async function openKeyRig(dataDir: string) {
  const own = await openSqliteStore(dataDir, 'own-thread')
  const other = await openSqliteStore(dataDir, 'same-thread')
  const deps = { db: own.db, clock: manualClock(NOON_US), baseUrl: 'https://s.example' }
  const account = await addUser(deps, { name: 'Ann', email: 'ann@example.com' })
  const { key } = await issueKey(deps, account, { name: 'Key', scopes: ['links:read'] })
  return { own, other, deps, key, cache: new KeyCache(own) }
}

/** What the cache says, which must be what the store says. */
async function found() {
  const cached = await rig.cache.find(rig.key)
  expect(cached).toEqual(await findKey(rig.own, rig.key))
  return cached
}

const CHANGES = [
  ['UPDATE api_keys SET scopes = \'["links:create"]\'', { scopes: ['links:create'] }],
  ['UPDATE api_keys SET rate_limit = 7', { rateLimit: 7 }],
  ['UPDATE api_keys SET revoked_at = 5', undefined],
  ['DELETE FROM api_keys', undefined],
  ['UPDATE users SET email_verified_at = NULL', { isEmailVerified: false }],
  ['UPDATE users SET suspended_at = 5', { isSuspended: true }],
  ['UPDATE workspaces SET suspended_at = 5', { isSuspended: true }],
  ['UPDATE workspaces SET requires_second_factor = 1', { lacksSecondFactor: true }],
  ["UPDATE workspaces SET plan = 'pro'", { rateLimit: 1000 }],
  ["UPDATE members SET role = 'viewer'", { memberRole: 'viewer' }],
  ['DELETE FROM members', undefined],
] as const
