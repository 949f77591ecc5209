import { expect, test } from 'bun:test'
import { addAccount } from '../../test/rigs/service/add-account.ts'
import { useSharedStore } from '../../test/rigs/store/test-store.ts'
import { systemClock } from '../runtime/clock.ts'
import { changeUser } from './manage-users.ts'

const store = useSharedStore()

test('the only operator keeps the role, also where there is no other user', async () => {
  const { userId } = await addAccount(store.db, { email: 'ann@example.com', role: 'admin' })
  const changing = changeUser({ db: store.db, clock: systemClock }, userId, { role: 'user' })
  await expect(changing).rejects.toMatchObject({ code: 'last_operator' })
  const user = await store.db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  expect(user).toEqual({ role: 'admin' })
})
