import { expect } from 'bun:test'
import type { AnyDb } from '../../../src/store/handles.ts'
import type { Click } from '../../../src/clicks/journal/click.ts'
import { Ingest } from '../../../src/clicks/ingest/ingest.ts'
import { checkCounters } from '../../../src/clicks/repair/check-counters.ts'
import type { Dimension } from '../../../src/store/click-dimensions.ts'
import { manualClock } from '../../../src/runtime/clock.ts'
import type { Store } from '../../../src/store/open-store.ts'
import { readTestUserAgent, THIS_BOOT } from './ingest-rig.ts'
import { NOON_US } from './journal-rig.ts'
import { openTestStore } from '../store/test-store.ts'
import { usePerTest } from '../use-rig.ts'

/** A store for each test, and nodes that count in it. After the test, the counters agree with each other. */
export function useCounterRig() {
  let segments = 0
  const opened = usePerTest(
    async (folder) => ({ folder, store: await openTestStore(folder) }),
    async ({ store }) => {
      const checked = await checkCounters(store.db)
      await store.close()
      expect(checked.filter(({ broken }) => broken.length > 0)).toEqual([])
    },
  )
  const startNode = (on = opened.store) => openBatchCounter(on, `segment ${++segments}`)
  return Object.assign(opened, { startNode })
}

/** A node that counts a segment of its own: each call of `count` is a batch. A new one is a node that has just started. */
export async function openBatchCounter(
  store: Store,
  segment: string,
  { hasExactTimes = true, readUserAgent = readTestUserAgent } = {},
) {
  await store.db.insertInto('journal_segments').values(newSegmentRow(segment)).execute()
  const ingest = new Ingest({ store, clock: manualClock(NOON_US), readUserAgent })
  let from = 0
  const origin = () => ({ segment, from, isEnd: false, hasExactTimes })
  return {
    async count(clicks: readonly Click[]): Promise<void> {
      const position = from + clicks.length
      await ingest.count({ clicks: [...clicks], position, ...NOTHING_ODD }, origin())
      from = position
    },
    /** A batch of which the server refuses one of the last statements, so that all of it is rolled back. */
    async fail(clicks: readonly Click[]): Promise<void> {
      const last = { ...clicks.at(-1)!, country: null as unknown as string }
      const batch = { clicks: [...clicks, last], position: from + 1, ...NOTHING_ODD }
      await ingest.count(batch, origin())
    },
  }
}

const NOTHING_ODD = { deadLetters: [], damagedBytes: 0, tornBytes: 0, sealedClicks: undefined }

/** Of a segment of which nothing is counted yet. */
export const newSegmentRow = (segment: string) => ({
  segment,
  node: 'here',
  previous_segment: THIS_BOOT,
  base_count: 0,
  position: 0,
  clicks: 0,
  dead_letters: 0,
  damaged_bytes: 0,
  finished_at: null,
})

/** The clicks of each value that the hours of a workspace have, of all days together unless one is named. */
export async function countedValues(
  db: AnyDb,
  dimension: Dimension,
  { workspaceId = 1, day }: { workspaceId?: number; day?: number } = {},
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('workspace_hours')
    .select(['value', (eb) => eb.fn.sum<number>('clicks').as('clicks')])
    .where('workspace_id', '=', workspaceId)
    .where('dimension', '=', dimension)
    .$if(day !== undefined, (query) =>
      query.where('hour', '>=', day! * 24).where('hour', '<', day! * 24 + 24),
    )
    .groupBy('value')
    .execute()
  return new Map(rows.map(({ value, clicks }) => [value, Number(clicks)]))
}
