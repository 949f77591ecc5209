import type { Kysely } from 'kysely'
import { isoMicroseconds } from '../runtime/clock.ts'
import type { StoreIdentityTable } from './schema.ts'

/** Which store it is, and what a move (`tern store move`) has made of it. */
export type StoreIdentity = StoreIdentityTable

/** Thrown when the store was moved elsewhere. */
export class MovedStore extends Error {}

/** Thrown when the store is the destination of an unfinished move. */
export class UnfinishedMove extends Error {}

/** Throws if the store was moved away, or a move into it is unfinished. */
export async function refuseNotInUse(db: Pick<Kysely<any>, 'selectFrom'>): Promise<void> {
  const identity = await db.selectFrom('store_identity').selectAll().executeTakeFirst()
  if (identity !== undefined) refuseMarked(identity as StoreIdentity)
}

/** The same for an identity that was already read. */
export function refuseMarked({ filled_from, moved_to, moved_place, moved_at }: StoreIdentity): void {
  if (filled_from !== null) {
    throw new UnfinishedMove(
      'A move into this store is not finished: run the same tern store move once more. Until then its source is good.',
    )
  }
  if (moved_to === null) return
  const at = isoMicroseconds(Number(moved_at)).slice(0, 19)
  throw new MovedStore(
    `This store was moved to ${moved_place} at ${at}Z: ${howToGoThere(moved_place!)}. To use it again as it was then, without all that has changed since, see tern store reopen --help.`,
  )
}

const howToGoThere = (place: string) =>
  place.startsWith('sqlite:') ? 'unset DATABASE_URL, with DATA_DIR that folder' : 'set DATABASE_URL to it'
