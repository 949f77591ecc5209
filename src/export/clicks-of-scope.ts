import type { ClickScope } from '../analytics/count-clicks.ts'
import { DIMENSIONS } from '../clicks/facts/dimensions.ts'
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
      .select(['id', 'code', 'domain_id as domainId'])
      .where('id', 'in', ids.slice(at, at + LINKS_AT_ONCE))
      .execute()
    for (const { id, ...name } of links) names.set(id, name)
  }
  return names
}

/** Whether a click is of the scope. Of bots nothing is known that a filter could find. */
function passesOf({ linkId, links, filters }: ClickScope): (row: ClickRow) => boolean {
  const only =
    linkId === undefined ? links && 'linkIds' in links && new Set(links.linkIds) : new Set([linkId])
  const except = new Set(links && 'exceptLinkIds' in links ? links.exceptLinkIds : [])
  const conditions = DIMENSIONS.flatMap((name) => {
    const filter = filters?.[name]
    return filter === undefined
      ? []
      : [{ name, values: new Set(filter.values), isNegated: filter.isNegated === true }]
  })
  return (row) =>
    (!only || only.has(row.link_id)) &&
    !except.has(row.link_id) &&
    (conditions.length === 0 || row.clicks > 0) &&
    conditions.every(({ name, values, isNegated }) => values.has(row[name]) !== isNegated)
}
