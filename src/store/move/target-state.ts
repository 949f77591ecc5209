import { Refusal } from '../../refusal.ts'
import { refuseMarked, type StoreIdentity } from '../store-identity.ts'

/**
 * How far a move from this source into this target has come. The marks are made in this order, each in a transaction of
 * its own, so wherever a move was killed, one of these is what is found:
 *
 *   whole ──(target marked)──▶ begun ──(filled and compared; source marked)──▶ filled ──(target's mark removed)──▶ finished
 *
 * The source takes writes up to 'begun', the target from 'finished' on, and neither in between. 'whole' is a target that
 * no move has to do with; 'left' is one that was itself moved away.
 */
export type TargetState = 'whole' | 'left' | 'begun' | 'filled' | 'finished'

export type Named = { identity: StoreIdentity; place: string }

export function stateOf(source: Named, target: Named): TargetState {
  const { id, filled_from: filledFrom, moved_to: movedTo } = target.identity
  const isOurs = filledFrom === source.identity.id
  if (filledFrom !== null && !isOurs) {
    throw new Refusal(
      'invalid',
      `A move from another store into ${target.place} is not finished: finish that one, or name an empty place.`,
    )
  }
  if (source.identity.moved_to !== null) {
    if (source.identity.moved_to !== id) refuseMarked(source.identity)
    return isOurs ? 'filled' : 'finished'
  }
  if (isOurs) return 'begun'
  return movedTo === null ? 'whole' : 'left'
}

/** To be called with a table that has rows. */
export const notEmpty = (place: string, table: string): Refusal =>
  new Refusal('invalid', `${place} holds a store already (${table} has rows): name an empty place.`)
