import { dayOf, hourOf } from '../clock.ts'
import { RecentMap } from '../recent-map.ts'
import type { Db } from '../store/open-store.ts'
import type { Audience, Audiences } from './audiences.ts'
import { countByLink } from './count-by-link.ts'
import { keyOf, type LinkReferrer, LinkReferrers, OTHER_REFERRER, REFERRERS_MAX } from './link-referrers.ts'
import type { ReadClick } from './rollups.ts'

/** What stands for the rest of the browsers and systems where a link has had too many combinations in an hour. */
const OTHER_NAME = 'Other'

/** Combinations of country, device, browser, system and referrer. Beyond, no more than countries times devices. */
export const AUDIENCES_MAX = 10_000
/** Links and hours of which all audiences are remembered, and of which the number is. */
const FULL_HOURS_MAX = 20
const LOOKED_MAX = 20_000

/** Clicks that a link has ever had, those of this batch included, by link. */
type LinkTotals = ReadonlyMap<number, number>

/**
 * Bounds what visitors can invent: rows that stay are made for each audience that a link has in an hour, and both Referer
 * and User-Agent can say anything. What is beyond a bound counts all the same, as `other`.
 */
export class AudienceBounds {
  readonly #audiences: Audiences
  readonly #referrers = new LinkReferrers()
  /** By link and hour: the rows that there were, and the clicks that the link had had by then. */
  #looked = new RecentMap<{ rows: number; total: number }>(LOOKED_MAX)
  /** By link and hour, where there are as many as there may be. */
  readonly #full = new Map<string, Set<Audience>>()
  #generation = 0

  constructor(audiences: Audiences) {
    this.#audiences = audiences
  }

  /**
   * The clicks as they are to be counted; the very same list when nothing is beyond a bound. By whoever alone counts clicks
   * of these links until the transaction ends.
   */
  async hold(tx: Db, clicks: readonly ReadClick[], totals: LinkTotals): Promise<readonly ReadClick[]> {
    // Audiences are told apart by identity, as long as they are not forgotten.
    if (this.#generation !== this.#audiences.generation) this.#full.clear()
    this.#generation = this.#audiences.generation
    return this.#holdAudiences(tx, await this.#holdReferrers(tx, clicks, totals), totals)
  }

  /** Only after the commit. */
  remember(): void {
    this.#referrers.remember()
  }

  forget(): void {
    this.#referrers.forget()
    this.#full.clear()
    this.#looked = new RecentMap(LOOKED_MAX)
  }

  async #holdReferrers(
    tx: Db,
    clicks: readonly ReadClick[],
    totals: LinkTotals,
  ): Promise<readonly ReadClick[]> {
    const clicked = new Map<string, LinkReferrer>()
    // A link without so many clicks has not so many referrers either: most links are done with here.
    const keyOfClick = ({ click, audience }: ReadClick): string | undefined => {
      if (audience === undefined || audience.referrer === '') return undefined
      const { linkId, clickedAtUs } = click
      if (totals.get(linkId)! <= REFERRERS_MAX) return undefined
      const { referrer } = audience
      const day = dayOf(clickedAtUs)
      if (this.#referrers.isKnown(day, linkId, referrer)) return undefined
      const each = { day, linkId, referrer }
      const key = keyOf(each)
      if (!clicked.has(key)) clicked.set(key, each)
      return key
    }
    const keys = clicks.map(keyOfClick)
    const excess = await this.#referrers.findExcess(tx, clicked.values())
    if (excess.size === 0) return clicks
    return clicks.map((each, i) =>
      keys[i] !== undefined && excess.has(keys[i]) ? this.#as(each, { referrer: OTHER_REFERRER }) : each,
    )
  }

  async #holdAudiences(
    tx: Db,
    clicks: readonly ReadClick[],
    totals: LinkTotals,
  ): Promise<readonly ReadClick[]> {
    const excess = new Set<ReadClick>()
    const many = clicks.filter(
      ({ click, audience }) => audience !== undefined && totals.get(click.linkId)! > AUDIENCES_MAX,
    )
    for (const [hour, ofHour] of Map.groupBy(many, ({ click }) => hourOf(click.clickedAtUs))) {
      const ofLinks = Map.groupBy(ofHour, ({ click }) => click.linkId)
      for (const linkId of await this.#crowdedLinks(tx, hour, { ofLinks, totals })) {
        const there = await this.#audiencesOf(tx, linkId, hour)
        for (const each of ofLinks.get(linkId)!) {
          if (there.size < AUDIENCES_MAX) there.add(each.audience!)
          if (!there.has(each.audience!)) excess.add(each)
        }
      }
    }
    if (excess.size === 0) return clicks
    const others = { browser: OTHER_NAME, os: OTHER_NAME, referrer: OTHER_REFERRER }
    return clicks.map((each) => (excess.has(each) ? this.#as(each, others) : each))
  }

  /** Those of the links that may reach the bound in this hour: no click makes more than one row. */
  async #crowdedLinks(
    tx: Db,
    hour: number,
    { ofLinks, totals }: { ofLinks: ReadonlyMap<number, ReadClick[]>; totals: LinkTotals },
  ): Promise<number[]> {
    const isCrowded = (linkId: number) => {
      const looked = this.#looked.get(`${linkId} ${hour}`)
      return looked === undefined || looked.rows + totals.get(linkId)! - looked.total > AUDIENCES_MAX
    }
    const asked = [...ofLinks.keys()].filter(isCrowded)
    const counts = await countByLink(tx, { table: 'link_hours', column: 'hour', is: hour }, asked)
    for (const linkId of asked) {
      const total = totals.get(linkId)! - ofLinks.get(linkId)!.length
      this.#looked.set(`${linkId} ${hour}`, { rows: counts.get(linkId) ?? 0, total })
    }
    return asked.filter(isCrowded)
  }

  async #audiencesOf(tx: Db, linkId: number, hour: number): Promise<Set<Audience>> {
    const key = `${linkId} ${hour}`
    const full = this.#full.get(key)
    if (full !== undefined) return full
    const rows = await tx
      .selectFrom('link_hours')
      .innerJoin('audiences', 'audiences.id', 'link_hours.audience_id')
      .select(['country', 'device', 'browser', 'os', 'referrer'])
      .where('link_id', '=', linkId)
      .where('hour', '=', hour)
      .execute()
    const there = new Set(rows.map((row) => this.#audiences.of(row)))
    if (this.#full.size >= FULL_HOURS_MAX) this.#full.clear()
    if (there.size >= AUDIENCES_MAX) this.#full.set(key, there)
    return there
  }

  #as(each: ReadClick, others: Partial<Audience>): ReadClick {
    return { ...each, audience: this.#audiences.of({ ...each.audience!, ...others }) }
  }
}
