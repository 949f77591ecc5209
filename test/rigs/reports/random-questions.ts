import type { SeededRandom } from '../../simulation/seeded-random.ts'
import { MODELED_DIMENSIONS, type ReportDimension, SOURCE_WORDS } from './modeled-dimensions.ts'
import {
  type HistoryLink,
  isUtm,
  LINK_GROUPS,
  type LinkFilter,
  randomLinkFilter,
  UTM_REPORTED,
} from './modeled-links.ts'
import type { RangeParameters } from './modeled-range.ts'
import { type RandomHistory, ZONES } from './random-history.ts'

/** Of a dimension, or of the sources that its values belong to. */
export type QuestionFilter = {
  dimension: ReportDimension
  isOfSources: boolean
  words: readonly string[]
  isNegated: boolean
}

/** A request for a report. */
export type Question = {
  report:
    | 'overview'
    | 'imported'
    | 'clicks'
    | 'links'
    | 'link'
    | 'sources'
    | (typeof LINK_GROUPS)[number]
    | ReportDimension
  workspace: number
  /** Of one link, by its place in the history. */
  link: number | undefined
  range: RangeParameters
  limit: number | undefined
  /** Which UTM parameter a report is by. */
  utm: string
  filters: readonly QuestionFilter[]
  linkFilters: readonly LinkFilter[]
}

const DAY_US = 86_400_000_000
const QUARTER_US = 900_000_000
const PERIODS = ['24h', '7d', '30d', '90d', '12m', 'all']
const GRANULARITIES = ['hour', 'day', 'week', 'month']
export const LIMIT_DEFAULT = 20

const DIMENSIONS = Object.keys(MODELED_DIMENSIONS) as ReportDimension[]

const REPORTS: readonly Question['report'][] = [
  'clicks',
  'clicks',
  'clicks',
  'links',
  'links',
  'link',
  'link',
  'sources',
  'imported',
  'imported',
  ...LINK_GROUPS,
  ...DIMENSIONS,
]

type Surroundings = { history: RandomHistory; links: readonly HistoryLink[]; host: string; endUs: number }

export class RandomQuestions {
  readonly #random: SeededRandom
  readonly #history: RandomHistory
  readonly #links: readonly HistoryLink[]
  readonly #host: string
  readonly #endUs: number

  constructor(random: SeededRandom, { history, links, host, endUs }: Surroundings) {
    this.#random = random
    this.#history = history
    this.#links = links
    this.#host = host
    this.#endUs = endUs
  }

  /** `mayLookUp`: whether it may have filters by what is looked up in a query of its own. */
  next({ mayLookUp = true } = {}): Question {
    const question = this.#next()
    return mayLookUp || !looksUp(question) ? question : this.next({ mayLookUp })
  }

