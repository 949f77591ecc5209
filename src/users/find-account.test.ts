import { expect, test } from 'bun:test'
import { useAccountRig } from '../../test/rigs/service/account-rig.ts'
import { NOON_US } from '../../test/rigs/clicks/journal-rig.ts'
import { HOUR_US } from '../runtime/clock.ts'
import { accountByEmail, accountOf, listAccounts, ownerOfWorkspace } from './find-account.ts'
import { verifyEmail } from './sign-up/verify-email.ts'

const rig = useAccountRig()

const unknown = { kind: 'not-found', message: 'There is no account with the email no@example.com.' }

test('an account is found by its id, by its address in any spelling, and in the list', async () => {
  const ann = await rig.makeAccount()
  const bob = await rig.makeAccount({ email: 'bob@example.com', isVerified: true })
  expect(await accountOf(rig.db, bob)).toEqual(bob)
  expect(await ownerOfWorkspace(rig.db, bob.workspaceId)).toEqual(bob)
  expect(await accountByEmail(rig.db, ' ANN@example.com')).toEqual(ann)
  expect(await listAccounts(rig.db)).toEqual([ann, bob])
  await expect(accountByEmail(rig.db, 'no@example.com')).rejects.toMatchObject(unknown)
  const elsewhere = { workspaceId: ann.workspaceId, userId: bob.userId }
  await expect(accountOf(rig.db, elsewhere)).rejects.toMatchObject({
    kind: 'not-found',
    message: 'Workspace not found.',
  })
})

test('an address is verified once, and stays verified since then', async () => {
  const ann = await rig.makeAccount()
  await rig.makeAccount({ email: 'bob@example.com' })
  rig.clock.advance(HOUR_US)
  const verified = { ...ann, emailVerifiedAtUs: NOON_US + HOUR_US }
  expect(await verifyEmail(rig.deps, 'Ann@example.com')).toEqual(verified)
  rig.clock.advance(HOUR_US)
  expect(await verifyEmail(rig.deps, 'ann@example.com')).toEqual(verified)
  expect((await accountByEmail(rig.db, 'bob@example.com')).emailVerifiedAtUs).toBeNull()
  await expect(verifyEmail(rig.deps, 'no@example.com')).rejects.toMatchObject(unknown)
})
