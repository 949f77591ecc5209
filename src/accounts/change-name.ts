import { invalid } from '../refusal.ts'
import type { Db } from '../store/open-store.ts'
import { nameFaults } from './create-account.ts'

export async function changeName(db: Db, accountId: number, name: unknown): Promise<void> {
  const faults = nameFaults(name)
  if (faults.length > 0) throw invalid({ name: faults })
  await db
    .updateTable('accounts')
    .set({ name: (name as string).trim() })
    .where('id', '=', accountId)
    .execute()
}
