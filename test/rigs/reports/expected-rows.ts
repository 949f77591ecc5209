import type { ClickTally } from './click-tally.ts'
import { MODELED_DIMENSIONS, type ReportDimension, sourceOf } from './modeled-dimensions.ts'
import { groupsOf, type HistoryLink, isLinkGroup, titleOf } from './modeled-links.ts'
import type { Question } from './random-questions.ts'

/** A row of a list: what it is about, and its clicks. */
export type CountedRow = { about: object; clicks: number }

type Surroundings = { links: readonly HistoryLink[]; host: string }

/** All rows of a report that is a list, the most clicked first. */
export function countedRows(question: Question, world: Surroundings, tally: ClickTally): CountedRow[] {
  const { report } = question
  if (report === 'links') return linkRows(world, tally)
  if (report === 'sources') return sourceRows(tally)
  if (isLinkGroup(report)) return groupRows(question, world, tally)
  return dimensionRows(report as ReportDimension, tally)
}

export function dimensionRows(name: ReportDimension, tally: ClickTally): CountedRow[] {
  const { row } = MODELED_DIMENSIONS[name]
  return ordered(tally.values.get(name)!).map(([value, clicks]) => ({ about: row(value), clicks }))
}

function sourceRows(tally: ClickTally): CountedRow[] {
  const sums = new Map<string, number>()
  for (const [host, clicks] of tally.values.get('referrer')!) addTo(sums, sourceOf(host), clicks)
  return ordered(sums).map(([source, clicks]) => ({ about: { source: source || null }, clicks }))
}

/** Of links as they are now. Of deleted links, only clicks with UTM parameters of their own have a group. */
function groupRows(
  { report, utm }: Question,
  { links, host }: Surroundings,
  tally: ClickTally,
): CountedRow[] {
  const { field, of } = groupsOf(report, { host, utm })
  const sums = new Map<string, number>()
  for (const [place, clicksOfTexts] of tally.utmOfLinks)
    for (const [text, clicks] of clicksOfTexts)
      if (!links[place]!.isDeleted || (report === 'utm' && text !== ''))
        for (const name of of(links[place]!, text)) addTo(sums, name, clicks)
  return ordered(sums).map(([name, clicks]) => ({ about: { [field]: name || null }, clicks }))
}

export const topLinks = ({ links }: Surroundings, tally: ClickTally): [HistoryLink, number][] =>
  [...tally.links]
    .map(([place, clicks]): [HistoryLink, number] => [links[place]!, clicks])
    .filter(([{ isDeleted }]) => !isDeleted)
    .sort(([one, some], [other, more]) => more - some || other.id - one.id)

const linkRows = (world: Surroundings, tally: ClickTally): CountedRow[] =>
  topLinks(world, tally).map(([{ id, code }, clicks]) => ({
    about: { id, short_code: code, title: titleOf({ code }), domain: world.host },
    clicks,
  }))

const ordered = (sums: ReadonlyMap<string, number>): [string, number][] =>
  [...sums].sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1))

const addTo = (sums: Map<string, number>, name: string, clicks: number): void =>
  void sums.set(name, (sums.get(name) ?? 0) + clicks)
