import { dayOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import { type RowTarget, writeRows } from '../store/engine-sql.ts'
import type { Click } from './click.ts'

/** Clicks by which somebody came to the link, or to any link of the account, for the first time on that UTC day. */
export type FirstVisits = { toLink: ReadonlySet<Click>; toAccount: ReadonlySet<Click> }

/** Writes down which visitors came and tells which of the clicks were their first. */
export async function noteVisitors(tx: Db, clicks: readonly Click[]): Promise<FirstVisits> {
  const toldApart = clicks.filter(({ visitor }) => visitor !== 0)
  const toLink = await firstVisits(tx, toldApart, ({ linkId }) => linkId)
  // Who has been to the link that day has been to the account.
  const toAccount = await firstVisits(tx, toLink, ({ accountId }) => -accountId)
  return { toLink: new Set(toLink), toAccount: new Set(toAccount) }
}

/** Forgets who came before yesterday. */
export async function forgetVisitors(db: Db, nowUs: number): Promise<void> {
  const today = dayOf(nowUs)
  for (let ago = 2; ago <= DAY_SLOTS - 2; ago++) {
    const first = slotOf(today - ago) * VISITS_PER_DAY
    await db
      .deleteFrom('seen_visits')
      .where('visit', '>=', first)
      .where('visit', '<', first + VISITS_PER_DAY)
      .execute()
  }
}

const SEEN_VISITS: RowTarget = {
  table: 'seen_visits',
  columns: ['visit'],
  then: 'ON CONFLICT DO NOTHING RETURNING visit',
}

/** The earliest click of each visitor whose visit to this owner was not known. Links are told from accounts by the sign. */
async function firstVisits(
  tx: Db,
  clicks: readonly Click[],
  ownerOf: (click: Click) => number,
): Promise<Click[]> {
  const earliest = new Map<number, Click>()
  for (const click of clicks) {
    const visit = visitOf(dayOf(click.clickedAtUs), ownerOf(click), click.visitor)
    const known = earliest.get(visit)
    if (known === undefined || click.clickedAtUs < known.clickedAtUs) earliest.set(visit, click)
  }
  // In the order of the table, so that neighbours are written one after the other.
  const visits = Float64Array.from(earliest.keys()).sort()
  const added = await writeRows<{ visit: number }>(
    tx,
    SEEN_VISITS,
    Array.from(visits, (visit) => [visit]),
  )
  return added.map(({ visit }) => earliest.get(visit)!)
}

/** Days are kept apart by their number modulo this; all but yesterday, today and tomorrow are empty. */
const DAY_SLOTS = 8
const HIGH_BITS = 32
const LOW_BITS = 18
const VISITS_PER_DAY = 2 ** (HIGH_BITS + LOW_BITS)

const slotOf = (day: number): number => day % DAY_SLOTS

/**
 * One number for a visitor's visits to an owner on a day: a table of plain numbers is written in a third of the time and
 * half the room that one of days, owners and visitors takes. Of the hash, whose 53 bits are random already, 50 are
 * turned by the owner and the day. So one visitor's visits to two owners never meet, and among ten million visits a
 * day two meet about once in three weeks: one of them is then not counted as a visitor.
 */
function visitOf(day: number, owner: number, visitor: number): number {
  const turn = scattered(owner ^ scattered(Math.floor(owner / 2 ** 32) ^ scattered(day)))
  const high = (visitor ^ turn) >>> 0
  const low = Math.floor(visitor / 2 ** 32) & (2 ** LOW_BITS - 1)
  return slotOf(day) * VISITS_PER_DAY + high * 2 ** LOW_BITS + low
}

/** Every number of 32 bits to another one, as if by chance (the end of MurmurHash3). */
function scattered(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
