import { expect, spyOn, test } from 'bun:test'
import { GOOD, useAccountRig } from '../../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import type { FieldErrors, Refusal } from '../../errors/refusal.ts'
import type { NewAccount } from './create-account.ts'

const rig = useAccountRig()

test('an account is new, on the free plan, and shows no password', async () => {
  const account = await rig.makeAccount({ name: '  Ann ', email: ' Ann@Example.com' })
  expect(account).toEqual({
    userId: 1,
    workspaceId: 1,
    name: 'Ann',
    email: 'ann@example.com',
    emailVerifiedAtUs: null,
    plan: 'free',
    subscriptionStatus: 'active',
    subscriptionExpiresAtUs: null,
    createdAtUs: NOON_US,
    role: 'admin',
    rateLimit: null,
    suspendedAtUs: null,
    workspaceSuspendedAtUs: null,
    lastSignedInAtUs: null,
    hasPassword: true,
    hasSecondFactor: false,
  })
  const [row] = await rig.users()
  expect(await Bun.password.verify(GOOD.password, row!.password_hash)).toBe(true)
})

test('an account that the operator vouches for is verified from the start', async () => {
  expect((await rig.makeAccount({ isVerified: true })).emailVerifiedAtUs).toBe(NOON_US)
})

test('a name that is refused is not looked for in the password: it may be a megabyte of accents', async () => {
  const normalize = spyOn(String.prototype, 'normalize')
  const name = `a${'\u0301'.repeat(600)}${'\u0316'.repeat(600)}`
  await expect(rig.makeAccount({ name })).rejects.toMatchObject({
    fields: { name: ['The name may not be greater than 255 characters.'] },
  })
  const long = normalize.mock.contexts.filter((text) => String(text).length > 1_024)
  normalize.mockRestore()
  expect(long).toEqual([])
})

const CASES: [change: Partial<NewAccount>, fields: FieldErrors][] = [
  [{ name: ' ' }, { name: ['The name field is required.'] }],
  [{ name: '🐦'.repeat(256) }, { name: ['The name may not be greater than 255 characters.'] }],
  [{ name: 'A\u0007nn' }, { name: ['The name may not contain control characters.'] }],
  [{ name: 'Ann\ud800' }, { name: ['The name may not contain control characters.'] }],
  [{ email: 'ann' }, { email: ['The email must be a valid email address.'] }],
  [{ password: 'short' }, { password: ['The password must be at least 12 characters.'] }],
  [
    { name: '', email: '', password: '' },
    {
      name: ['The name field is required.'],
      email: ['The email field is required.'],
      password: ['The password field is required.'],
    },
  ],
]
test.each(CASES)(
  'a value that breaks a rule is refused and nothing is stored: %j',
  async (change, fields) => {
    const refusal: Refusal = await rig.makeAccount(change).catch((error) => error)
    expect(refusal).toMatchObject({ kind: 'invalid', fields })
    expect(await rig.users()).toEqual([])
  },
)

test('an address has one account, however it is spelled and whichever request is first', async () => {
  const ends = await Promise.allSettled([
    rig.makeAccount(),
    rig.makeAccount({ email: 'ANN@example.com' }),
    rig.makeAccount({ email: ' ann@EXAMPLE.com ' }),
  ])
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(refusals).toHaveLength(2)
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      kind: 'invalid',
      fields: { email: ['The email has already been taken.'] },
    })
  }
  expect(await rig.users()).toHaveLength(1)
})

test('the longest name is taken', async () => {
  expect((await rig.makeAccount({ name: '🐦'.repeat(255) })).name).toBe('🐦'.repeat(255))
})
