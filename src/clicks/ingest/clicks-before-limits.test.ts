import { expect, test } from 'bun:test'
import { aClick, NOON_US } from '../../../test/rigs/journal-rig.ts'
import { useTestStore } from '../../../test/rigs/test-store.ts'
import { countEarlierClicks } from '../../links/link-openings.ts'
import { transact } from '../../store/transact.ts'
import { spendClicksBeforeLimits } from './clicks-before-limits.ts'

const store = useTestStore()

test('clicks from before a limit and from its first second are openings, later ones are not, nor those of other links', async () => {
  await transact(store.db, (tx) => countEarlierClicks(tx, { linkId: 1, nowUs: NOON_US }))
  const clickAt = (linkId: number, clickedAtUs: number) => aClick(1, { linkId, clickedAtUs })
  const early = [clickAt(1, NOON_US - 1), clickAt(1, NOON_US + 999_999), clickAt(2, NOON_US - 1)]
  await transact(store.db, (tx) => spendClicksBeforeLimits(tx, early))
  await transact(store.db, (tx) => spendClicksBeforeLimits(tx, [clickAt(1, NOON_US + 1_000_000)]))
  const openings = await store.db.selectFrom('link_openings').select(['link_id', 'opened']).execute()
  expect(openings.map((row) => [row.link_id, Number(row.opened)])).toEqual([[1, 2]])
})
