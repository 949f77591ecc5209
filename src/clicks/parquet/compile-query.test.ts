import { expect, test } from 'bun:test'
import { aFact } from '../../../test/rigs/clicks/fact-rows.ts'
import { usePerTest } from '../../../test/rigs/use-rig.ts'
import { DAY_US, QUARTER_US } from '../../runtime/clock.ts'
import { FACT_COLUMNS } from '../facts/fact-columns.ts'
import type { ClickQuery } from '../queries/click-query.ts'
import { compileQuery } from './compile-query.ts'
import { DuckDb } from './duckdb.ts'
import { FACT_TABLE, OPEN_CLICKS } from './open-clicks.ts'

const opened = usePerTest(
  async (folder) => ({ duckDb: await DuckDb.open(folder) }),
  async ({ duckDb }) => duckDb.close(),
)

test('groups that are added up one by one have the rows of those that are added up together', async () => {
  const connection = await opened.duckDb.connect()
  await connection.all(`CREATE TABLE ${OPEN_CLICKS} ${FACT_TABLE}`)
  const facts = Array.from({ length: 3_000 }, (_, i) =>
    aFact({
      link_id: i % 41,
      clicked_at: (i % 700) * QUARTER_US,
      country: ['DE', 'FR', ''][i % 3]!,
      referrer: `host${(i * i) % 97}.example`,
      clicks: i % 5,
      bots: i % 2,
    }),
  )
  const rows = facts.map((fact) => FACT_COLUMNS.map((name) => fact[name as keyof typeof fact]))
  await connection.append(OPEN_CLICKS, FACT_COLUMNS, rows)
  const query: ClickQuery = {
    fromUs: DAY_US,
    toUs: 5 * DAY_US,
    stepUs: DAY_US,
    filters: { country: { values: ['FR'], isNegated: true } },
    groups: [
      { by: ['step'] },
      { by: [] },
      { by: ['country'] },
      { by: ['referrer'], top: 10 },
      { by: ['step', 'link_id'], top: 30 },
    ],
  }
  const answer = async (rowsMax: number, groups = query.groups, counts = query.counts) => {
    const { text, values, groupsOf } = compileQuery({ ...query, groups, counts }, [], { rows: rowsMax })
    return groupsOf(await connection.all(text, values))
  }
  const together = await answer(Infinity)
  expect(together.map(({ length }) => length)).toEqual([4, 1, 2, 10, 30])
  expect(await answer(facts.length)).toEqual(together)
  for (const [at, group] of query.groups.entries())
    expect(await answer(Infinity, [group])).toEqual([together[at]!])
  const withoutOthers = together.map((rows) =>
    rows.map((row) => ({ ...row, workspace_visitors: 0, bots: 0 })),
  )
  for (const rowsMax of [Infinity, facts.length])
    expect(await answer(rowsMax, query.groups, ['visitors'])).toEqual(withoutOthers)
})
