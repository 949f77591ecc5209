import { sql } from 'kysely'
import { type Clock, MINUTE_US } from '../clock.ts'
import type { Db } from '../store/open-store.ts'

/** Rows a transaction: nobody waits for longer than some hundredths of a second. */
const ROWS_MAX = 500
/** Hours of counters a transaction. */
const HOURS_MAX = 30 * 24
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
  for (;;) {
    const ids = await someLinkIds(db, accountId)
    if (ids.length === 0) break
    for (const id of ids) await removeHours(db, { linkId: id })
    await removeLinks(db, ids)
  }
  await releaseCodes(db, accountId)
  await removeClicks(db, accountId)
  await removeHours(db, { accountId })
  for (const table of OWN_ROWS) {
    await db.deleteFrom(table).where('account_id', '=', accountId).execute()
  }
  await db.deleteFrom('accounts').where('id', '=', accountId).execute()
}

/** Tables that have few rows for each account. */
const OWN_ROWS = [
  'deleted_links',
  'account_link_counts',
  'account_totals',
  'api_usage_days',
  'idempotency_keys',
] as const

/** Those of deleted links too, which are known by their totals alone. */
async function someLinkIds(db: Db, accountId: number): Promise<number[]> {
  const links = await db
    .selectFrom('links')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(ROWS_MAX)
    .execute()
  if (links.length > 0) return links.map(({ id }) => id)
  const totals = await db
    .selectFrom('link_totals')
    .select('link_id as id')
    .where('account_id', '=', accountId)
    .limit(ROWS_MAX)
    .execute()
  return totals.map(({ id }) => id)
}

async function removeLinks(db: Db, ids: readonly number[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('link_texts').where('link_id', 'in', ids).execute()
    await tx.deleteFrom('link_totals').where('link_id', 'in', ids).execute()
    await tx.deleteFrom('links').where('id', 'in', ids).execute()
  })
}

/** The counters by hour; a much clicked link has many. */
async function removeHours(db: Db, owner: { linkId: number } | { accountId: number }): Promise<void> {
  const [table, column, id] =
    'linkId' in owner
      ? (['link_hours', 'link_id', owner.linkId] as const)
      : (['account_hours', 'account_id', owner.accountId] as const)
  const owned = sql`${sql.table(table)} WHERE ${sql.ref(column)} = ${id}`
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    SELECT min(hour) AS first, max(hour) AS last FROM ${owned}`.execute(db)
  const { first, last } = rows[0]!
  if (first === null || last === null) return
  for (let from = first; from <= last; from += HOURS_MAX) {
    await sql`DELETE FROM ${owned} AND hour >= ${from} AND hour < ${from + HOURS_MAX}`.execute(db)
  }
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
