import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import { splitQuery, valueOfPair } from './destinations/query-pairs.ts'
import { UTM_NAMES, type UtmName } from './utm-parameters.ts'

/** The newest links, found through the index of the list: as quick for a million links as for these. */
const LINKS_READ = 1_000
/** Longer ones are hardly typed a second time. */
const URL_LENGTH_MAX = 2_000
const VALUE_LENGTH_MAX = 200
const VALUES_MAX = 100

export type UsedUtmValues = Record<UtmName, string[]>

/** The values of each UTM parameter in the newest links of the workspace: the most used first, then the newest. */
export async function usedUtmValues(
  { db }: { db: ReadOnlyDb },
  { workspaceId }: Pick<Caller, 'workspaceId'>,
): Promise<UsedUtmValues> {
  const newest = db
    .selectFrom('links')
    .select('original_url')
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LINKS_READ)
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select('original_url')
    .where(
      sql<boolean>`length(original_url) <= ${URL_LENGTH_MAX} AND original_url LIKE '%utm\\_%' ESCAPE '\\'`,
    )
    .execute()
  const valuesByName = UTM_NAMES.map((name) => [name, new Map<string, number>()] as const)
  const counts = new Map<string, Map<string, number>>(valuesByName)
  for (const { original_url: url } of rows) countValues(url, counts)
  return Object.fromEntries(valuesByName.map(([name, values]) => [name, mostUsed(values)])) as UsedUtmValues
}

function countValues(url: string, counts: ReadonlyMap<string, Map<string, number>>): void {
  const { query } = splitQuery(url)
  for (const [pair, name] of query.matchAll(/(?<=^|&)utm_([a-z]+)=[^&]*/g)) {
    const values = counts.get(name!)
    const value = valueOfPair(pair)
    if (values === undefined || value === '' || value.length > VALUE_LENGTH_MAX) continue
    values.set(value, (values.get(value) ?? 0) + 1)
  }
}

const mostUsed = (values: ReadonlyMap<string, number>): string[] =>
  [...values]
    .sort(([, a], [, b]) => b - a)
    .slice(0, VALUES_MAX)
    .map(([value]) => value)
