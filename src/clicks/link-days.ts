import { type RawBuilder, sql } from 'kysely'
import { HOUR_US, hourOf } from '../clock.ts'
import { lock, readLocked, wholeNumber } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { DIMENSIONS } from './rollups.ts'

const HOURS_OF_DAY = 24
/** Thirty days with fewer rows are added up in some 30 ms; the sums of one with fewer still are hardly fewer rows. */
const ROWS_MIN = 250
/** The last clicks of an hour are counted by then. */
const REST_US = HOUR_US

/**
 * Adds up the next finished hours of a day, with those before them, of all links that had many clicks in them, so that
 * answers about them need not. One link at a time: nobody who writes waits long. False when there are no such hours.
 */
export async function sumUpNextHours(db: Db, nowUs: number): Promise<boolean> {
  const hours = await nextHours(db, hourOf(nowUs - REST_US))
  if (hours === undefined) return false
  // First of all, and after every count that is under way: what comes for these hours from here on removes their sums.
  await db.updateTable('link_days_progress').set({ begun_to: hours.next }).execute()
  for (const linkId of await muchClickedLinks(db, hours)) {
    await db.transaction().execute((tx) => sumUp(tx, linkId, hours))
  }
  await db.updateTable('link_days_progress').set({ summed_to: hours.next }).execute()
  return true
}

/** To be called with the hours that clicks are added to, in the transaction that adds them. */
export async function forgetLateDays(
  tx: Db,
  hours: readonly { link_id: number; hour: number }[],
): Promise<void> {
  const { begun_to: begunTo } = await readLocked(
    tx,
    tx.selectFrom('link_days_progress').select('begun_to'),
  ).executeTakeFirstOrThrow()
  const late = new Map<string, { linkId: number; day: number }>()
  for (const { link_id: linkId, hour } of hours) {
    const day = dayOfHour(hour)
    if (hour < begunTo) late.set(sumsOf(linkId, day), { linkId, day })
  }
  // In one order for everybody, so that two transactions never wait for each other.
  for (const [name, { linkId, day }] of [...late].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await lock(tx, name)
    await tx
      .deleteFrom('link_days')
      .where('link_id', '=', linkId)
      .where('dimension', 'in', [...DIMENSIONS, 'hour'])
      .where('day', '=', day)
      .execute()
  }
}

/** Two that change the same sums wait for each other. */
const sumsOf = (linkId: number, day: number) => `sums of link ${linkId} on day ${day}`

const dayOfHour = (hour: number) => Math.floor(hour / HOURS_OF_DAY)

/** The hours of a day up to, not including, `next`. */
type BegunDay = { day: number; next: number }

/** Undefined when all before `endHour` are summed up, and before the first click. */
async function nextHours(db: Db, endHour: number): Promise<BegunDay | undefined> {
  const { summed_to: summedTo } = await db
    .selectFrom('link_days_progress')
    .select('summed_to')
    .executeTakeFirstOrThrow()
  const first = summedTo > 0 ? summedTo : await firstHour(db)
  if (first === null || first >= endHour) return undefined
  const day = dayOfHour(first)
  return { day, next: Math.min((day + 1) * HOURS_OF_DAY, endHour) }
}

async function firstHour(db: Db): Promise<number | null> {
  const { hour } = await db
    .selectFrom('account_hours')
    .select((eb) => eb.fn.min<number | null>('hour').as('hour'))
    .executeTakeFirstOrThrow()
  return hour
}

/** In one question: of ten million links, thousands have so many clicks in all, and few had them on one day. */
async function muchClickedLinks(db: Db, hours: BegunDay): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT link_totals.link_id AS id FROM link_totals
    WHERE clicks >= ${ROWS_MIN} AND ${ROWS_MIN} = (
      SELECT count(*) FROM (SELECT 1 ${ofDay(sql.ref('link_totals.link_id'), hours)} LIMIT ${ROWS_MIN}) AS enough
    )`.execute(db)
  return rows.map(({ id }) => id)
}

async function sumUp(tx: Db, linkId: number, hours: BegunDay): Promise<void> {
  const { day } = hours
  const ofHours = ofDay(linkId, hours)
  await lock(tx, sumsOf(linkId, day))
  const columns = sql`link_id, dimension, day, value, clicks, visitors, bots`
  const sums = sql`sum(clicks), sum(visitors), sum(bots)`
  await tx.deleteFrom('link_days').where('link_id', '=', linkId).where('day', '=', day).execute()
  await sql`INSERT INTO link_days (${columns})
    SELECT link_id, 'hour', ${wholeNumber(day)}, CAST(hour AS TEXT), ${sums} ${ofHours} GROUP BY link_id, hour`.execute(
    tx,
  )
  const ofDimensions = DIMENSIONS.map((dimension) => {
    const [name, value] = [sql.lit(dimension), sql.ref(dimension)]
    return sql`SELECT ${wholeNumber(linkId)}, ${name}, ${wholeNumber(day)}, ${value}, ${sums} FROM counted GROUP BY ${value}`
  })
  const values = sql.join(DIMENSIONS.map((dimension) => sql.ref(dimension)))
  // Added up by audience first, which are looked up once for all dimensions.
  await sql`WITH
    of_audiences AS MATERIALIZED (
      SELECT audience_id, sum(clicks) AS clicks, sum(visitors) AS visitors, sum(bots) AS bots
      ${ofHours} GROUP BY audience_id
    ),
    counted AS MATERIALIZED (
      SELECT ${values}, clicks, visitors, bots FROM of_audiences JOIN audiences ON id = audience_id
    )
    INSERT INTO link_days (${columns}) ${sql.join(ofDimensions, sql` UNION ALL `)}`.execute(tx)
}

const ofDay = (linkId: number | RawBuilder<unknown>, { day, next }: BegunDay) =>
  sql`FROM link_hours WHERE link_hours.link_id = ${linkId} AND hour >= ${day * HOURS_OF_DAY} AND hour < ${next}`
