import { describe, expect, test } from 'bun:test'
import { countedValues, openBatchCounter, useCounterRig } from '../../../test/rigs/clicks/batch-counter.ts'
import { deleteClicksOf } from '../../../test/rigs/clicks/deleted-clicks.ts'
import { agreedCounts, recordingLog } from '../../../test/rigs/clicks/ingest-rig.ts'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { SeededRandom } from '../../../test/simulation/seeded-random.ts'
import { DAY_US, HOUR_US, MINUTE_US } from '../../runtime/clock.ts'
import type { Store } from '../../store/open-store.ts'
import { VALUES_MAX } from '../counters/bound-values.ts'
import { mergeNextClicks } from '../facts/merge-clicks.ts'
import type { Click } from '../journal/click.ts'
import { ClickQueries } from '../queries/click-queries.ts'

const rig = useCounterRig()
const folders = temporaryFolders()
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32))

describe('a link whose clicks are deleted', () => {
  test(`leaves the store as if they had never been counted (SEED=${SEED})`, async () => {
    const clicks = randomClicks(new SeededRandom(SEED), 400)
    const [first, second] = [clicks.slice(0, 250), clicks.slice(250)]
    const node = await rig.startNode()
    await node.count(first)
    const own = first.filter(({ linkId }) => linkId === 1)
    expect(await deleteOf(1)).toEqual({
      clicks: own.filter((click) => !isBot(click)).length,
      bots: own.filter(isBot).length,
    })
    await node.count(second)
    const twin = await openTestStore(folders.make())
    const never = await openBatchCounter(twin, 'twin')
    await never.count(first.filter(({ linkId }) => linkId !== 1))
    await never.count(second)
    expect(await countersOf(rig.store)).toEqual(await countersOf(twin))
    await twin.close()
    folders.remove()
  })

  test('has none left, and gets those that are counted later', async () => {
    const node = await rig.startNode()
    await node.count([aClick(1), aClick(2, { userAgent: 'Bot/1' }), aClick(3, { linkId: 2 })])
    expect(await deleteOf(1)).toEqual({ clicks: 1, bots: 1 })
    expect(await deleteOf(1)).toEqual({ clicks: 0, bots: 0 })
    expect(await agreedCounts(rig.store.db)).toEqual({ clicks: 1, visitors: 1, bots: 0 })
    await node.count([aClick(4), aClick(5)])
    expect(await deleteOf(1)).toEqual({ clicks: 2, bots: 0 })
    const total = rig.store.db.selectFrom('link_totals').select(['clicks', 'deleted', 'last_clicked_at'])
    expect(await total.where('link_id', '=', 1).execute()).toEqual([
      { clicks: 0, deleted: 4, last_clicked_at: null },
    ])
  })

  test('and never had any is not changed', async () => {
    expect(await deleteOf(1)).toEqual({ clicks: 0, bots: 0 })
    expect(await rig.store.db.selectFrom('link_totals').selectAll().execute()).toEqual([])
  })

  test('gives back values that were counted as other', async () => {
    const node = await rig.startNode()
    await node.count([...invented(VALUES_MAX, { linkId: 2 }), ...invented(30, { first: 8_000 })])
    await node.count([...invented(10, { first: 4_995, linkId: 2 }), ...invented(7, { first: 4_990 })])
    await deleteOf(1)
    const referrers = await countedValues(rig.store.db, 'referrer')
    expect([referrers.size, referrers.get('other'), referrers.get('r4990.example')]).toEqual([
      VALUES_MAX + 1,
      5,
      1,
    ])
    await deleteOf(2)
    expect(await rig.store.db.selectFrom('workspace_hours').selectAll().execute()).toEqual([])
  })

  test('has none left either where their times were merged', async () => {
    const node = await rig.startNode()
    const minutes = [0, 1, 2].map((minute) => aClick(minute, { clickedAtUs: NOON_US + minute * MINUTE_US }))
    await node.count([...minutes, aClick(4, { linkId: 2 })])
    await mergeNextClicks(rig.store.relaxedDb, { nowUs: NOON_US + 40 * DAY_US, keepDays: 30 })
    expect(await deleteOf(1)).toEqual({ clicks: 3, bots: 0 })
    expect(await agreedCounts(rig.store.db)).toEqual({ clicks: 1, visitors: 1, bots: 0 })
  })

  test('loses none to another deletion, and none twice, while they are counted', async () => {
    const node = await rig.startNode()
    const deleted: { clicks: number }[] = []
    const rounds = Array.from({ length: 30 }, (_, round) => round)
    const counting = (async () => {
      for (const round of rounds) await node.count([aClick(round), aClick(round, { linkId: 2 })])
    })()
    const deleting = rounds.slice(0, 10).map(async () => void deleted.push(await deleteOf(1)))
    await Promise.all([counting, ...deleting])
    deleted.push(await deleteOf(1))
    expect(deleted.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(30)
    expect((await agreedCounts(rig.store.db)).clicks).toBe(30)
  })
})

/** In the table alone. */
const deleteOf = (linkId: number) =>
  deleteClicksOf({
    db: rig.store.db,
    queries: new ClickQueries({ db: rig.store.reportDb, log: recordingLog() }),
    link: { workspaceId: 1, linkId },
  })

const isBot = ({ userAgent }: Click) => userAgent.startsWith('Bot')

/** Links have visitors of their own: who has visited two links is a visitor of the workspace by the first. */
function randomClicks(random: SeededRandom, count: number): Click[] {
  return Array.from({ length: count }, () => {
    const linkId = 1 + random.below(3)
    return aClick(linkId === 1 ? 0 : linkId * 100 + random.below(20), {
      linkId,
      workspaceId: linkId === 3 ? 2 : 1,
      clickedAtUs: NOON_US + random.below(3 * 24) * HOUR_US + random.below(HOUR_US),
      userAgent: random.pick(['Firefox/1', 'Phone/2', 'Safari/3', 'Bot/4']),
      country: random.pick(['DE', 'FR', '']),
      referrer: random.pick(['', 'example.org', 'example.net']),
      extras: random.pick([undefined, { ...PLAIN, via: 'qr' }, { ...PLAIN, language: 'de', variant: 'b' }]),
    })
  })
}

const PLAIN = { via: 'link', variant: '', language: '', utm: '', alias: '' } as const

const invented = (count: number, { first = 0, linkId = 1 } = {}): Click[] =>
  Array.from({ length: count }, (_, i) => aClick(0, { linkId, referrer: `r${first + i}.example` }))

async function countersOf({ db }: Store) {
  const facts = await db.selectFrom('clicks').selectAll().execute()
  const hours = db.selectFrom('workspace_hours').selectAll()
  return {
    facts: facts.map((fact) => JSON.stringify({ ...fact, id: 0 })).sort(),
    hours: await hours
      .orderBy('workspace_id')
      .orderBy('dimension')
      .orderBy('hour')
      .orderBy('value')
      .execute(),
    workspaces: await db.selectFrom('workspace_totals').selectAll().orderBy('workspace_id').execute(),
    links: await db
      .selectFrom('link_totals')
      .select(['link_id', 'clicks', 'visitors', 'bots', 'last_clicked_at'])
      .orderBy('link_id')
      .execute(),
  }
}
