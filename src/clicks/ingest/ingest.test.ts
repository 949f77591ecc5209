import { describe, expect, test } from 'bun:test'
import { newSegmentRow } from '../../../test/rigs/clicks/batch-counter.ts'
import { agreedCounts, storedClicks, readTestUserAgent } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { DAY_US, HOUR_US, manualClock } from '../../runtime/clock.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { DIMENSIONS } from '../../store/click-dimensions.ts'
import type { Click } from '../journal/click.ts'
import { Ingest, StalePosition } from './ingest.ts'
import type { SegmentBatch } from '../journal/read-segment.ts'

const SEGMENT = '0193b1c0-0000-7000-8000-0000000000aa'
const clock = manualClock(NOON_US)
const store = useTestStore()

describe('what is counted', () => {
  test('are clicks, and the visitors of a day once for each link and once for the workspace', async () => {
    const { count } = await openIngest()
    await count(aClick(1), aClick(1), aClick(2), aClick(1, { linkId: 2 }))
    await count(aClick(1), aClick(3), aClick(1, { linkId: 2, workspaceId: 1 }))
    expect(await store.db.selectFrom('link_totals').selectAll().orderBy('link_id').execute()).toEqual([
      { link_id: 1, workspace_id: 1, clicks: 5, visitors: 3, bots: 0, last_clicked_at: NOON_US, deleted: 0 },
      { link_id: 2, workspace_id: 1, clicks: 2, visitors: 1, bots: 0, last_clicked_at: NOON_US, deleted: 0 },
    ])
    expect(await store.db.selectFrom('workspace_totals').selectAll().execute()).toEqual([
      { workspace_id: 1, clicks: 7, visitors: 3, bots: 0, last_clicked_at: NOON_US },
    ])
    await agreedCounts(store.db)
  })

  test('is the same visitor again on another day', async () => {
    const { count } = await openIngest()
    await count(aClick(1), aClick(1, { clickedAtUs: NOON_US + DAY_US }))
    await count(aClick(1, { clickedAtUs: NOON_US + DAY_US }))
    expect(await agreedCounts(store.db)).toEqual({ clicks: 3, visitors: 2, bots: 0 })
  })

  test('are clicks of those who do not want to be tracked, but no visitors', async () => {
    const { count } = await openIngest()
    await count(aClick(0), aClick(0))
    expect(await agreedCounts(store.db)).toEqual({ clicks: 2, visitors: 0, bots: 0 })
    expect(await store.db.selectFrom('seen_visits').selectAll().execute()).toEqual([])
  })

  test('are bots beside the clicks, and of them nothing but their number', async () => {
    const { count } = await openIngest()
    await count(aClick(1, { userAgent: 'Bot/1', country: 'US' }), aClick(2))
    await count(aClick(3, { userAgent: 'Bot/2', clickedAtUs: NOON_US + HOUR_US }))
    expect(await agreedCounts(store.db)).toEqual({ clicks: 1, visitors: 1, bots: 2 })
    const totals = await store.db.selectFrom('link_totals').select('last_clicked_at').execute()
    expect(totals).toEqual([{ last_clicked_at: NOON_US }])
    const countries = store.db.selectFrom('workspace_hours').select(['value', 'clicks', 'bots'])
    expect(await countries.where('dimension', '=', 'country').execute()).toEqual([
      { value: 'DE', clicks: 1, bots: 0 },
    ])
    const bots = store.db.selectFrom('clicks').select(DIMENSIONS).where('bots', '=', 1)
    const unknown = Object.fromEntries(DIMENSIONS.map((name) => [name, '']))
    expect(await bots.execute()).toEqual([unknown, unknown] as never)
  })

  test('only bots: nobody has clicked yet', async () => {
    const { count } = await openIngest()
    await count(aClick(1, { userAgent: 'Bot/1' }))
    await count(aClick(2, { userAgent: 'Bot/1' }))
    const totals = store.db
      .selectFrom('link_totals')
      .select(['clicks', 'visitors', 'bots', 'last_clicked_at'])
    expect(await totals.execute()).toEqual([{ clicks: 0, visitors: 0, bots: 2, last_clicked_at: null }])
    await agreedCounts(store.db)
  })

  test('keeps the latest time, in whatever order clicks come', async () => {
    const { count } = await openIngest()
    await count(aClick(1, { clickedAtUs: NOON_US + 5 }), aClick(2, { clickedAtUs: NOON_US + 9 }))
    await count(aClick(3, { clickedAtUs: NOON_US + 7 }))
    for (const table of ['link_totals', 'workspace_totals'] as const) {
      const rows = await store.db.selectFrom(table).select('last_clicked_at').execute()
      expect(rows).toEqual([{ last_clicked_at: NOON_US + 9 }])
    }
  })

  test('are clicks of a link that was deleted before they are counted', async () => {
    const { count } = await openIngest()
    expect(await store.db.selectFrom('links').select('id').execute()).toEqual([])
    await count(aClick(1, { linkId: 404, workspaceId: 405 }))
    expect(await agreedCounts(store.db)).toEqual({ clicks: 1, visitors: 1, bots: 0 })
  })
})

