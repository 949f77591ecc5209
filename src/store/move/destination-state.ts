import { Refusal } from '../../errors/refusal.ts'
import { refuseMarked, type StoreIdentity } from '../store-identity.ts'

/**
 * How far a move from this source into this destination has come. Each mark is set in its own transaction and in this
 * order, so a move that was killed at any point has left one of these states:
 *
 *   whole ──(destination marked)──▶ begun ──(filled and compared; source marked)──▶ filled ──(mark removed)──▶ finished
 *
 * The source accepts writes up to 'begun', the destination from 'finished' on, and neither in between. 'whole' is a
 * destination without a move; 'left' is a store that was itself moved away.
 */
export type DestinationState = 'whole' | 'left' | 'begun' | 'filled' | 'finished'

export type Named = { identity: StoreIdentity; location: string }

export function stateOf(source: Named, destination: Named): DestinationState {
  const { id, filled_from: filledFrom, moved_to: movedTo } = destination.identity
  const isOurs = filledFrom === source.identity.id
  if (filledFrom !== null && !isOurs) {
    throw new Refusal(
      'command_failed',
      `A move from another store into ${destination.location} is not finished: finish that one, or name an empty place.`,
    )
  }
  if (source.identity.moved_to !== null) {
    if (source.identity.moved_to !== id) refuseMarked(source.identity)
    return isOurs ? 'filled' : 'finished'
  }
  if (isOurs) return 'begun'
  return movedTo === null ? 'whole' : 'left'
}

export const notEmpty = (location: string, table: string): Refusal =>
  new Refusal('command_failed', `${location} holds a store already (${table} has rows): name an empty place.`)
