import type { DurableDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'

/** Ends a transaction that nobody wants the effects of. */
class TriedOut extends Error {
  constructor(readonly result: unknown) {
    super('The transaction was only tried out.')
  }
}

/** Does the work in a transaction. A dry run is rolled back, and so says exactly what would have been done. */
export async function transactOrTryOut<Result>(
  db: DurableDb,
  { isDryRun }: { isDryRun: boolean },
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (!isDryRun) return transact(db, work)
  try {
    return await transact(db, async (tx) => {
      throw new TriedOut(await work(tx))
    })
  } catch (error) {
    if (error instanceof TriedOut) return error.result as Result
    throw error
  }
}
