import type { RelaxedDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import type { NotFoundCode } from './not-found-codes.ts'

/** The rest of a day's codes is not kept, so that nobody fills the store by inventing some. */
export const CODES_OF_DAY_MAX = 1_000
export const DAYS_KEPT = 30

/** `day`: days since 1970 UTC. */
export function storeNotFound(db: RelaxedDb, day: number, codes: readonly NotFoundCode[]): Promise<void> {
  // Two nodes that write the same rows would wait for each other (docs/decisions/0010-one-order-of-rows.md).
  const inOrder = codes.toSorted((a, b) => a.domainId - b.domainId || (a.code < b.code ? -1 : 1))
  const byDomain = Map.groupBy(inOrder, ({ domainId }) => domainId)
  return transact(db, async (tx) => {
    for (const [domainId, ofDomain] of byDomain) await storeOfDomain(tx, { domainId, day }, ofDomain)
  })
}

type DomainDay = { domainId: number; day: number }

async function storeOfDomain(
  tx: Tx,
  { domainId, day }: DomainDay,
  codes: readonly NotFoundCode[],
): Promise<void> {
  const dayRows = await tx
    .selectFrom('not_found_codes')
    .select('code')
    .where('domain_id', '=', domainId)
    .where('day', '=', day)
    .execute()
  const dayCodes = new Set(dayRows.map(({ code }) => code))
  const newCodes = codes.filter(({ code }) => !dayCodes.has(code)).slice(0, CODES_OF_DAY_MAX - dayCodes.size)
  const countedCodes = new Set([...dayCodes, ...newCodes.map(({ code }) => code)])
  const rows = codes
    .filter(({ code }) => countedCodes.has(code))
    .map(({ code, visits }) => ({ domain_id: domainId, day, code, visits }))
  if (rows.length === 0) return
  await tx
    .insertInto('not_found_codes')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['domain_id', 'day', 'code']).doUpdateSet((eb) => ({
        visits: eb('not_found_codes.visits', '+', eb.ref('excluded.visits')),
      })),
    )
    .execute()
}

export async function forgetNotFound(db: RelaxedDb, today: number): Promise<void> {
  await db
    .deleteFrom('not_found_codes')
    .where('day', '<=', today - DAYS_KEPT)
    .execute()
}
