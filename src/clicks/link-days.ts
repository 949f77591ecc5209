import { type RawBuilder, sql } from 'kysely'
import { hourOf, HOURS_OF_DAY, MINUTE_US } from '../clock.ts'
import { lock, readLocked, wholeNumber } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { transact } from '../store/transact.ts'
import { DIMENSIONS } from './rollups.ts'

/** Thirty days with fewer rows are added up in some 30 ms; the sums of one with fewer still are hardly fewer rows. */
const ROWS_MIN = 250
/** Clicks of an hour are counted by then, but for those of a node that was away. */
const REST_US = 10 * MINUTE_US
/** For these the last hour of a day waits longer: sums of a day that is over are made once. */
const HOURS_AFTER_DAY = 1
const LINKS_AT_ONCE = 100
const LOCKS = 16

/**
 * Adds up the next finished hours of a day, with those before them, of all links that had many clicks in them, so that
 * answers about them need not. One link at a time: nobody who writes waits long. False when there are no such hours.
 */
export async function sumUpNextHours(db: Db, nowUs: number): Promise<boolean> {
  const hours = await nextHours(db, hourOf(nowUs - REST_US))
  if (hours === undefined) return false
  // First of all, and after every count that is under way: what comes for these hours from here on removes their sums.
  await raise(db, 'begun_to', hours.toHour)
  for (const linkId of await muchClickedLinks(db, hours)) {
    await transact(db, (tx) => sumUp(tx, linkId, hours))
  }
  await raise(db, 'summed_to', hours.toHour)
  return true
}

/** Never lowers it, wherever the clock is: there may be sums of all hours before it. */
const raise = (db: Db, what: 'begun_to' | 'summed_to', hour: number) =>
  db
    .updateTable('link_days_progress')
    .set({ [what]: hour })
    .where(what, '<', hour)
    .execute()

/**
 * Removes the sums that clicks come too late for. To be called with the hours that clicks are added to, in the
 * transaction that adds them. After an outage all clicks of a batch may be late, so nothing is done link by link but for
 * those that have sums.
 */
export async function forgetLateSums(
  tx: Db,
  hours: readonly { link_id: number; hour: number }[],
): Promise<void> {
  const { begun_to: begunTo } = await readLocked(
    tx,
    tx.selectFrom('link_days_progress').select('begun_to'),
  ).executeTakeFirstOrThrow()
  const late = hours.filter(({ hour }) => hour < begunTo)
  // In one order for everybody, so that two transactions never wait for each other.
  for (const name of [...new Set(late.map(({ link_id: id }) => lockOf(id)))].sort()) await lock(tx, name)
  for (const [day, ofDay] of Map.groupBy(late, ({ hour }) => dayOfHour(hour))) {
    const linkIds = new Set(ofDay.map(({ link_id: id }) => id))
    for (const linkId of await summedLinks(tx, [...linkIds], day)) await removeSums(tx, linkId, day)
  }
}

/** Those of the links that have sums of the day. */
async function summedLinks(tx: Db, linkIds: readonly number[], day: number): Promise<number[]> {
  const found: number[] = []
  for (let from = 0; from < linkIds.length; from += LINKS_AT_ONCE) {
    // Always as many, the last one again and again: to the server it is one statement, which it prepares once.
    const asked = Array.from({ length: LINKS_AT_ONCE }, (_, i) => linkIds[from + i] ?? linkIds.at(-1)!)
    const rows = await tx
      .selectFrom('link_days')
      .select('link_id')
      .distinct()
      .where('link_id', 'in', asked)
      .where('dimension', '=', 'hour')
      .where('day', '=', day)
      .execute()
    found.push(...rows.map(({ link_id: id }) => id))
  }
  return found
}

const removeSums = (tx: Db, linkId: number, day: number) =>
  tx
    .deleteFrom('link_days')
    .where('link_id', '=', linkId)
    .where('dimension', 'in', [...DIMENSIONS, 'hour'])
    .where('day', '=', day)
    .execute()

