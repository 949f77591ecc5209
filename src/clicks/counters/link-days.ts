import { type RawBuilder, sql } from 'kysely'
import { hourOf, HOURS_OF_DAY, MINUTE_US } from '../../runtime/clock.ts'
import { lock, readLocked, wholeNumber } from '../../store/engine-sql.ts'
import type { CurrentDb, RelaxedDb, Tx } from '../../store/handles.ts'
import { transact } from '../../store/transact.ts'
import { DIMENSIONS } from './rollups.ts'

/** Thirty days with fewer rows are summed in some 30 ms at the time of a query, so they need no rollup. */
const ROWS_MIN = 250
/** By then the clicks of an hour are counted, except those of a node that was down. */
const REST_US = 10 * MINUTE_US
/** The last hour of a day waits longer for late clicks, so that a finished day is rolled up once. */
const HOURS_AFTER_DAY = 1
const LINKS_AT_ONCE = 100
const LOCKS = 16

/**
 * Rolls up the next finished hours of a day, and those before them, for all hot links. One transaction per link, so other
 * writers do not wait long. False if there are no such hours.
 */
export async function rollUpNextHours(db: RelaxedDb, nowUs: number): Promise<boolean> {
  const hours = await nextHours(db, hourOf(nowUs - REST_US))
  if (hours === undefined) return false
  // First, and after every transaction that counts: from here on, late clicks for these hours remove the rollups.
  await raise(db, 'begun_to', hours.toHour)
  for (const linkId of await hotLinks(db, hours)) {
    await transact(db, (tx) => rollUpLink(tx, linkId, hours))
  }
  await raise(db, 'summed_to', hours.toHour)
  return true
}

/** Never lowers it, even if the clock went back: rollups of all hours before it may exist. */
const raise = (db: RelaxedDb | Tx, what: 'begun_to' | 'summed_to', hour: number) =>
  db
    .updateTable('link_days_progress')
    .set({ [what]: hour })
    .where(what, '<', hour)
    .execute()

/**
 * Removes rollups that late clicks have made stale. Call it with the hours of the counted clicks, in the same transaction.
 * After an outage all clicks of a batch may be late, so only links that have rollups are handled one by one.
 */
export async function removeStaleRollups(
  tx: Tx,
  hours: readonly { link_id: number; hour: number }[],
): Promise<void> {
  const { begun_to: begunTo } = await readLocked(
    tx,
    tx.selectFrom('link_days_progress').select('begun_to'),
  ).executeTakeFirstOrThrow()
  const late = hours.filter(({ hour }) => hour < begunTo)
  // Sorted, because transactions that lock in different orders deadlock.
  for (const name of [...new Set(late.map(({ link_id: id }) => lockOf(id)))].sort()) await lock(tx, name)
  for (const [day, ofDay] of Map.groupBy(late, ({ hour }) => dayOfHour(hour))) {
    const linkIds = new Set(ofDay.map(({ link_id: id }) => id))
    for (const linkId of await linksWithRollups(tx, [...linkIds], day)) await removeRollups(tx, linkId, day)
  }
}

/** The links that have rollups of the day. */
async function linksWithRollups(tx: Tx, linkIds: readonly number[], day: number): Promise<number[]> {
  const ids: number[] = []
  for (let from = 0; from < linkIds.length; from += LINKS_AT_ONCE) {
    // Padded with the last id to full size, so PostgreSQL prepares one statement only.
    const group = Array.from({ length: LINKS_AT_ONCE }, (_, i) => linkIds[from + i] ?? linkIds.at(-1)!)
    const rows = await tx
      .selectFrom('link_days')
      .select('link_id')
      .distinct()
      .where('link_id', 'in', group)
      .where('dimension', '=', 'hour')
      .where('day', '=', day)
      .execute()
    ids.push(...rows.map(({ link_id: id }) => id))
  }
  return ids
}

const removeRollups = (tx: Tx, linkId: number, day: number) =>
  tx
    .deleteFrom('link_days')
    .where('link_id', '=', linkId)
    .where('dimension', 'in', [...DIMENSIONS, 'hour'])
    .where('day', '=', day)
    .execute()

/** For a deleted link. */
export async function removeAllRollups(tx: Tx, linkId: number): Promise<void> {
  await lock(tx, lockOf(linkId))
  await tx.deleteFrom('link_days').where('link_id', '=', linkId).execute()
}

/** Links share locks, because a server has no room for one lock per link of a batch. */
const lockOf = (linkId: number) => `sums of links ${linkId % LOCKS}`

const dayOfHour = (hour: number) => Math.floor(hour / HOURS_OF_DAY)

/** A day up to but excluding `toHour`, which is its end unless the day is still running. */
type HoursOfDay = { day: number; toHour: number }

/** Undefined if everything before `endHour` is rolled up, or there are no clicks. */
async function nextHours(db: CurrentDb, endHour: number): Promise<HoursOfDay | undefined> {
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

async function firstHour(db: CurrentDb): Promise<number | null> {
  const { hour } = await db
    .selectFrom('workspace_hours')
    .select((eb) => eb.fn.min<number | null>('hour').as('hour'))
    .executeTakeFirstOrThrow()
  return hour
}

/** One query: of ten million links, thousands have that many clicks in total, but few had them on one day. */
async function hotLinks(db: CurrentDb, hours: HoursOfDay): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT link_totals.link_id AS id FROM link_totals
    WHERE clicks >= ${ROWS_MIN} AND ${ROWS_MIN} = (
      SELECT count(*) FROM (SELECT 1 ${ofLink(sql.ref('link_totals.link_id'), hours)} LIMIT ${ROWS_MIN}) AS enough
    )`.execute(db)
  return rows.map(({ id }) => id)
}

async function rollUpLink(tx: Tx, linkId: number, hours: HoursOfDay): Promise<void> {
  const { day } = hours
  const ofHours = ofLink(linkId, hours)
  await lock(tx, lockOf(linkId))
  const columns = sql`link_id, dimension, day, value, clicks, visitors, bots`
  const sums = sql`sum(clicks), sum(visitors), sum(bots)`
  await removeRollups(tx, linkId, day)
  await sql`INSERT INTO link_days (${columns})
    SELECT link_id, 'hour', ${wholeNumber(day)}, CAST(hour AS TEXT), ${sums} ${ofHours} GROUP BY link_id, hour`.execute(
    tx,
  )
  const ofDimensions = DIMENSIONS.map((dimension) => {
    const [name, value] = [sql.lit(dimension), sql.ref(dimension)]
    return sql`SELECT ${wholeNumber(linkId)}, ${name}, ${wholeNumber(day)}, ${value}, ${sums} FROM counted GROUP BY ${value}`
  })
  const values = sql.join(DIMENSIONS.map((dimension) => sql.ref(dimension)))
  // Grouped by dimension set first, so that each set is looked up once; written in the order of the primary key.
  await sql`WITH
    of_dimensions AS MATERIALIZED (
      SELECT dimensions_id, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots
      ${ofHours} GROUP BY dimensions_id
    ),
    counted AS MATERIALIZED (
      SELECT ${values}, clicks, visitors, bots FROM of_dimensions JOIN click_dimensions ON id = dimensions_id
    )
    INSERT INTO link_days (${columns}) ${sql.join(ofDimensions, sql` UNION ALL `)} ORDER BY 2, 4`.execute(tx)
}

const ofLink = (linkId: number | RawBuilder<unknown>, { day, toHour }: HoursOfDay) =>
  sql`FROM link_hours WHERE link_hours.link_id = ${linkId} AND hour >= ${day * HOURS_OF_DAY} AND hour < ${toHour}`
