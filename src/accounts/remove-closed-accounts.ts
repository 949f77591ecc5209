import { type RawBuilder, sql } from 'kysely'
import { removeAllSums } from '../clicks/link-days.ts'
import { type Clock, MINUTE_US } from '../clock.ts'
import { lockedToChange } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'

/** Rows a transaction: nobody waits for longer than some hundredths of a second. */
const ROWS_MAX = 500
/** Hours of counters a transaction. */
const HOURS_MAX = 30 * 24
/** Rows looked at in a transaction, where the account's are found by looking at all. */
const LOOKED_AT_MAX = 10_000
/** The last clicks of an account are counted some seconds after its links have stopped. */
const SETTLED_US = MINUTE_US

/** Of so many accounts a time: one look at all codes and clicks serves them all. */
const ACCOUNTS_MAX = 500

/**
 * Removes what closed accounts have left, in small steps that can be broken off anywhere. Their codes stay claimed, by
 * nobody, so that no short address ever leads to a stranger.
 */
export async function removeClosedAccounts(db: Db, clock: Pick<Clock, 'nowUs'>): Promise<void> {
  const closed = await db
    .selectFrom('accounts')
    .select('id')
    .where('closed_at', '<=', clock.nowUs() - SETTLED_US)
    .limit(ACCOUNTS_MAX)
    .execute()
  if (closed.length === 0) return
  const accountIds = closed.map(({ id }) => id)
  for (const id of accountIds) await removeLinks(db, id)
  await releaseCodes(db, accountIds)
  await removeClicks(db, accountIds)
  for (const id of accountIds) await removeAccount(db, id)
}

async function removeLinks(db: Db, accountId: number): Promise<void> {
  for (;;) {
    const ids = await someLinkIds(db, accountId)
    if (ids.length === 0) return
    for (const id of ids) await removeLinkCounters(db, id)
    await transact(db, async (tx) => {
      await tx.deleteFrom('links').where('id', 'in', ids).execute()
      await tx.deleteFrom('link_texts').where('link_id', 'in', ids).execute()
      await lockTotals(tx, ids)
      await tx.deleteFrom('link_totals').where('link_id', 'in', ids).execute()
    })
  }
}

/**
 * Tables that have few rows for each account. Those that are removed when it is closed are among them: whoever was about to
 * sign in, or to make a key, may have done so right after it.
 */
const OWN_ROWS = [
  'sessions',
  'single_use_tokens',
  'recovery_codes',
  'passkeys',
  'api_keys',
  'deleted_links',
  'account_link_counts',
  'account_totals',
  'api_usage_days',
  'idempotency_keys',
] as const

/** SQLite looks through all codes for one that refers to the account: a tenth of a second for a million, the longest step. */
async function removeAccount(db: Db, accountId: number): Promise<void> {
  await removeAccountHours(db, accountId)
  await transact(db, async (tx) => {
    for (const table of OWN_ROWS) await tx.deleteFrom(table).where('account_id', '=', accountId).execute()
    await tx.deleteFrom('accounts').where('id', '=', accountId).execute()
  })
}

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

/** By hour, and the days that were summed up; a much clicked link has many. */
async function removeLinkCounters(db: Db, linkId: number): Promise<void> {
  for (const [from, to] of await stretches(db, sql`link_hours WHERE link_id = ${linkId}`)) {
    await transact(db, async (tx) => {
      await lockTotals(tx, [linkId])
      const hours = tx.deleteFrom('link_hours').where('link_id', '=', linkId)
      await hours.where('hour', '>=', from).where('hour', '<', to).execute()
    })
  }
  await transact(db, (tx) => removeAllSums(tx, linkId))
}

/** As whoever counts clicks does, before the hours: a node that was away may still have some of a closed account. */
async function lockTotals(tx: Db, linkIds: readonly number[]): Promise<void> {
  const totals = tx.selectFrom('link_totals').select('link_id').where('link_id', 'in', linkIds)
  await lockedToChange(tx, totals.orderBy('link_id')).execute()
}

/** One dimension after the other, as they stand in the table: all at once would read all of it for every stretch. */
async function removeAccountHours(db: Db, accountId: number): Promise<void> {
  const own = db.selectFrom('account_hours').where('account_id', '=', accountId)
  for (const { dimension } of await own.select('dimension').distinct().execute()) {
    const place = sql`account_hours WHERE account_id = ${accountId} AND dimension = ${dimension}`
    for (const [from, to] of await stretches(db, place)) {
      await transact(db, async (tx) => {
        const total = tx.selectFrom('account_totals').select('account_id')
        await lockedToChange(tx, total.where('account_id', '=', accountId)).execute()
        await sql`DELETE FROM ${place} AND hour >= ${from} AND hour < ${to}`.execute(tx)
      })
    }
  }
}

/** The hours that these rows have, as stretches from one up to, not including, the next. */
async function stretches(db: Db, place: RawBuilder<unknown>): Promise<[from: number, to: number][]> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    SELECT (SELECT min(hour) FROM ${place}) AS first, (SELECT max(hour) FROM ${place}) AS last`.execute(db)
  const { first, last } = rows[0]!
  if (first === null || last === null) return []
  const count = Math.floor((last - first) / HOURS_MAX) + 1
  return Array.from({ length: count }, (_, i) => [first + i * HOURS_MAX, first + (i + 1) * HOURS_MAX])
}

/** A code is looked up by its text, never by its owner: so all are looked at, a stretch at a time. */
async function releaseCodes(db: Db, accountIds: readonly number[]): Promise<void> {
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
    const own = db
      .selectFrom('codes')
      .select('code')
      .where('code', '>', after)
      .where('code', '<=', last)
      .where('account_id', 'in', accountIds)
      .orderBy('code')
    // In the order of whoever claims some of them, and is to hear that they are taken.
    const released = db.updateTable('codes').set({ account_id: null })
    await released.where('code', 'in', lockedToChange(db, own)).execute()
    after = last
  }
}

async function removeClicks(db: Db, accountIds: readonly number[]): Promise<void> {
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
      .where('account_id', 'in', accountIds)
      .execute()
  }
}