describe('a batch', () => {
  test('counts only from where the segment stands, and the segment then stands behind it', async () => {
    const { ingest } = await openIngest()
    const origin = { segment: SEGMENT, from: 0, isEnd: false, hasExactTimes: true }
    await ingest.count(batchOf([aClick(1)], 100), origin)
    await expect(ingest.count(batchOf([aClick(1)], 100), origin)).rejects.toBeInstanceOf(StalePosition)
    await expect(ingest.count(batchOf([aClick(2)], 200), { ...origin, from: 99 })).rejects.toThrow(
      StalePosition,
    )
    expect(await storedClicks(store.db)).toEqual([1])
    const segments = await store.db.selectFrom('journal_segments').select(['position', 'clicks']).execute()
    expect(segments).toEqual([{ position: 100, clicks: 1 }])
  })

  test('of a finished or unknown segment does not count', async () => {
    const { ingest } = await openIngest()
    const origin = { segment: SEGMENT, from: 0, isEnd: true, hasExactTimes: true }
    await ingest.count(batchOf([], 0), origin)
    await expect(ingest.count(batchOf([aClick(1)], 9), origin)).rejects.toThrow(StalePosition)
    await expect(ingest.count(batchOf([aClick(1)], 9), { ...origin, segment: 'x' })).rejects.toThrow(
      StalePosition,
    )
    expect(await agreedCounts(store.db)).toEqual({ clicks: 0, visitors: 0, bots: 0 })
  })

  test('notes what could not be counted', async () => {
    const { ingest } = await openIngest()
    const odd = { deadLetters: [{ offset: 1, payload: Buffer.alloc(1) }], damagedBytes: 5, tornBytes: 6 }
    const origin = { segment: SEGMENT, from: 0, isEnd: false, hasExactTimes: true }
    await ingest.count({ ...batchOf([], 50), ...odd }, origin)
    const segments = store.db.selectFrom('journal_segments').select(['dead_letters', 'damaged_bytes'])
    expect(await segments.execute()).toEqual([{ dead_letters: 1, damaged_bytes: 11 }])
  })
})

const batchOf = (clicks: Click[], position: number): SegmentBatch => ({
  clicks,
  deadLetters: [],
  position,
  damagedBytes: 0,
  tornBytes: 0,
  sealedClicks: undefined,
})

/** An ingest with a segment to count from, of which each call counts the next clicks. */
async function openIngest(options: { hasExactTimes?: boolean } = {}) {
  await store.db.insertInto('journal_segments').values(newSegmentRow(SEGMENT)).execute()
  const ingest = new Ingest({ store, clock, readUserAgent: readTestUserAgent })
  let from = 0
  const count = async (...clicks: Click[]) => {
    const batch = batchOf(clicks, from + clicks.length)
    const { hasExactTimes = true } = options
    await ingest.count(batch, { segment: SEGMENT, from, isEnd: false, hasExactTimes })
    from += clicks.length
  }
  return { ingest, count }
}
