import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openBatchCounter } from '../../../test/rigs/clicks/batch-counter.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { botVisitOf, visitOf } from '../../../test/rigs/clicks/read-clicks.ts'
import { hasFollower, hasFollowers } from '../../../test/rigs/store/lock-wait.ts'
import { lacksPostgres } from '../../../test/rigs/store/postgres-server.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { openTestStore, useTestStore } from '../../../test/rigs/store/test-store.ts'
import { countEarlierClicks } from '../../links/link-openings.ts'
import type { AnyDb } from '../../store/handles.ts'
import type { Store } from '../../store/open-store.ts'
import { transact } from '../../store/transact.ts'
import { spendClicksBeforeLimits } from './clicks-before-limits.ts'

const perTest = useTestStore()

test('clicks from before a limit and from its first second are openings, later ones are not, nor those of other links or of bots', async () => {
  await transact(perTest.db, (tx) => countEarlierClicks(tx, limitOf(1)))
  const clickAt = (linkId: number, clickedAtUs: number) => visitOf(aClick(1, { linkId, clickedAtUs }))
  const botClick = botVisitOf(aClick(1, { linkId: 1, clickedAtUs: NOON_US - 1 }))
  const early = [clickAt(1, NOON_US - 1), clickAt(1, NOON_US + 999_999), clickAt(2, NOON_US - 1), botClick]
  await transact(perTest.db, (tx) => spendClicksBeforeLimits(tx, early))
  await transact(perTest.db, (tx) => spendClicksBeforeLimits(tx, [clickAt(1, NOON_US + 1_000_000)]))
  expect(await openings(perTest.db)).toEqual([[1, 2]])
})

// SQLite runs one writing transaction at a time.
const isMissing = lacksPostgres('limits that are set while clicks are counted')
const folders = temporaryFolders()

describe.skipIf(isMissing)(
  'the first clicks of a link that gets a limit at the same moment are openings',
  () => {
    let store: Store
    beforeAll(async () => {
      store = await openTestStore(folders.make(), 'postgres')
      // On a busy machine a new connection can take longer than anything may wait for a lock.
      await Promise.all([1, 2, 3].map(() => sql`SELECT pg_sleep(0.1)`.execute(store.db)))
    })
    afterAll(async () => {
      await store.close()
      folders.remove()
    })

    test('if they are being counted when the limit comes', async () => {
      const clicks = [1, 2, 3].map((visitor) => aClick(visitor, { linkId: 1, workspaceId: 1 }))
      const { count } = await openBatchCounter(store, '0193b1c0-0000-7000-8000-0000000000aa')
      const { counting, setting } = await transact(store.db, async (tx) => {
        // Counting writes this row after it has looked for limits.
        const none = { clicks: 0, visitors: 0, bots: 0, last_clicked_at: null }
        await tx
          .insertInto('workspace_totals')
          .values({ workspace_id: 1, ...none })
          .execute()
        const counting = count(clicks)
        await hasFollower(tx)
        const setting = transact(store.db, (limitTx) => countEarlierClicks(limitTx, limitOf(1)))
        await hasFollowers(tx, 2)
        return { counting, setting }
      })
      await Promise.all([counting, setting])
      expect(await openings(store.db)).toContainEqual([1, 3])
    })

    test('if the limit is not stored yet when they are to be counted', async () => {
      const clicks = [1, 2].map((visitor) => aClick(visitor, { linkId: 2, workspaceId: 2 }))
      const { count } = await openBatchCounter(store, '0193b1c0-0000-7000-8000-0000000000bb')
      const { counting } = await transact(store.db, async (tx) => {
        await countEarlierClicks(tx, limitOf(2))
        const counting = count(clicks)
        await hasFollower(tx)
        return { counting }
      })
      await counting
      expect(await openings(store.db)).toContainEqual([2, 2])
    })
  },
)

const limitOf = (linkId: number) => ({ linkId, workspaceId: linkId, nowUs: NOON_US })

async function openings(db: AnyDb): Promise<[linkId: number, opened: number][]> {
  const rows = await db.selectFrom('link_openings').select(['link_id', 'opened']).execute()
  return rows.map((row) => [row.link_id, Number(row.opened)])
}
