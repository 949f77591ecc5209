import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { aBotFact, aFact, type FactRow, insertFacts } from '../../../test/rigs/clicks/fact-rows.ts'
import { NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { DAY_US, HOUR_US, MINUTE_US, QUARTER_US } from '../../runtime/clock.ts'
import { mergeNextClicks } from './merge-clicks.ts'

const KEEP_DAYS = 30
/** The beginning of a quarter of an hour: times from here on are kept. */
const LIMIT_US = NOON_US - KEEP_DAYS * DAY_US

const store = useTestStore()

describe('clicks whose times are kept no longer', () => {
  test('have the beginning of their quarter of an hour, and are one row if they are the same in every dimension', async () => {
    const at = (minutes: number) => LIMIT_US - HOUR_US + minutes * MINUTE_US
    await add(
      aFact({ clicked_at: at(1), browser: 'A' }),
      aFact({ clicked_at: at(14), browser: 'B', visitors: 0, workspace_visitors: 0 }),
      aFact({ clicked_at: at(15), browser: 'A' }),
      aFact({ clicked_at: at(3), browser: 'A', workspace_visitors: 0 }),
      aFact({ clicked_at: at(4), browser: 'A', link_id: 2 }),
      aBotFact({ clicked_at: at(5) }),
      aBotFact({ clicked_at: at(6) }),
    )
    await merge()
    expect(await rows()).toEqual([
      { id: 1, link_id: 1, clicked_at: at(0), browser: 'A', counts: '2 2 1 0' },
      { id: 2, link_id: 1, clicked_at: at(0), browser: 'B', counts: '1 0 0 0' },
      { id: 3, link_id: 1, clicked_at: at(15), browser: 'A', counts: '1 1 1 0' },
      { id: 5, link_id: 2, clicked_at: at(0), browser: 'A', counts: '1 1 1 0' },
      { id: 6, link_id: 1, clicked_at: at(0), browser: '', counts: '0 0 0 2' },
    ])
  })

  test('are all clicks up to the first that is younger; later ones come when that one does', async () => {
    const old = LIMIT_US - 1
    await add(aFact({ clicked_at: old }), aFact({ clicked_at: LIMIT_US }), aFact({ clicked_at: old }))
    await merge()
    expect((await rows()).map(({ clicked_at: time }) => time)).toEqual([LIMIT_US - QUARTER_US, LIMIT_US, old])
    await merge(NOON_US + QUARTER_US)
    expect((await rows()).map(({ id, clicked_at: time }) => [id, time])).toEqual([
      [1, LIMIT_US - QUARTER_US],
      [2, LIMIT_US],
      [3, LIMIT_US - QUARTER_US],
    ])
  })

  test('are merged in small steps, all in one run, and none is lost', async () => {
    await add(...Array.from({ length: 12_345 }, (_, i) => aFact({ clicked_at: LIMIT_US - 12_345 + i })))
    await merge()
    const merged = await rows()
    expect(merged.map(({ counts }) => counts)).toEqual(
      [5_000, 5_000, 2_345].map((clicks) => `${clicks} ${clicks} ${clicks} 0`),
    )
    // Nothing is left to do, and the ids go on behind those that were merged away.
    await merge()
    await add(aFact())
    expect((await rows()).at(-1)!.id).toBe(12_346)
  })

  test('are none at all where there are none, and all where no day is kept', async () => {
    await merge()
    await add(aFact({ clicked_at: NOON_US - 1 }), aFact({ clicked_at: NOON_US }))
    await merge(NOON_US + MINUTE_US, 0)
    expect((await rows()).map(({ clicked_at: time }) => time)).toEqual([NOON_US - QUARTER_US, NOON_US])
  })
})

const add = (...facts: FactRow[]) => insertFacts(store.relaxedDb, facts)

async function merge(nowUs = NOON_US, keepDays = KEEP_DAYS): Promise<void> {
  while (await mergeNextClicks(store.relaxedDb, { nowUs, keepDays }));
}

/** `counts`: clicks, visitors, visitors of the workspace, bots. */
const rows = () =>
  store.db
    .selectFrom('clicks')
    .select(['id', 'link_id', 'clicked_at', 'browser'])
    .select(sql<string>`clicks || ' ' || visitors || ' ' || workspace_visitors || ' ' || bots`.as('counts'))
    .orderBy('id')
    .execute()
