import { type Clock, dayOf } from '../../runtime/clock.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import type { Store } from '../../store/open-store.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import type { NotFoundCode } from './not-found-codes.ts'
import { storeNotFound } from './store-not-found.ts'

type KeepDeps = { store: Pick<Store, 'relaxedDb'>; clock: Pick<Clock, 'nowUs'>; log: Log }

/** Of today. While the database is away they are lost. */
export async function keepNotFound(
  { store, clock, log }: KeepDeps,
  codes: readonly NotFoundCode[],
): Promise<void> {
  try {
    await storeNotFound(store.relaxedDb, dayOf(clock.nowUs()), codes)
  } catch (error) {
    if (!isStoreUnavailable(error))
      log.error('Codes that lead nowhere could not be kept.', describeError(error))
  }
}
