import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { aFact, type FactRow, insertFacts } from '../../../test/rigs/clicks/fact-rows.ts'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { HOUR_US } from '../../runtime/clock.ts'
import { DIMENSIONS, type Dimension } from '../../store/click-dimensions.ts'
import { FACT_COLUMNS } from '../facts/fact-columns.ts'
import { type ClickGroup, type ClickQuery, type GroupKey, ROWS_MAX } from './click-query.ts'
import { queryTable } from './query-table.ts'

const store = useTestStore()

test('several groups are of the same clicks, each with its first rows, and steps are counted from the beginning', async () => {
  await add(
    aFact({ link_id: 1, country: 'DE', clicked_at: NOON_US + HOUR_US }),
    aFact({ link_id: 1, country: 'DE', clicked_at: NOON_US + 2 * HOUR_US - 1, visitors: 0 }),
    aFact({ link_id: 2, country: 'FR' }),
    aFact({ link_id: 3, country: 'FR', workspace_id: 2 }),
  )
  const groups = await answer({
    workspaceId: 1,
    stepUs: HOUR_US,
    groups: [{ by: ['step', 'country'] }, { by: [] }, { by: ['link_id'], top: 1 }],
  })
  const germany = { clicks: 2, visitors: 1, workspace_visitors: 2, bots: 0 }
  expect(groups).toEqual([
    [
      { keys: [1, 'DE'], ...germany },
      { keys: [0, 'FR'], clicks: 1, visitors: 1, workspace_visitors: 1, bots: 0 },
    ],
    [{ keys: [], clicks: 3, visitors: 2, workspace_visitors: 3, bots: 0 }],
    [{ keys: [1], ...germany }],
  ])
})

test('of the same clicks, newer links, smaller values and earlier steps come first, in whatever order they are named', async () => {
  const at = [NOON_US + HOUR_US, NOON_US]
  const facts = [1, 2].flatMap((link_id) =>
    ['\u{1f600}', '\u{fffd}', 'a'].flatMap((os) =>
      at.map((clicked_at) => aFact({ link_id, os, clicked_at })),
    ),
  )
  await add(...facts)
  const expected = [2, 1].flatMap((id) =>
    ['a', '\u{fffd}', '\u{1f600}'].flatMap((os) => [0, 1].map((step) => [id, os, step])),
  )
  const keysOf = async (by: GroupKey[]) => {
    const [rows] = await answer({ stepUs: HOUR_US, groups: [{ by }] })
    return rows!.map(({ keys }) => keys)
  }
  expect(await keysOf(['link_id', 'os', 'step'])).toEqual(expected)
  expect(await keysOf(['step', 'os', 'link_id'])).toEqual(expected.map((keys) => keys.toReversed()))
})

test('no click is one row of zeros, and no row by anything', async () => {
  await add(aFact({ country: 'DE' }))
  const groups: ClickGroup[] = [{ by: [] }, { by: ['country'] }, { by: ['link_id', 'country'] }]
  const none = [[{ keys: [], clicks: 0, visitors: 0, workspace_visitors: 0, bots: 0 }], [], []]
  expect(await answer({ groups, toUs: NOON_US })).toEqual(none)
  expect(await answer({ groups, linkIds: [] })).toEqual(none)
  expect(await answer({ groups, filters: { country: { values: [] } } })).toEqual(none)
  expect(await clicksOf({ filters: { country: { values: [], isNegated: true } } })).toBe(1)
})

test('links of another workspace have no clicks', async () => {
  await add(aFact({ link_id: 1, workspace_id: 1 }), aFact({ link_id: 2, workspace_id: 2 }))
  expect(await clicksOf({ workspaceId: 1, linkIds: [1, 2] })).toBe(1)
  expect(await clicksOf({ linkIds: [1, 2] })).toBe(2)
  expect(await clicksOf({ exceptLinkIds: [2, 3] })).toBe(1)
})

test('every text comes back as it was, and selects its own clicks only', async () => {
  const texts = ['', "'; DROP TABLE clicks; --", '"a"', '\\', '$1 ? % _ *', 'é\u202e', 'x'.repeat(2_000)]
  await add(
    ...texts.map((text) =>
      aFact(Object.fromEntries(DIMENSIONS.map((name) => [name, text])) as Record<Dimension, string>),
    ),
  )
  const groups = await answer({ groups: DIMENSIONS.map((name) => ({ by: [name] })) })
  for (const rows of groups) expect(rows.map(({ keys: [text] }) => text)).toEqual(texts.toSorted())
  for (const text of texts) {
    const filters = { referrer: { values: [text] }, os: { values: ['zero\0', '\ud800'], isNegated: true } }
    const [rows] = await answer({ filters, groups: [{ by: ['alias'] }] })
    expect(rows!.map(({ keys }) => keys)).toEqual([[text]])
  }
})

test('a query by anything but a known column, or by the same ones twice, is refused', async () => {
  await add(aFact())
  for (const name of ['clicked_at', 'constructor', 'country" FROM clicks; --']) {
    const key = name as 'country'
    await expect(answer({ groups: [{ by: [key] }] })).rejects.toThrow(`No query groups by ${name}.`)
    const filters = { [key]: { values: [''] } }
    await expect(answer({ groups: [{ by: [] }], filters })).rejects.toThrow(`No query filters by ${name}.`)
  }
  const once = 'A query has groups, and each of them once.'
  const byBoth: ClickGroup[] = [{ by: ['os', 'alias'] }, { by: ['alias', 'os'] }]
  for (const groups of [[], byBoth, [{ by: ['os' as const, 'os' as const] }]])
    await expect(answer({ groups })).rejects.toThrow(once)
  await expect(answer({ groups: [{ by: ['step'] }] })).rejects.toThrow('says how long each is')
  expect(await clicksOf({})).toBe(1)
})

test('as many rows as a query may have are answered, newest links first', async () => {
  const values = FACT_COLUMNS.map((name) => {
    if (name === 'link_id') return sql`id`
    const value = aFact()[name as keyof FactRow]!
    return typeof value === 'number' ? sql.lit(value) : sql`${value}`
  })
  await add(aFact({ link_id: 0 }))
  await sql`WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${sql.lit(ROWS_MAX + 1_000)})
    INSERT INTO clicks (${sql.join(FACT_COLUMNS.map((name) => sql.ref(name)))})
    SELECT ${sql.join(values)} FROM ids`.execute(store.relaxedDb)
  const [rows] = await answer({ groups: [{ by: ['link_id'] }] })
  expect(rows!.map(({ keys: [id] }) => id)).toEqual(
    Array.from({ length: ROWS_MAX }, (_, i) => ROWS_MAX + 1_000 - i),
  )
})

const add = (...facts: FactRow[]) => insertFacts(store.relaxedDb, facts)

const answer = (query: Partial<ClickQuery> & Pick<ClickQuery, 'groups'>) =>
  queryTable(store.reportDb, { fromUs: NOON_US, toUs: NOON_US + 4 * HOUR_US, ...query })

async function clicksOf(query: Partial<ClickQuery>): Promise<number> {
  const [rows] = await answer({ ...query, groups: [{ by: [] }] })
  return rows![0]!.clicks
}
