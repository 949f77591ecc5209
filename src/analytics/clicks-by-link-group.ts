import { invalid } from '../errors/refusal.ts'
import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import type { ClickRow } from '../clicks/queries/click-query.ts'
import type { Domains } from '../links/domains/domains.ts'
import { labelsOfLinks } from '../links/labels/link-labels.ts'
import type { LabelKind } from '../links/labels/label.ts'
import { UTM_NAMES, type UtmName, utmInQuery, utmOf } from '../links/utm-parameters.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { type BreakdownRow, percentageOf } from './click-counts.ts'
import { type ClickScope, clicksOf, type Quarters } from './count-clicks.ts'

/** Of each, the clicks are brought together here. */
const LINKS_MAX = 50_000
const LOOKED_UP_AT_ONCE = 500

type LinkRow = { id: number; domainId: number; destination: string }

/** What links are grouped by, as they are now. Links without a name are a group too, ''. */
export type LinkGroups = {
  ofLinks(db: ReadOnlyDb, links: readonly LinkRow[]): Promise<Map<number, string[]>>
  /** Of clicks that have a group of their own, by their UTM parameters. */
  ofUtm?: (text: string) => string
}

/** Clicks of each group, most clicks first; and those of all links. Clicks of deleted links have no group but one of their own. */
export async function clicksByLinkGroup(
  queries: ClickQueries,
  scope: ClickScope,
  { range, limit, groups }: { range: Quarters; limit: number; groups: LinkGroups },
): Promise<{ rows: BreakdownRow[]; total: number }> {
  const [links, all] = await queries.answer({
    ...clicksOf(scope, range),
    counts: [],
    groups: [{ by: groups.ofUtm ? ['link_id', 'utm'] : ['link_id'], top: LINKS_MAX + 1 }, { by: [] }],
  })
  if (links!.length > LINKS_MAX) throw tooManyLinks()
  const total = all![0]?.clicks ?? 0
  const sums = new Map<string, number>()
  for (let at = 0; at < links!.length; at += LOOKED_UP_AT_ONCE)
    await addUp(queries.db, sums, { rows: links!.slice(at, at + LOOKED_UP_AT_ONCE), groups, scope })
  const rows = [...sums]
    .map(([value, clicks]) => ({ value, clicks, percentage: percentageOf(clicks, total) }))
    .toSorted((one, other) => other.clicks - one.clicks || (one.value < other.value ? -1 : 1))
  return { rows: rows.slice(0, limit), total }
}

type Part = { rows: readonly ClickRow[]; groups: LinkGroups; scope: ClickScope }

async function addUp(db: ReadOnlyDb, sums: Map<string, number>, { rows, groups, scope }: Part) {
  const linkIds = new Set(rows.map(({ keys: [id] }) => Number(id)))
  const links = await db
    .selectFrom('links')
    .select(['id', 'domain_id as domainId', 'original_url as destination'])
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', 'in', [...linkIds])
    .execute()
  const namesOf = await groups.ofLinks(db, links)
  const existingIds = new Set(links.map(({ id }) => id))
  const namesOfLink = (id: number) => (existingIds.has(id) ? (namesOf.get(id) ?? ['']) : [])
  for (const { keys, clicks } of rows) {
    const [id, utm] = keys
    const names = utm ? [groups.ofUtm!(String(utm))] : namesOfLink(Number(id))
    if (clicks > 0) for (const name of names) sums.set(name, (sums.get(name) ?? 0) + clicks)
  }
}

const tooManyLinks = () =>
  invalid({
    from: [
      `More than ${LINKS_MAX} links, or sets of UTM parameters, have clicks in the range. Choose a shorter one, or a filter that selects fewer links.`,
    ],
  })

export const LINK_GROUP_NAMES = [
  'tag',
  'folder',
  'domain',
  ...UTM_NAMES.map((name) => `utm_${name}` as const),
] as const
export type LinkGroupName = (typeof LINK_GROUP_NAMES)[number]

export function linkGroupsBy(name: LinkGroupName, domains: Pick<Domains, 'hostOf'>): LinkGroups {
  if (name === 'domain')
    return {
      ofLinks: async (_db, links) =>
        new Map(links.map(({ id, domainId }) => [id, [domains.hostOf(domainId)]])),
    }
  if (name === 'tag' || name === 'folder') return byLabel(name)
  return byUtm(name.slice('utm_'.length) as UtmName)
}

/** A link with several tags counts for each. */
const byLabel = (kind: LabelKind): LinkGroups => ({
  async ofLinks(db, links) {
    const labels = await labelsOfLinks(
      db,
      links.map(({ id }) => id),
    )
    return new Map(
      [...labels].flatMap(([id, all]) => {
        const names = all.filter((label) => label.kind === kind).map(({ name }) => name)
        return names.length === 0 ? [] : [[id, names]]
      }),
    )
  },
})

const byUtm = (name: UtmName): LinkGroups => ({
  ofLinks: async (_db, links) =>
    new Map(links.map(({ id, destination }) => [id, [utmOf(destination)?.[name] ?? '']])),
  ofUtm: (text) => utmInQuery(text)?.[name] ?? '',
})
