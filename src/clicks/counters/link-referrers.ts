import { sql } from 'kysely'
import { dayOf, HOURS_OF_DAY } from '../../runtime/clock.ts'
import { joinEach, type RowInsert, wholeNumber, writeRows } from '../../store/engine-sql.ts'
import type { RelaxedDb, Tx } from '../../store/handles.ts'
import { countByLink, inHundreds } from './count-by-link.ts'

/** A referrer of a link on a UTC day. */
export type LinkReferrer = { day: number; linkId: number; referrer: string }

/** Replaces referrers beyond the bound. */
export const OTHER_REFERRER = 'other'

/** Anyone can send any Referer, and each new one makes rows that stay. Real links have far fewer in a day. */
export const REFERRERS_MAX = 1_000
const REMEMBERED_MAX = 100_000

/**
 * Bounds the referrers of each link and UTC day to a thousand, the first that are counted. They are listed in the table
 * `link_referrers`, so they are the same for every node and after a restart. Most clicks have one that is cached here.
 */
export class LinkReferrers {
  /** By day and link. Building a string key for each click would be most of the work. */
  readonly #known = new Map<number, Map<number, Set<string>>>()
  #knownCount = 0
  /** By link and day, where the bound is reached. */
  readonly #full = new Map<string, ReadonlySet<string>>()
  #uncommitted: { known: LinkReferrer[]; full: Map<string, ReadonlySet<string>> } = {
    known: [],
    full: new Map(),
  }

  /** Whether it is known to be within the bound. */
  isKnown(day: number, linkId: number, referrer: string): boolean {
    return this.#known.get(day)?.get(linkId)?.has(referrer) ?? false
  }

  /**
   * Those beyond the bound. Call it in the order in which clicks are counted, and only while no other transaction can count
   * clicks of these links.
   */
  async findExcess(tx: Tx, clicked: Iterable<LinkReferrer>): Promise<ReadonlySet<string>> {
    this.#uncommitted = { known: [], full: new Map() }
    const excess = new Set<string>()
    const byDay = new Map<string, LinkReferrer[]>()
    for (const each of clicked) {
      const full = this.#full.get(pairOf(each))
      if (full === undefined) foundOrMade(byDay, pairOf(each)).push(each)
      else if (!full.has(each.referrer)) excess.add(keyOf(each))
    }
    for (const [day, ofDay] of Map.groupBy(byDay.values(), ([first]) => first!.day)) {
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

  /** Call it when the store may have lost commits. */
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
    tx: Tx,
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
    for (const group of ofDay) {
      const { linkId } = group[0]!
      const count = counts.get(linkId)
      const before = ofHours.get(linkId) ?? []
      if (count === undefined) for (const referrer of before) rows.push({ day, linkId, referrer })
      const isCrowded = (count ?? before.length) + group.length > REFERRERS_MAX
      const there = new Set(isCrowded && count !== undefined ? await referrersOf(tx, day, linkId) : before)
      for (const each of group) {
        const isAdmitted = !isCrowded || there.has(each.referrer) || there.size < REFERRERS_MAX
        if (!isAdmitted) excess.add(keyOf(each))
        else {
          there.add(each.referrer)
          rows.push(each)
          this.#uncommitted.known.push(each)
        }
      }
      if (isCrowded && there.size >= REFERRERS_MAX) this.#uncommitted.full.set(pairOf(group[0]!), there)
    }
    await note(tx, rows)
  }
}

export const keyOf = ({ day, linkId, referrer }: LinkReferrer): string => `${day} ${linkId} ${referrer}`
const pairOf = ({ day, linkId }: LinkReferrer): string => `${day} ${linkId}`

/** Removes those from before yesterday. If clicks of then still arrive, the hourly counters are read. */
export async function forgetLinkReferrers(db: RelaxedDb, nowUs: number): Promise<void> {
  await db
    .deleteFrom('link_referrers')
    .where('day', '<', dayOf(nowUs) - 1)
    .execute()
}

const LINK_REFERRERS: RowInsert = {
  table: 'link_referrers',
  columns: ['day', 'link_id', 'referrer'],
  texts: ['referrer'],
  then: 'ON CONFLICT DO NOTHING',
}

async function note(tx: Tx, rows: LinkReferrer[]): Promise<void> {
  const sorted = rows.toSorted((a, b) => a.linkId - b.linkId || (a.referrer < b.referrer ? -1 : 1))
  const values = new Map(sorted.map((row) => [keyOf(row), [row.day, row.linkId, row.referrer]]))
  await writeRows(tx, LINK_REFERRERS, [...values.values()])
}

async function referrersOf(tx: Tx, day: number, linkId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('link_referrers')
    .select('referrer')
    .where('day', '=', day)
    .where('link_id', '=', linkId)
    .execute()
  return rows.map(({ referrer }) => referrer)
}

/**
 * Referrers of the day according to the hourly counters, for links that are not in `link_referrers`: links with up to a
 * thousand clicks, days before the table existed, and days that were removed from it. At most as many as the bound allows.
 */
async function referrersOfHours(
  tx: Tx,
  day: number,
  linkIds: readonly number[],
): Promise<Map<number, string[]>> {
  const hostsOf = new Map<number, string[]>()
  for (const ids of inHundreds(linkIds)) {
    const first = day * HOURS_OF_DAY
    const ofDimensions = joinEach(tx, sql`clicked`, {
      table: 'click_dimensions',
      where: sql`id = dimensions_id`,
    })
    const { rows } = await sql<{ id: number; referrer: string }>`
      WITH clicked AS MATERIALIZED (
        SELECT DISTINCT link_id, dimensions_id FROM link_hours WHERE link_id IN (${sql.join(ids)})
        AND hour >= ${wholeNumber(first)} AND hour < ${wholeNumber(first + HOURS_OF_DAY)}
      )
      SELECT DISTINCT clicked.link_id AS id, referrer FROM ${ofDimensions}`.execute(tx)
    for (const { id, referrer } of rows) {
      const isNamed = referrer !== '' && referrer !== OTHER_REFERRER
      const ofLink = foundOrMade(hostsOf, id)
      if (isNamed && ofLink.length < REFERRERS_MAX) ofLink.push(referrer)
    }
  }
  return hostsOf
}

function foundOrMade<Key, Item>(map: Map<Key, Item[]>, key: Key): Item[] {
  let items = map.get(key)
  if (items === undefined) map.set(key, (items = []))
  return items
}
