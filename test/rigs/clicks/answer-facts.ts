import { COUNT_COLUMNS } from '../../../src/clicks/facts/fact-columns.ts'
import {
  type ClickGroup,
  type ClickQuery,
  type ClickRow,
  GROUP_KEYS,
  isDimension,
  ROWS_MAX,
} from '../../../src/clicks/queries/click-query.ts'
import type { FactRow } from './fact-rows.ts'

/** What every answer to the query has to be, computed from a list of all clicks. */
export function answerFacts(facts: readonly FactRow[], query: ClickQuery): ClickRow[][] {
  const [linkIds, exceptLinkIds] = [query.linkIds && new Set(query.linkIds), new Set(query.exceptLinkIds)]
  const isOfLinks = ({ link_id: id }: FactRow) => (linkIds?.has(id) ?? true) && !exceptLinkIds.has(id)
  const counted = facts.filter((fact) => isOfLinks(fact) && isOfQuery(fact, query))
  return query.groups.map((group) => answerGroup(counted, query, group))
}

function isOfQuery(fact: FactRow, query: ClickQuery): boolean {
  const { workspaceId = fact.workspace_id, fromUs, toUs, filters = {} } = query
  return (
    fact.workspace_id === workspaceId &&
    fact.clicked_at >= fromUs &&
    fact.clicked_at < toUs &&
    Object.entries(filters).every(
      ([name, { values, isNegated = false }]) =>
        isDimension(name) && values.includes(fact[name]) !== isNegated,
    )
  )
}

function answerGroup(
  facts: readonly FactRow[],
  { fromUs, stepUs }: ClickQuery,
  { by, top = ROWS_MAX }: ClickGroup,
): ClickRow[] {
  const rows = new Map<string, ClickRow>()
  if (by.length === 0) rows.set('[]', emptyRow([]))
  for (const fact of facts) {
    const keys = by.map((key) =>
      key === 'step' ? Math.floor((fact.clicked_at - fromUs) / stepUs!) : fact[key],
    )
    const row = rows.getOrInsertComputed(JSON.stringify(keys), () => emptyRow(keys))
    for (const name of COUNT_COLUMNS) row[name] += fact[name]
  }
  return [...rows.values()]
    .sort((one, other) => other.clicks - one.clicks || compareKeys(by, one, other))
    .slice(0, top)
}

const emptyRow = (keys: ClickRow['keys']): ClickRow => ({
  keys,
  clicks: 0,
  visitors: 0,
  workspace_visitors: 0,
  bots: 0,
})

function compareKeys(by: ClickGroup['by'], one: ClickRow, other: ClickRow): number {
  for (const key of GROUP_KEYS.filter((name) => by.includes(name))) {
    const [a, b] = [one, other].map(({ keys }) => keys[by.indexOf(key)]!) as [string, string]
    // By code points, as databases do, not by the halves of surrogate pairs.
    const order = isDimension(key) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : Number(a) - Number(b)
    if (order !== 0) return key === 'link_id' ? -order : order
  }
  return 0
}