  #next(): Question {
    const random = this.#random
    const report = random.chance(0.03) ? 'overview' : random.pick(REPORTS)
    const mayFilterLinks = report !== 'link' && report !== 'overview'
    const hasLink = report === 'link' || (mayFilterLinks && report !== 'links' && random.chance(0.25))
    const link = hasLink ? this.#link() : undefined
    const hasLinkFilters = report !== 'overview' && random.chance(0.3)
    // Nothing is known of single imported clicks, so most of these questions have no filters by them.
    const filtered = random.chance(report === 'imported' ? 0.9 : 0.3)
      ? []
      : DIMENSIONS.filter(() => random.chance(0.2))
    return {
      report,
      link,
      workspace: link === undefined ? random.pick(this.#links).workspace : this.#links[link]!.workspace,
      range: this.#range(),
      limit: random.chance(0.5) ? undefined : random.pick([1, 2, 5, 100]),
      utm: random.pick(UTM_REPORTED),
      filters: [
        ...filtered.map((dimension) => this.#filter(dimension)),
        ...(report !== 'overview' && random.chance(0.1) ? [this.#sourceFilter()] : []),
      ],
      linkFilters: hasLinkFilters ? this.#linkFilters(link !== undefined) : [],
    }
  }

  #link(): number {
    const random = this.#random
    const there = this.#links.flatMap(({ isDeleted }, place) => (isDeleted ? [] : [place]))
    return there[Math.floor(random.fraction() ** 2 * there.length)]!
  }

  #linkFilters(isOfLink: boolean): LinkFilter[] {
    const filters = Array.from({ length: this.#random.between(1, 2) }, () =>
      randomLinkFilter(this.#random, this.#links, this.#host),
    )
    const byName = new Map(filters.map((filter) => [filter.name, filter]))
    return [...byName.values()].filter((filter) => !isOfLink || isUtm(filter))
  }

  #filter(dimension: ReportDimension): QuestionFilter {
    const random = this.#random
    const { values, word, isCaseless } = MODELED_DIMENSIONS[dimension]
    const known = values.flatMap((value) => word(value) ?? [])
    const words = Array.from({ length: random.between(1, 3) }, () => {
      const one = random.pick(known)
      return isCaseless && random.chance(0.3) ? one.toUpperCase() : one
    })
    return { dimension, isOfSources: false, words, isNegated: random.chance(0.3) }
  }

  #sourceFilter(): QuestionFilter {
    const random = this.#random
    const word = random.pick(SOURCE_WORDS)
    const words = [random.chance(0.3) ? word.toUpperCase() : word]
    return { dimension: 'referrer', isOfSources: true, words, isNegated: random.chance(0.3) }
  }

  #range(): RangeParameters {
    const random = this.#random
    return {
      ...(random.chance(0.75) ? { timezone: random.pick(ZONES) } : {}),
      ...(random.chance(0.25) ? { compare: random.pick(['previous', 'year']) } : {}),
      ...(random.chance(0.4) ? { granularity: random.pick(GRANULARITIES) } : {}),
      ...this.#span(),
    }
  }

  #span(): RangeParameters {
    const random = this.#random
    if (random.chance(0.35)) return random.chance(0.1) ? {} : { period: random.pick(PERIODS) }
    const aroundUs = random.chance(0.4) ? random.pick(this.#history.changesUs) : this.#time()
    const otherUs = random.chance(0.5) ? aroundUs + random.between(-3, 3) * DAY_US : this.#time()
    const [fromUs, toUs] = [aroundUs, otherUs].sort((a, b) => a - b) as [number, number]
    const [from, to] = [this.#moment(fromUs), this.#moment(toUs)]
    return random.pick([{ from, to }, { from, to }, { from, to }, { from }, { to }])
  }

  #time(): number {
    const { startUs } = this.#history
    return startUs + this.#random.below(this.#endUs - startUs)
  }

  /** A date, or a time that often is the first of a quarter of an hour. */
  #moment(us: number): string {
    const random = this.#random
    const quarterUs = us - (us % QUARTER_US)
    const time = new Date((random.chance(0.7) ? quarterUs : us) / 1000).toISOString()
    return random.pick([time.slice(0, 10), time.slice(0, 10), time])
  }
}

const looksUp = ({ filters, linkFilters }: Question): boolean =>
  filters.some(({ isOfSources }) => isOfSources) || linkFilters.some(isUtm)

/** Where it is sent to. */
export function pathOf(
  { report, link, range, limit, utm, filters, linkFilters }: Question,
  codeOf: (link: number) => string,
): string {
  if (report === 'overview') return '/api/analytics/overview'
  const parameters = new URLSearchParams(range)
  if (limit !== undefined) parameters.set('limit', String(limit))
  const named = filters.map((filter) => ({
    ...filter,
    name: filter.isOfSources ? 'source' : filter.dimension,
  }))
  for (const { name, words, isNegated } of [...named, ...linkFilters])
    for (const word of words) parameters.append(name, isNegated ? `not:${word}` : word)
  if (report === 'link') return `/api/analytics/links/${codeOf(link!)}?${parameters}`
  if (link !== undefined) parameters.set('short_code', codeOf(link))
  if (report === 'utm') parameters.set('by', utm)
  const name = report in MODELED_DIMENSIONS ? MODELED_DIMENSIONS[report as ReportDimension].report : report
  return `/api/analytics/${name}?${parameters}`
}
