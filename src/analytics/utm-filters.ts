import type { ClickQueries } from '../clicks/queries/click-queries.ts'
import type { LinkSet } from '../clicks/queries/click-query.ts'
import { invalid } from '../errors/refusal.ts'
import { type UtmName, utmInQuery } from '../links/utm-parameters.ts'
import { inTurns } from '../runtime/turns.ts'
import type { ReadOnlyDb } from '../store/handles.ts'
import type { ClickScope } from './count-clicks.ts'
import type { NegatableValues } from './negatable-parameter.ts'
import { type ComparedRange, valuesInRange } from './values-in-range.ts'

// A click has the UTM parameters with which its short URL was opened, if there were some, and else those of its destination.

const TEXTS_MAX = 2_000
const TEXTS_PER_TURN = 1_000

type UtmFilter = NegatableValues & { name: UtmName }
/** `links`: those whose destinations pass. */
export type UtmFilters = { filters: readonly UtmFilter[]; links: LinkSet }

type UtmInRange = ComparedRange & { utm: UtmFilters | undefined }

/** The scope, narrowed to clicks with these UTM parameters in the range, or in the time that it is compared with. */
export async function scopeOfUtm(
  queries: ClickQueries,
  scope: ClickScope,
  { range, comparison, utm }: UtmInRange,
): Promise<ClickScope> {
  if (utm === undefined) return scope
  const texts = (await hasCountedUtm(queries.db, scope.workspaceId))
    ? await valuesInRange(queries, scope, { range, comparison, dimension: 'utm' })
    : []
  const values: string[] = []
  for await (const text of inTurns(texts, TEXTS_PER_TURN))
    if (text !== '' && passes(text, utm.filters)) values.push(text)
  if (values.length > TEXTS_MAX) throw tooManyTexts()
  return { ...scope, filters: { ...scope.filters, utm: { values, otherwise: utm.links } } }
}

function passes(text: string, filters: readonly UtmFilter[]): boolean {
  const own = utmInQuery(text)
  return filters.every(({ name, values, isNegated }) => values.includes(own?.[name] ?? '') !== isNegated)
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