/** Of a link that is gone. In a transaction. */
export async function removeAllSums(tx: Db, linkId: number): Promise<void> {
  await lock(tx, lockOf(linkId))
  await tx.deleteFrom('link_days').where('link_id', '=', linkId).execute()
}

/** Two that change the same sums wait for each other. A server has no room for a lock for each link of a batch. */
const lockOf = (linkId: number) => `sums of links ${linkId % LOCKS}`

const dayOfHour = (hour: number) => Math.floor(hour / HOURS_OF_DAY)

/** A day up to, not including, the hour `toHour`; that is its end, unless it is the running one. */
type HoursOfDay = { day: number; toHour: number }

/** Undefined when all before `endHour` are summed up, and before the first click. */
async function nextHours(db: Db, endHour: number): Promise<HoursOfDay | undefined> {
  const { summed_to: summedTo } = await db
    .selectFrom('link_days_progress')
    .select('summed_to')
    .executeTakeFirstOrThrow()
  const first = summedTo > 0 ? summedTo : await firstHour(db)
  if (first === null) return undefined
  const day = dayOfHour(first)
  const midnight = (day + 1) * HOURS_OF_DAY
  const toHour = endHour < midnight + HOURS_AFTER_DAY ? Math.min(endHour, midnight - 1) : midnight
  return first < toHour ? { day, toHour } : undefined
}

async function firstHour(db: Db): Promise<number | null> {
  const { hour } = await db
    .selectFrom('account_hours')
    .select((eb) => eb.fn.min<number | null>('hour').as('hour'))
    .executeTakeFirstOrThrow()
  return hour
}

/** In one question: of ten million links, thousands have so many clicks in all, and few had them on one day. */
async function muchClickedLinks(db: Db, hours: HoursOfDay): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT link_totals.link_id AS id FROM link_totals
    WHERE clicks >= ${ROWS_MIN} AND ${ROWS_MIN} = (
      SELECT count(*) FROM (SELECT 1 ${ofLink(sql.ref('link_totals.link_id'), hours)} LIMIT ${ROWS_MIN}) AS enough
    )`.execute(db)
  return rows.map(({ id }) => id)
}

async function sumUp(tx: Db, linkId: number, hours: HoursOfDay): Promise<void> {
  const { day } = hours
  const ofHours = ofLink(linkId, hours)
  await lock(tx, lockOf(linkId))
  const columns = sql`link_id, dimension, day, value, clicks, visitors, bots`
  const sums = sql`sum(clicks), sum(visitors), sum(bots)`
  await removeSums(tx, linkId, day)
  await sql`INSERT INTO link_days (${columns})
    SELECT link_id, 'hour', ${wholeNumber(day)}, CAST(hour AS TEXT), ${sums} ${ofHours} GROUP BY link_id, hour`.execute(
    tx,
  )
  const ofDimensions = DIMENSIONS.map((dimension) => {
    const [name, value] = [sql.lit(dimension), sql.ref(dimension)]
    return sql`SELECT ${wholeNumber(linkId)}, ${name}, ${wholeNumber(day)}, ${value}, ${sums} FROM counted GROUP BY ${value}`
  })
  const values = sql.join(DIMENSIONS.map((dimension) => sql.ref(dimension)))
  // Added up by audience first, which are looked up once for all dimensions; written in the order they are read in.
  await sql`WITH
    of_audiences AS MATERIALIZED (
      SELECT audience_id, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots
      ${ofHours} GROUP BY audience_id
    ),
    counted AS MATERIALIZED (
      SELECT ${values}, clicks, visitors, bots FROM of_audiences JOIN audiences ON id = audience_id
    )
    INSERT INTO link_days (${columns}) ${sql.join(ofDimensions, sql` UNION ALL `)} ORDER BY 2, 4`.execute(tx)
}

const ofLink = (linkId: number | RawBuilder<unknown>, { day, toHour }: HoursOfDay) =>
  sql`FROM link_hours WHERE link_hours.link_id = ${linkId} AND hour >= ${day * HOURS_OF_DAY} AND hour < ${toHour}`
