import { ClickQueries } from '../../../src/clicks/queries/click-queries.ts'
import { jsonLog } from '../../../src/runtime/log.ts'
import type { Store } from '../../../src/store/open-store.ts'
import type { Insertable } from 'kysely'
import { DIMENSIONS } from '../../../src/store/click-dimensions.ts'
import { monthOf } from '../../../src/runtime/clock.ts'
import { prepareClickMonths } from '../../../src/store/engine-sql.ts'
import type { RelaxedDb } from '../../../src/store/handles.ts'
import type { Database } from '../../../src/store/schema.ts'
import { NOON_US } from './journal-rig.ts'

export type FactRow = Insertable<Database['clicks']>

/** A visitor's only click on the day, at noon, of which nothing is known. */
export const aFact = (others: Partial<FactRow> = {}): FactRow => ({
  ...(Object.fromEntries(DIMENSIONS.map((name) => [name, ''])) as Pick<FactRow, (typeof DIMENSIONS)[number]>),
  via: 'link',
  workspace_id: 1,
  link_id: 1,
  clicked_at: NOON_US,
  clicks: 1,
  visitors: 1,
  workspace_visitors: 1,
  bots: 0,
  ...others,
})

export const aBotFact = (others: Partial<FactRow> = {}): FactRow =>
  aFact({ via: '', clicks: 0, visitors: 0, workspace_visitors: 0, bots: 1, ...others })

/** Rows of one statement. */
const ROWS_MAX = 500

export async function insertFacts(db: RelaxedDb, facts: readonly FactRow[]): Promise<void> {
  await prepareClickMonths(db, new Set(facts.map(({ clicked_at: at }) => monthOf(at))))
  for (let from = 0; from < facts.length; from += ROWS_MAX)
    await db
      .insertInto('clicks')
      .values(facts.slice(from, from + ROWS_MAX))
      .execute()
}

/** Of a store whose clicks are all in the table. */
export const queriesOf = ({ reportDb: db }: Pick<Store, 'reportDb'>) =>
  new ClickQueries({ db, log: jsonLog('error', 'test') })
