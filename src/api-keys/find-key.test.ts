import { beforeEach, expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import type { Account } from '../users/account.ts'
import { assignPlan } from '../operator/assign-plan.ts'
import { verifyEmail } from '../users/sign-up/verify-email.ts'
import { HOUR_US } from '../runtime/clock.ts'
import { findKey, listKeys, revokeKey } from './find-key.ts'
import { RequestCounter } from './hourly-limit.ts'
import { issueKey } from './issue-key.ts'
import { hintOf, makeKey } from './key-format.ts'

const rig = useAccountRig()
let account: Account

beforeEach(async () => {
  account = await rig.makeAccount()
})

const issue = (owner = account) => issueKey(rig.deps, owner, { name: 'Key', scopes: ['links:read'] })

test('a key is found by its text, with what its account is allowed now', async () => {
  const { id, key } = await issue()
  await issue()
  const found = {
    id,
    workspaceId: account.workspaceId,
    userId: account.userId,
    createdBy: { id: account.userId, name: 'Ann' },
    isKept: false,
    name: 'Key',
    hint: hintOf(key),
    scopes: ['links:read'],
    rateLimit: 100,
    revokedAtUs: null,
    createdAtUs: NOON_US,
    isEmailVerified: false,
    isSuspended: false,
    memberRole: 'owner',
    lacksSecondFactor: false,
  }
  expect(await findKey(rig.deps, key)).toEqual(found as never)
  await verifyEmail(rig.deps, account.email)
  await assignPlan(rig.deps, account.email, 'pro')
  expect(await findKey(rig.deps, key)).toEqual({ ...found, isEmailVerified: true, rateLimit: 1000 } as never)
})

test('no other text finds a key', async () => {
  const { key } = await issue()
  const last = key.endsWith('A') ? 'B' : 'A'
  for (const text of [
    '',
    'tern_',
    key.slice(0, -1) + last,
    ` ${key}`,
    key.toLowerCase(),
    makeKey(),
    `${key}%`,
  ]) {
    expect([text, await findKey(rig.deps, text)]).toEqual([text, undefined])
  }
})

test('a key is revoked once, alone, and stays in its account’s list', async () => {
  const bob = await rig.makeAccount({ email: 'bob@example.com' })
  const [first, second, bobs] = [await issue(), await issue(), await issue(bob)]
  rig.clock.advance(HOUR_US)
  await revokeKey(rig.deps, first.id)
  expect(await findKey(rig.deps, first.key)).toBeUndefined()
  expect((await findKey(rig.deps, second.key))?.id).toBe(second.id)
  const listed = await listKeys(rig.deps, account.workspaceId)
  expect(listed.map(({ id, revokedAtUs }) => [id, revokedAtUs])).toEqual([
    [first.id, NOON_US + HOUR_US],
    [second.id, null],
  ])
  expect((await listKeys(rig.deps, bob.workspaceId)).map(({ id }) => id)).toEqual([bobs.id])
  for (const id of [first.id, 404]) {
    await expect(revokeKey(rig.deps, id)).rejects.toMatchObject({
      kind: 'not-found',
      message: `There is no active key with the id ${id}.`,
    })
  }
})

test('an hour that is over shows no usage', async () => {
  const { key } = await issue()
  const { stored } = await new RequestCounter(rig.deps).count((await findKey(rig.deps, key))!)
  await stored
  const listed = () => listKeys(rig.deps, account.workspaceId)
  expect(await listed()).toMatchObject([{ currentUsage: 1, resetAtUs: NOON_US + HOUR_US }])
  rig.clock.advance(HOUR_US)
  expect(await listed()).toMatchObject([{ currentUsage: 0, resetAtUs: null, lastUsedAtUs: NOON_US }])
})
