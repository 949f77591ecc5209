import { WHOLE_DIMENSIONS } from '../../../src/store/click-dimensions.ts'
import type { Selection } from './click-tally.ts'
import { MODELED_DIMENSIONS, type ReportDimension, sourceOf } from './modeled-dimensions.ts'
import {
  type HistoryLink,
  isLinkGroup,
  passesLinkFilters,
  passesUtmFilters,
  withoutUtm,
} from './modeled-links.ts'
import type { ModeledRange } from './modeled-range.ts'
import type { Question, QuestionFilter } from './random-questions.ts'

export type ReportWorld = {
  links: readonly HistoryLink[]
  workspaces: readonly { createdAtUs: number }[]
  host: string
  baseUrl: string
}

/** The clicks that a question is about, in this range. */
export function selectionOf(question: Question, world: ReportWorld, range: ModeledRange): Selection {
  const { link, filters } = question
  return {
    links: linksOf(question, world),
    linksOfUtm: linksOf({ ...question, linkFilters: withoutUtm(question.linkFilters) }, world),
    isWantedUtm: (text) => passesUtmFilters(text, question.linkFilters),
    filters: filters.map((filter) => ({ dimension: filter.dimension, isWanted: isWantedBy(filter) })),
    ...range,
    isOfLink: link !== undefined,
    isKept: isKept(question, range),
    dimensions: dimensionsOf(question),
  }
}

function dimensionsOf({ report }: Question): readonly ReportDimension[] {
  if (report === 'link') return WHOLE_DIMENSIONS
  if (report === 'sources') return ['referrer']
  return report in MODELED_DIMENSIONS ? [report as ReportDimension] : []
}

export const linksOf = (
  { link, workspace, linkFilters }: Question,
  { links, host }: ReportWorld,
): Uint8Array =>
  Uint8Array.from(links, (each, place) => {
    const isOne = link === undefined ? each.workspace === workspace : place === link
    return Number(isOne && passesLinkFilters(each, linkFilters, host))
  })

const isWantedBy =
  ({ dimension, isOfSources, words, isNegated }: QuestionFilter) =>
  (value: string): boolean => {
    if (isOfSources) return words.some((each) => isSource(value, each)) !== isNegated
    const { word, isCaseless } = MODELED_DIMENSIONS[dimension]
    const spelled = (text: string | undefined) => (isCaseless ? text?.toLowerCase() : text)
    return words.some((each) => spelled(each) === spelled(word(value))) !== isNegated
  }

const isSource = (host: string, word: string): boolean =>
  (sourceOf(word.toLowerCase()) || 'none').toLowerCase() === (sourceOf(host) || 'none').toLowerCase()

/** Reports of a whole workspace by whole hours of UTC, without filters. */
function isKept(question: Question, { fromQuarter, toQuarter, buckets }: ModeledRange): boolean {
  const { link, filters, linkFilters } = question
  const isWhole = dimensionsOf(question).every((name) =>
    (WHOLE_DIMENSIONS as readonly string[]).includes(name),
  )
  // What links are is looked up for each of them.
  const isByLink = question.report === 'links' || isLinkGroup(question.report)
  const bounds = [fromQuarter, toQuarter, ...buckets.map((bucket) => bucket.fromQuarter)]
  return (
    isWhole &&
    !isByLink &&
    link === undefined &&
    filters.length + linkFilters.length === 0 &&
    bounds.every((quarter) => quarter % 4 === 0)
  )
}
