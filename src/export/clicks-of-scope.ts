import { shownCode } from '../links/shown-code.ts'
import { visitorFilters } from '../analytics/click-filters.ts'
import type { ClickScope } from '../analytics/count-clicks.ts'
import { type Dimension, DIMENSIONS } from '../store/click-dimensions.ts'
import type { ClickFilter, LinkSet } from '../clicks/queries/click-query.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { type ClickLineDeps, type ClickTimes, openClicks } from './click-lines.ts'
import type { ClickRow } from './table-clicks.ts'

const LINKS_AT_ONCE = 500

type LinkName = { code: string; domainId: number }
/** Undefined: the link was deleted. */
export type ClickOfLink = ClickRow & { link: LinkName | undefined }

/** The clicks that a report of the same scope and times counts, and the bots beside them, page by page. */
export async function* clicksOfScope(
  deps: ClickLineDeps,
  scope: ClickScope,
  times: ClickTimes,
): AsyncGenerator<ClickOfLink[]> {
  const passes = passesOf(scope)
  for await (const page of await openClicks(deps, scope.workspaceId, times)) {
    const rows = page.filter(passes)
    const names = await linkNames(deps.db, rows)
    yield rows.map((row) => ({ ...row, link: names.get(row.link_id) }))
  }
}

async function linkNames(db: ReadOnlyDb, rows: readonly ClickRow[]): Promise<Map<number, LinkName>> {
  const ids = [...new Set(rows.map(({ link_id: id }) => id))]
  const names = new Map<number, LinkName>()
  for (let at = 0; at < ids.length; at += LINKS_AT_ONCE) {
    const links = await db
      .selectFrom('links')
      .select(['id', shownCode, 'domain_id as domainId'])
      .where('id', 'in', ids.slice(at, at + LINKS_AT_ONCE))
      .execute()
    for (const { id, ...name } of links) names.set(id, name)
  }
  return names
}

/** Whether a click is of the scope. Of bots nothing is known that a filter could find. */
function passesOf({ linkId, links, filters }: ClickScope): (row: ClickRow) => boolean {
  const isOfLinks = linkCondition(linkId === undefined ? links : { linkIds: [linkId] })
  const isOfPeople = visitorFilters(filters).length > 0
  const conditions = DIMENSIONS.flatMap((name) => {
    const filter = filters?.[name]
    return filter === undefined ? [] : [filterCondition(name, filter)]
  })
  return (row) =>
    isOfLinks(row) && (!isOfPeople || row.clicks > 0) && conditions.every((passes) => passes(row))
}

type Condition = (row: ClickRow) => boolean

function linkCondition(links: LinkSet | undefined): Condition {
  if (links === undefined) return () => true
  const isWanted = 'linkIds' in links
  const ids = new Set(isWanted ? links.linkIds : links.exceptLinkIds)
  return (row) => ids.has(row.link_id) === isWanted
}

function filterCondition(name: Dimension, { values, isNegated = false, otherwise }: ClickFilter): Condition {
  const valueSet = new Set(values)
  const isOtherwise = otherwise && linkCondition(otherwise)
  return (row) =>
    valueSet.has(row[name]) !== isNegated ||
    (row[name] === '' && isOtherwise !== undefined && isOtherwise(row))
}
