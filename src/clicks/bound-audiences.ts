import { hourOf } from '../clock.ts'
import type { Db } from '../store/open-store.ts'
import type { Audience, Audiences } from './audiences.ts'
import { countByLink } from './count-by-link.ts'
import { keyOf, LinkReferrers, OTHER_REFERRER, referrerOfClick, REFERRERS_MAX } from './link-referrers.ts'
import type { ReadClick } from './rollups.ts'

/** What stands for the rest of the browsers and systems where a link has had too many combinations in an hour. */
const OTHER_NAME = 'Other'

/** Combinations of country, device, browser, system and referrer. Beyond, no more than countries times devices. */
export const AUDIENCES_MAX = 5_000

/** Clicks that a link has ever had, those of this batch included, by link. */
type LinkTotals = ReadonlyMap<number, number>

/**
 * Bounds what visitors can invent: rows that stay are made for each audience that a link has in an hour, and both Referer
 * and User-Agent can say anything. What is beyond a bound counts all the same, as `other`.
 */
export class AudienceBounds {
  readonly #audiences: Audiences
  readonly #referrers = new LinkReferrers()

  constructor(audiences: Audiences) {
    this.#audiences = audiences
  }

  /**
   * The clicks as they are to be counted; the very same list when nothing is beyond a bound. By whoever alone counts clicks
   * of these links until the transaction ends.
   */
  async hold(tx: Db, clicks: readonly ReadClick[], totals: LinkTotals): Promise<readonly ReadClick[]> {
    return this.#holdAudiences(tx, await this.#holdReferrers(tx, clicks, totals), totals)
  }

  /** Only after the commit. */
  remember(): void {
    this.#referrers.remember()
  }

  forget(): void {
    this.#referrers.forget()
  }

  async #holdReferrers(
    tx: Db,
    clicks: readonly ReadClick[],
    totals: LinkTotals,
  ): Promise<readonly ReadClick[]> {
    const clicked = new Map<string, ReturnType<typeof referrerOfClick>>()
    // A link without so many clicks has not so many referrers either: most links are done with here.
    const keyOfClick = ({ click, audience }: ReadClick): string | undefined => {
      if (audience === undefined || audience.referrer === '') return undefined
      if (totals.get(click.linkId)! <= REFERRERS_MAX) return undefined
      const each = referrerOfClick(click.linkId, click.clickedAtUs, audience.referrer)
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
      const counts = await countByLink(tx, { table: 'link_hours', column: 'hour', is: hour }, [
        ...ofLinks.keys(),
      ])
      for (const [linkId, ofLink] of ofLinks) {
        const fresh = new Set(ofLink.map(({ audience }) => audience!))
        if ((counts.get(linkId) ?? 0) + fresh.size <= AUDIENCES_MAX) continue
        const there = await this.#audiencesOf(tx, linkId, hour)
        for (const each of ofLink) {
          if (there.size < AUDIENCES_MAX) there.add(each.audience!)
          if (!there.has(each.audience!)) excess.add(each)
        }
      }
    }
    if (excess.size === 0) return clicks
    const others = { browser: OTHER_NAME, os: OTHER_NAME, referrer: OTHER_REFERRER }
    return clicks.map((each) => (excess.has(each) ? this.#as(each, others) : each))
  }

  async #audiencesOf(tx: Db, linkId: number, hour: number): Promise<Set<Audience>> {
    const rows = await tx
      .selectFrom('link_hours')
      .innerJoin('audiences', 'audiences.id', 'link_hours.audience_id')
      .select(['country', 'device', 'browser', 'os', 'referrer'])
      .where('link_id', '=', linkId)
      .where('hour', '=', hour)
      .execute()
    return new Set(rows.map((row) => this.#audiences.of(row)))
  }

  #as(each: ReadClick, others: Partial<Audience>): ReadClick {
    return { ...each, audience: this.#audiences.of({ ...each.audience!, ...others }) }
  }
}
