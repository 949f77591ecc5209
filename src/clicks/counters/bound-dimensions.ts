import { dayOf, hourOf } from '../../runtime/clock.ts'
import { RecentMap } from '../../limits/recent-map.ts'
import type { Tx } from '../../store/handles.ts'
import type { ClickDimensions, DimensionSets } from './dimensions.ts'
import { countByLink } from './count-by-link.ts'
import { keyOf, type LinkReferrer, LinkReferrers, OTHER_REFERRER, REFERRERS_MAX } from './link-referrers.ts'
import type { ReadClick } from './rollups.ts'

/** Replaces browser and system beyond the bound. */
const OTHER_NAME = 'Other'

/** Dimension sets of a link in an hour. Beyond it, only country and device are kept. */
export const DIMENSION_SETS_MAX = 10_000
/** How many links and hours are cached with all their dimension sets, and with their number only. */
const FULL_HOURS_MAX = 20
const LOOKED_MAX = 20_000

/** All clicks of each link so far, this batch included. */
type LinkTotals = ReadonlyMap<number, number>

/**
 * Bounds what visitors can invent. Each dimension set of a link in an hour makes rows that stay, and Referer and User-Agent
 * can say anything. Clicks beyond a bound count as `other`.
 */
export class DimensionBounds {
  readonly #dimensionSets: DimensionSets
  readonly #referrers = new LinkReferrers()
  /** By link and hour: the number of rows when it was read, and the clicks of the link by then. */
  #looked = new RecentMap<{ rows: number; total: number }>(LOOKED_MAX)
  /** By link and hour, where the bound is reached. */
  readonly #full = new Map<string, Set<ClickDimensions>>()
  #generation = 0

  constructor(dimensionSets: DimensionSets) {
    this.#dimensionSets = dimensionSets
  }

  /**
   * The clicks as they are to be counted; the same array if nothing is beyond a bound. Only while no other transaction can
   * count clicks of these links.
   */
  async apply(tx: Tx, clicks: readonly ReadClick[], totals: LinkTotals): Promise<readonly ReadClick[]> {
    // Sets are compared by identity, which holds until they are forgotten.
    if (this.#generation !== this.#dimensionSets.generation) this.#full.clear()
    this.#generation = this.#dimensionSets.generation
    return this.#boundDimensions(tx, await this.#boundReferrers(tx, clicks, totals), totals)
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

  async #boundReferrers(
    tx: Tx,
    clicks: readonly ReadClick[],
    totals: LinkTotals,
  ): Promise<readonly ReadClick[]> {
    const clicked = new Map<string, LinkReferrer>()
    // A link has no more referrers than clicks, so most links need no look at the table.
    const keyOfClick = ({ click, dimensions }: ReadClick): string | undefined => {
      if (dimensions === undefined || dimensions.referrer === '') return undefined
      const { linkId, clickedAtUs } = click
      if (totals.get(linkId)! <= REFERRERS_MAX) return undefined
      const { referrer } = dimensions
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

  async #boundDimensions(
    tx: Tx,
    clicks: readonly ReadClick[],
    totals: LinkTotals,
  ): Promise<readonly ReadClick[]> {
    const excess = new Set<ReadClick>()
    const many = clicks.filter(
      ({ click, dimensions }) => dimensions !== undefined && totals.get(click.linkId)! > DIMENSION_SETS_MAX,
    )
    for (const [hour, ofHour] of Map.groupBy(many, ({ click }) => hourOf(click.clickedAtUs))) {
      const ofLinks = Map.groupBy(ofHour, ({ click }) => click.linkId)
      for (const linkId of await this.#crowdedLinks(tx, hour, { ofLinks, totals })) {
        const there = await this.#dimensionSetsOf(tx, linkId, hour)
        for (const each of ofLinks.get(linkId)!) {
          if (there.size < DIMENSION_SETS_MAX) there.add(each.dimensions!)
          if (!there.has(each.dimensions!)) excess.add(each)
        }
      }
    }
    if (excess.size === 0) return clicks
    const others = { browser: OTHER_NAME, os: OTHER_NAME, referrer: OTHER_REFERRER }
    return clicks.map((each) => (excess.has(each) ? this.#as(each, others) : each))
  }

  /** The links that may reach the bound in this hour. Each click adds at most one row. */
  async #crowdedLinks(
    tx: Tx,
    hour: number,
    { ofLinks, totals }: { ofLinks: ReadonlyMap<number, ReadClick[]>; totals: LinkTotals },
  ): Promise<number[]> {
    const isCrowded = (linkId: number) => {
      const looked = this.#looked.get(`${linkId} ${hour}`)
      return looked === undefined || looked.rows + totals.get(linkId)! - looked.total > DIMENSION_SETS_MAX
    }
    const crowdedLinks = [...ofLinks.keys()].filter(isCrowded)
    const counts = await countByLink(tx, { table: 'link_hours', column: 'hour', is: hour }, crowdedLinks)
    for (const linkId of crowdedLinks) {
      const total = totals.get(linkId)! - ofLinks.get(linkId)!.length
      this.#looked.set(`${linkId} ${hour}`, { rows: counts.get(linkId) ?? 0, total })
    }
    return crowdedLinks.filter(isCrowded)
  }

  async #dimensionSetsOf(tx: Tx, linkId: number, hour: number): Promise<Set<ClickDimensions>> {
    const key = `${linkId} ${hour}`
    const full = this.#full.get(key)
    if (full !== undefined) return full
    const rows = await tx
      .selectFrom('link_hours')
      .innerJoin('click_dimensions', 'click_dimensions.id', 'link_hours.dimensions_id')
      .select(['country', 'device', 'browser', 'os', 'referrer'])
      .where('link_id', '=', linkId)
      .where('hour', '=', hour)
      .execute()
    const there = new Set(rows.map((row) => this.#dimensionSets.of(row)))
    if (this.#full.size >= FULL_HOURS_MAX) this.#full.clear()
    if (there.size >= DIMENSION_SETS_MAX) this.#full.set(key, there)
    return there
  }

  #as(each: ReadClick, others: Partial<ClickDimensions>): ReadClick {
    return { ...each, dimensions: this.#dimensionSets.of({ ...each.dimensions!, ...others }) }
  }
}
