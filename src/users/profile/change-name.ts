import type { Clock } from '../../runtime/clock.ts'
import type { DurableDb } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { lockUser, userById } from '../find-user.ts'
import { type OwnActor, recordOwnChange } from '../members/record-own-change.ts'

export async function changeName(
  { db, clock }: { db: DurableDb; clock: Pick<Clock, 'nowUs'> },
  by: OwnActor,
  name: string,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockUser(tx, by.userId)
    const before = await userById(tx, by.userId)
    if (name === before.name) return
    await tx.updateTable('users').set({ name }).where('id', '=', by.userId).execute()
    await recordOwnChange(tx, by, {
      nowUs: clock.nowUs(),
      action: 'member.updated',
      target: before.email,
      targetId: by.userId,
      changes: { name: { from: before.name, to: name } },
    })
  })
}
