import type { Dimension } from '../../../src/store/click-dimensions.ts'
import type { ClickColumns } from './click-columns.ts'

/** Which clicks are added up, and how. */
export type Selection = {
  /** 1 for each link whose clicks are, if they have no UTM parameters of their own. */
  links: Uint8Array
  /** The same of those that have some, and which. */
  linksOfUtm: Uint8Array
  isWantedUtm(text: string): boolean
  fromQuarter: number
  toQuarter: number
  filters: readonly { dimension: Dimension; isWanted(value: string): boolean }[]
  /** Where each part of the range begins. */
  buckets: readonly { fromQuarter: number }[]
  /** Of a link, not of a workspace. */
  isOfLink: boolean
  /** From the kept counters, which bound the values of a dimension. */
  isKept: boolean
  dimensions: readonly Dimension[]
}

type Counts = { clicks: number; visitors: number; bots: number }

/** What the first clicks of a history add up to. */
export class ClickTally {
  readonly series: Counts[]
  /** Clicks by value, of each dimension. */
  readonly values: Map<Dimension, Map<string, number>>
  readonly links = new Map<number, number>()
  /** Of each link, by the UTM parameters of the clicks. */
  readonly utmOfLinks = new Map<number, Map<string, number>>()
  /** The time of the latest click of a human. */
  lastUs: number | undefined
  readonly #columns: ClickColumns
  readonly #selection: Selection
  readonly #wanted: { codes: Uint16Array; wanted: Uint8Array }[]
  readonly #wantedUtm: Uint8Array
  #count = 0

  constructor(columns: ClickColumns, selection: Selection) {
    this.#columns = columns
    this.#selection = selection
    this.series = selection.buckets.map(() => ({ clicks: 0, visitors: 0, bots: 0 }))
    this.values = new Map(selection.dimensions.map((name) => [name, new Map()]))
    this.#wanted = selection.filters.map(({ dimension, isWanted }) => ({
      codes: columns.values[dimension],
      wanted: Uint8Array.from(columns.dictionaries[dimension].texts, (text) => Number(isWanted(text))),
    }))
    this.#wantedUtm = Uint8Array.from(columns.dictionaries.utm.texts, (text) =>
      Number(selection.isWantedUtm(text)),
    )
  }

  /** Of one that is not a bot's. */
  #isOfLinks(at: number): boolean {
    const { links, linksOfUtm } = this.#selection
    const place = this.#columns.links[at]!
    const code = this.#columns.values.utm[at]!
    if (this.#columns.dictionaries.utm.texts[code] === '') return links[place] === 1
    return linksOfUtm[place] === 1 && this.#wantedUtm[code] === 1
  }

  get clicks(): number {
    return this.series.reduce((sum, { clicks }) => sum + clicks, 0)
  }

  /** Adds the clicks up to this number of all of the history. */
  continueTo(count: number): this {
    const { links, quarters, areBots } = this.#columns
    const { fromQuarter, toQuarter, links: ofLinks } = this.#selection
    for (let at = this.#count; at < count; at++) {
      const quarter = quarters[at]!
      if (quarter < fromQuarter || quarter >= toQuarter) continue
      if (areBots[at] === 1) this.#addBot(quarter, ofLinks[links[at]!] === 1)
      else if (this.#isOfLinks(at) && this.#wanted.every(({ codes, wanted }) => wanted[codes[at]!] === 1))
        this.#add(at, quarter)
    }
    this.#count = Math.max(this.#count, count)
    return this
  }

  /** Nothing is known of bots, so no filter lets them through. */
  #addBot(quarter: number, isOfLinks: boolean): void {
    if (isOfLinks && this.#wanted.length === 0) this.#bucketOf(quarter).bots++
  }

  #add(at: number, quarter: number): void {
    const { values, keptValues, dictionaries, links, times, areFirstOfLink, areFirstOfWorkspace } =
      this.#columns
    const { isOfLink, isKept, dimensions } = this.#selection
    const bucket = this.#bucketOf(quarter)
    bucket.clicks++
    bucket.visitors += (isOfLink ? areFirstOfLink : areFirstOfWorkspace)[at]!
    addOne(this.links, links[at]!)
    addOne(this.#utmOf(links[at]!), dictionaries.utm.texts[values.utm[at]!]!)
    this.lastUs = Math.max(this.lastUs ?? 0, times[at]!)
    for (const name of dimensions) {
      const code = (isKept ? keptValues : values)[name][at]!
      addOne(this.values.get(name)!, dictionaries[name].texts[code]!)
    }
  }

  #utmOf(link: number): Map<string, number> {
    return this.utmOfLinks.getOrInsertComputed(link, () => new Map())
  }

  #bucketOf(quarter: number): Counts {
    const { buckets } = this.#selection
    let [low, high] = [0, buckets.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (buckets[middle]!.fromQuarter <= quarter) low = middle
      else high = middle - 1
    }
    return this.series[low]!
  }
}

function addOne<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** A part of an answer, all of the same clicks: what it is, and what it has to be when these are counted. */
export type ReportPart = { selection: Selection; answered: unknown; expected(tally: ClickTally): unknown }
