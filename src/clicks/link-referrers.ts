import { sql } from 'kysely'
import { dayOf, HOURS_OF_DAY } from '../clock.ts'
import { joinEach, type RowTarget, wholeNumber, writeRows } from '../store/engine-sql.ts'
import type { Db } from '../store/open-store.ts'
import { countByLink, inHundreds } from './count-by-link.ts'

/** A referrer of a link on a UTC day. */
export type LinkReferrer = { day: number; linkId: number; referrer: string }

/** What stands for all referrers of a link and day beyond the first thousand. */
export const OTHER_REFERRER = 'other'

/** Anybody can send any Referer, and every new one makes rows that stay. No site that people know of has so many in a day. */
export const REFERRERS_MAX = 1_000
const REMEMBERED_MAX = 100_000

/**
 * Holds the referrers of each link and UTC day to a thousand, the first that are counted. Which those are is in the table
 * `link_referrers`, so it is the same for every node and after a restart; most clicks are of one that is remembered here.
 */
export class LinkReferrers {
  /** By day and link: to put a text together for every click would be most of the work. */
  readonly #known = new Map<number, Map<number, Set<string>>>()
  #knownCount = 0
  /** Of link and day, all that there may be. */
  readonly #full = new Map<string, ReadonlySet<string>>()
  #uncommitted: { known: LinkReferrer[]; full: Map<string, ReadonlySet<string>> } = {
    known: [],
    full: new Map(),
  }

  /** Counted before, and remembered. */
  isKnown(day: number, linkId: number, referrer: string): boolean {
    return this.#known.get(day)?.get(linkId)?.has(referrer) ?? false
  }

  /**
   * Those that are beyond the bound. To be called with rows in the order in which they are counted, by whoever alone
   * counts clicks of these links until the transaction ends.
   */
  async findExcess(tx: Db, clicked: Iterable<LinkReferrer>): Promise<ReadonlySet<string>> {
    this.#uncommitted = { known: [], full: new Map() }
    const excess = new Set<string>()
    const asked = new Map<string, LinkReferrer[]>()
    for (const each of clicked) {
      const full = this.#full.get(pairOf(each))
      if (full === undefined) foundOrMade(asked, pairOf(each)).push(each)
      else if (!full.has(each.referrer)) excess.add(keyOf(each))
    }
    for (const [day, ofDay] of Map.groupBy(asked.values(), ([first]) => first!.day)) {
      await this.#admitSome(tx, day, { ofDay, excess })
    }
    return excess
  }

  /** Only after the commit. */
  remember(): void {
    if (this.#knownCount + this.#full.size * REFERRERS_MAX > REMEMBERED_MAX) this.forget()
    for (const each of this.#uncommitted.known) this.#know(each)
    for (const [pair, referrers] of this.#uncommitted.full) this.#full.set(pair, referrers)
  }

  /** What is in the tables may be less than was committed. */
  forget(): void {
    this.#known.clear()
    this.#knownCount = 0
    this.#full.clear()
  }

  #know({ day, linkId, referrer }: LinkReferrer): void {
    let ofDay = this.#known.get(day)
    if (ofDay === undefined) this.#known.set(day, (ofDay = new Map()))
    let ofLink = ofDay.get(linkId)
    if (ofLink === undefined) ofDay.set(linkId, (ofLink = new Set()))
    ofLink.add(referrer)
    this.#knownCount++
  }

  async #admitSome(
    tx: Db,
    day: number,
    { ofDay, excess }: { ofDay: LinkReferrer[][]; excess: Set<string> },
  ): Promise<void> {
    const linkIds = ofDay.map(([first]) => first!.linkId)
    const counts = await countByLink(tx, { table: 'link_referrers', column: 'day', is: day }, linkIds)
    const ofHours = await referrersOfHours(
      tx,
      day,
      linkIds.filter((id) => !counts.has(id)),
    )
    const rows: LinkReferrer[] = []
    for (const asked of ofDay) {
      const { linkId } = asked[0]!
      const count = counts.get(linkId)
      const before = ofHours.get(linkId) ?? []
      if (count === undefined) for (const referrer of before) rows.push({ day, linkId, referrer })
      const isCrowded = (count ?? before.length) + asked.length > REFERRERS_MAX
      const there = new Set(isCrowded && count !== undefined ? await referrersOf(tx, day, linkId) : before)
      for (const each of asked) {
        const isAdmitted = !isCrowded || there.has(each.referrer) || there.size < REFERRERS_MAX
        if (!isAdmitted) excess.add(keyOf(each))
        else {
          there.add(each.referrer)
          rows.push(each)
          this.#uncommitted.known.push(each)
        }
      }
      if (isCrowded && there.size >= REFERRERS_MAX) this.#uncommitted.full.set(pairOf(asked[0]!), there)
    }
    await note(tx, rows)
  }
}

export const keyOf = ({ day, linkId, referrer }: LinkReferrer): string => `${day} ${linkId} ${referrer}`
const pairOf = ({ day, linkId }: LinkReferrer): string => `${day} ${linkId}`

/** Forgets those of before yesterday; should clicks of then still come, the hours tell. */
export async function forgetLinkReferrers(db: Db, nowUs: number): Promise<void> {
  await db
    .deleteFrom('link_referrers')
    .where('day', '<', dayOf(nowUs) - 1)
    .execute()
}

const LINK_REFERRERS: RowTarget = {
  table: 'link_referrers',
  columns: ['day', 'link_id', 'referrer'],
  texts: ['referrer'],
  then: 'ON CONFLICT DO NOTHING',
}

async function note(tx: Db, rows: LinkReferrer[]): Promise<void> {
  const sorted = rows.toSorted((a, b) => a.linkId - b.linkId || (a.referrer < b.referrer ? -1 : 1))
  const values = new Map(sorted.map((row) => [keyOf(row), [row.day, row.linkId, row.referrer]]))
  await writeRows(tx, LINK_REFERRERS, [...values.values()])
}

async function referrersOf(tx: Db, day: number, linkId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('link_referrers')
    .select('referrer')
    .where('day', '=', day)
    .where('link_id', '=', linkId)
    .execute()
  return rows.map(({ referrer }) => referrer)
}

/**
 * What the counters have of the day, of links that nothing was noted of: their first thousand clicks, days of before the
 * table was there, and days that were forgotten. No more than there may be.
 */
async function referrersOfHours(
  tx: Db,
  day: number,
  linkIds: readonly number[],
): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>()
  for (const asked of inHundreds(linkIds)) {
    const first = day * HOURS_OF_DAY
    const ofAudiences = joinEach(tx, sql`clicked`, { table: 'audiences', where: sql`id = audience_id` })
    const { rows } = await sql<{ id: number; referrer: string }>`
      WITH clicked AS MATERIALIZED (
        SELECT DISTINCT link_id, audience_id FROM link_hours WHERE link_id IN (${sql.join(asked)})
        AND hour >= ${wholeNumber(first)} AND hour < ${wholeNumber(first + HOURS_OF_DAY)}
      )
      SELECT DISTINCT clicked.link_id AS id, referrer FROM ${ofAudiences}`.execute(tx)
    for (const { id, referrer } of rows) {
      const isNamed = referrer !== '' && referrer !== OTHER_REFERRER
      const ofLink = foundOrMade(found, id)
      if (isNamed && ofLink.length < REFERRERS_MAX) ofLink.push(referrer)
    }
  }
  return found
}

function foundOrMade<Key, Item>(map: Map<Key, Item[]>, key: Key): Item[] {
  let items = map.get(key)
  if (items === undefined) map.set(key, (items = []))
  return items
}
