import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import { limitsLinks } from '../access/key-restrictions.ts'
import { Refusal, refuseFaults } from '../errors/refusal.ts'
import { dayOf, DAY_US } from '../runtime/clock.ts'
import type { Tx } from '../store/handles.ts'
import { BULK_LINKS_MAX, REFUSED_OF_PUBLISHED_KEYS } from './link-fields.ts'

/**
 * Refuses what the key may not send. `sent`: the links as they were sent, before anything is made of them. A field that is null is
 * not set.
 */
export function refuseFieldsOfRestricted({ restrictions }: Caller, sent: unknown): void {
  if (restrictions === undefined || !limitsLinks(restrictions)) return
  // A list that is too long is refused as a whole.
  if (!Array.isArray(sent) || sent.length > BULK_LINKS_MAX) return
  refuseFaults(
    sent.flatMap((link: Record<string, unknown> | null, index) =>
      REFUSED_OF_PUBLISHED_KEYS.filter((field) => link?.[field] != null).map((field) => ({
        index,
        field,
        sentences: [MAY_NOT_SET],
      })),
    ),
  )
}

const MAY_NOT_SET = 'This API key may not set this field.'

/** Counts new links of a key against its day, in the transaction that stores them. Throws if they are too many. */
export async function spendDailyLinks(
  tx: Tx,
  { keyId, restrictions }: Caller,
  { count, nowUs }: { count: number; nowUs: number },
): Promise<void> {
  const max = restrictions?.links_per_day
  if (keyId === undefined || max === undefined || count === 0) return
  const day = dayOf(nowUs)
  const before = sql<number>`CASE WHEN links_day = ${day} THEN links_of_day ELSE 0 END`
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ links_of_day: sql`${before} + ${count}`, links_day: day })
    .where('id', '=', keyId)
    .where(sql<boolean>`${before} + ${count} <= ${max}`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return
  throw new Refusal(
    'daily_limit_reached',
    `This API key may create ${max} links a day (UTC), and has used them up.`,
    {
      retryAfterSeconds: Math.ceil((DAY_US - (nowUs % DAY_US)) / 1_000_000),
    },
  )
}
