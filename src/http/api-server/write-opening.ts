import { returnOpening, spendOpening } from '../../links/link-openings.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import type { DurableDb } from '../../store/handles.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import type { OpeningAnswer, OpeningRequest } from './opening-requests.ts'

/** For the redirect thread, which never waits for the disk itself. Undefined where it waits for no answer. */
export async function writeOpening(
  { db, log }: { db: DurableDb; log: Log },
  request: OpeningRequest,
): Promise<OpeningAnswer | undefined> {
  try {
    if (request.kind === 'return-opening') return void (await returnOpening(db, request.linkId))
    const outcome = await spendOpening(db, request.linkId)
    return { kind: 'opening', id: request.id, outcome }
  } catch (error) {
    if (!isStoreUnavailable(error)) log.error('Could not write an opening.', describeError(error))
    return request.kind === 'spend-opening'
      ? { kind: 'opening', id: request.id, outcome: 'unknown' }
      : undefined
  }
}
