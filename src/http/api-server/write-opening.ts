import { isLimitReached, type OpeningDeps, returnOpening, spendOpening } from '../../links/link-openings.ts'
import { describeError, type Log } from '../../runtime/log.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import type { OpeningAnswer, OpeningOutcome, OpeningRequest } from './opening-requests.ts'

/** For the redirect thread, which never waits for the disk itself. */
export async function writeOpening(
  { log, ...deps }: OpeningDeps & { log: Log },
  request: OpeningRequest,
): Promise<OpeningAnswer> {
  const { id } = request
  try {
    return { kind: 'opening', id, outcome: await outcomeOf(deps, request) }
  } catch (error) {
    if (!isStoreUnavailable(error)) log.error('Could not write or read an opening.', describeError(error))
    return { kind: 'opening', id, outcome: 'unknown' }
  }
}

async function outcomeOf(
  { db, clock }: OpeningDeps,
  { kind, linkId }: OpeningRequest,
): Promise<OpeningOutcome> {
  switch (kind) {
    case 'spend-opening':
      return (await spendOpening({ db, clock }, linkId)) ? 'spent' : 'none left'
    case 'check-limit':
      return (await isLimitReached(db, linkId)) ? 'none left' : 'some left'
    case 'return-opening':
      await returnOpening(db, linkId)
      return 'some left'
  }
}
