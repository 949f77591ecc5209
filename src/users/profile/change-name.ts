import { invalid } from '../../errors/refusal.ts'
import type { DurableDb } from '../../store/handles.ts'
import { nameErrors } from '../sign-up/create-account.ts'

export async function changeName(db: DurableDb, userId: number, name: unknown): Promise<void> {
  const errors = nameErrors(name)
  if (errors.length > 0) throw invalid({ name: errors })
  await db
    .updateTable('users')
    .set({ name: (name as string).trim() })
    .where('id', '=', userId)
    .execute()
}
