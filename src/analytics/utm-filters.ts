import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import { type LinkSet, ROWS_MAX } from '../clicks/queries/click-query.ts'
import { invalid } from '../errors/refusal.ts'
import type { UtmName } from '../links/utm-parameters.ts'
import { inTurns } from '../runtime/turns.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { Comparison } from './compare-range.ts'
import { type ClickScope, clicksOf, type Quarters } from './count-clicks.ts'
import type { NegatableValues } from './negatable-parameter.ts'

// A click has the UTM parameters with which its short URL was opened, if there were some, and else those of its destination.

const TEXTS_MAX = 2_000
const TEXTS_PER_TURN = 1_000

type UtmFilter = NegatableValues & { name: `utm_${UtmName}` }
/** `links`: those whose destinations pass. */
export type UtmFilters = { filters: readonly UtmFilter[]; links: LinkSet }

type UtmInRange = {
  range: Quarters
  comparison: Comparison | null | undefined
  utm: UtmFilters | undefined
}

/** The scope, narrowed to clicks with these UTM parameters in the range, or in the time that it is compared with. */
export async function scopeOfUtm(
  queries: ClickQueries,
  scope: ClickScope,
  { range, comparison, utm }: UtmInRange,
): Promise<ClickScope> {
  if (utm === undefined) return scope
  const hasOwn = await hasCountedUtm(queries.db, scope.workspaceId)
  const values = hasOwn ? await textsThatPass(queries, scope, { range, comparison, utm }) : []
  return { ...scope, filters: { ...scope.filters, utm: { values, otherwise: utm.links } } }
}

async function textsThatPass(
  queries: ClickQueries,
  scope: ClickScope,
  { range, comparison, utm }: UtmInRange & { utm: UtmFilters },
): Promise<string[]> {
  const fromQuarter = Math.min(range.fromQuarter, comparison?.before?.fromQuarter ?? Infinity)
  const [rows] = await queries.answer({
    ...clicksOf(scope, { ...range, fromQuarter }),
    groups: [{ by: ['utm'], top: ROWS_MAX }],
  })
  const values: string[] = []
  for await (const { keys } of inTurns(rows!, TEXTS_PER_TURN)) {
    const text = String(keys[0])
    if (text !== '' && passes(text, utm.filters)) values.push(text)
  }
  if (values.length > TEXTS_MAX) throw tooManyTexts()
  return values
}

function passes(text: string, filters: readonly UtmFilter[]): boolean {
  const own = new URLSearchParams(text)
  return filters.every(({ name, values, isNegated }) => values.includes(own.get(name) ?? '') !== isNegated)
}

/** Whether any click of the workspace had some of its own. */
async function hasCountedUtm(db: ReadOnlyDb, workspaceId: number): Promise<boolean> {
  const row = await db
    .selectFrom('workspace_hours')
    .select('hour')
    .where('workspace_id', '=', workspaceId)
    .where('dimension', '=', 'utm')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const tooManyTexts = () =>
  invalid({
    filter: [
      `Visitors came with more than ${TEXTS_MAX} different sets of these UTM parameters. Choose a shorter range, or a filter that selects fewer.`,
    ],
  })
