import { type Clock, MINUTE_US } from '../clock.ts'
import type { Db } from '../store/open-store.ts'

/** Rows a transaction: nobody waits for longer than some hundredths of a second. */
const ROWS_MAX = 500
/** Rows looked at in a transaction, where the account's are found by looking at all. */
const LOOKED_AT_MAX = 10_000
/** The last clicks of an account are counted some seconds after its links have stopped. */
const SETTLED_US = MINUTE_US

/**
 * Removes what closed accounts have left, in small steps that can be broken off anywhere. Their codes stay claimed, by
 * nobody, so that no short address ever leads to a stranger.
 */
export async function removeClosedAccounts(db: Db, clock: Pick<Clock, 'nowUs'>): Promise<void> {
  const closed = await db
    .selectFrom('accounts')
    .select('id')
    .where('closed_at', '<=', clock.nowUs() - SETTLED_US)
    .execute()
  for (const { id } of closed) await removeAccount(db, id)
}

async function removeAccount(db: Db, accountId: number): Promise<void> {
  while (await removeSomeLinks(db, accountId));
  await releaseCodes(db, accountId)
  await removeClicks(db, accountId)
  for (const table of OWN_ROWS) {
    await db.deleteFrom(table).where('account_id', '=', accountId).execute()
  }
  await db.deleteFrom('accounts').where('id', '=', accountId).execute()
}

/** Tables that have a bounded number of rows for each account, or for each of its hours. */
const OWN_ROWS = [
  'deleted_links',
  'account_link_counts',
  'account_totals',
  'account_hours',
  'api_usage_days',
  'idempotency_keys',
] as const

/** Those of deleted links too, which are known by their totals alone. */
async function removeSomeLinks(db: Db, accountId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const links = await tx
      .selectFrom('links')
      .select('id')
      .where('account_id', '=', accountId)
      .limit(ROWS_MAX)
      .execute()
    const totals = await tx
      .selectFrom('link_totals')
      .select('link_id as id')
      .where('account_id', '=', accountId)
      .limit(ROWS_MAX)
      .execute()
    const ids = [...new Set([...links, ...totals].map(({ id }) => id))]
    if (ids.length === 0) return false
    await tx.deleteFrom('link_texts').where('link_id', 'in', ids).execute()
    await tx.deleteFrom('link_totals').where('link_id', 'in', ids).execute()
    await tx.deleteFrom('link_hours').where('link_id', 'in', ids).execute()
    await tx.deleteFrom('links').where('id', 'in', ids).execute()
    return true
  })
}

/** A code is looked up by its text, never by its owner: so all are looked at, a stretch at a time. */
async function releaseCodes(db: Db, accountId: number): Promise<void> {
  let after = ''
  for (;;) {
    const stretch = db
      .selectFrom('codes')
      .select('code')
      .where('code', '>', after)
      .orderBy('code')
      .limit(LOOKED_AT_MAX)
    const { last } = await db
      .selectFrom(stretch.as('stretch'))
      .select((eb) => eb.fn.max<string | null>('code').as('last'))
      .executeTakeFirstOrThrow()
    if (last === null) return
    await db
      .updateTable('codes')
      .set({ account_id: null })
      .where('code', '>', after)
      .where('code', '<=', last)
      .where('account_id', '=', accountId)
      .execute()
    after = last
  }
}

async function removeClicks(db: Db, accountId: number): Promise<void> {
  const { first, last } = await db
    .selectFrom('clicks')
    .select((eb) => [eb.fn.min<number | null>('id').as('first'), eb.fn.max<number | null>('id').as('last')])
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return
  for (let from = first; from <= last; from += LOOKED_AT_MAX) {
    await db
      .deleteFrom('clicks')
      .where('id', '>=', from)
      .where('id', '<', from + LOOKED_AT_MAX)
      .where('account_id', '=', accountId)
      .execute()
  }
}
