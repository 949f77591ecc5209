import { Refusal } from '../../errors/refusal.ts'
import { isStoreUnavailable, refusesChanges } from '../../store/store-errors.ts'

const STORE_RETRY_SECONDS = 5

/** What an error is to the client. Undefined: a bug. */
export function refusalOf(error: unknown, method: string): Refusal | undefined {
  if (error instanceof Refusal) return error
  // Logged where it was noticed, once for all requests: StoreOutage.
  return isStoreUnavailable(error) ? storeDown(error, method) : undefined
}

/** It passes, and is not a bug: a full disk, say. With a key a read also stores that it was made. */
function storeDown(error: unknown, method: string): Refusal {
  const isRead = method === 'GET' && !refusesChanges(error, true)
  return new Refusal(
    'store_unavailable',
    isRead
      ? 'The database cannot be read at the moment. Try again in a few seconds.'
      : 'Nothing can be stored at the moment. Try again in a few seconds.',
    { retryAfterSeconds: STORE_RETRY_SECONDS },
  )
}
