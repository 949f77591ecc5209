import { transact } from '../../store/transact.ts'
import { describe, expect, test } from 'bun:test'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { botVisitOf, visitOf } from '../../../test/rigs/clicks/read-clicks.ts'
import { DAY_US } from '../../runtime/clock.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import type { Click } from '../journal/click.ts'
import { forgetVisitors, recordVisitors } from './seen-visitors.ts'

const store = useTestStore()

describe('a visitor', () => {
  test('is new to each link and to the workspace, once', async () => {
    const clicks = [aClick(1), aClick(1), aClick(1, { linkId: 2 })]
    expect(await notedAsFirst(clicks)).toEqual([
      [true, true],
      [false, false],
      [true, false],
    ])
  })

  test('is new to each workspace', async () => {
    const clicks = [aClick(1), aClick(1, { linkId: 2, workspaceId: 2 })]
    expect(await notedAsFirst(clicks)).toEqual([
      [true, true],
      [true, true],
    ])
  })

  test('is not new in a later batch of the day, and is on the next day', async () => {
    await notedAsFirst([aClick(1)])
    const nextDay = aClick(1, { clickedAtUs: NOON_US + DAY_US })
    expect(await notedAsFirst([aClick(1), nextDay])).toEqual([
      [false, false],
      [true, true],
    ])
  })

  test('comes for the first time with the earliest of the clicks, to the workspace as well', async () => {
    const later = aClick(1, { clickedAtUs: NOON_US + 2 })
    const first = aClick(1, { linkId: 9, clickedAtUs: NOON_US + 1 })
    expect(await notedAsFirst([later, first])).toEqual([
      [true, false],
      [true, true],
    ])
  })

  test('who does not want to be tracked is never new, and not noted', async () => {
    expect(await notedAsFirst([aClick(0)])).toEqual([[false, false]])
    expect(await visits()).toBe(0)
  })

  test('is not noted for a bot', async () => {
    const clicks = [botVisitOf(aClick(1)), visitOf(aClick(2))]
    const { toLink, toWorkspace } = await transact(store.db, (tx) => recordVisitors(tx, clicks))
    expect([[...toLink], [...toWorkspace]]).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(await visits()).toBe(2)
  })

  test('is distinguished from all others of a batch larger than a statement, old and new ones mixed', async () => {
    const clicks = Array.from({ length: 2500 }, (_, i) => aClick(2500 - i, { linkId: 1 + (i % 7) }))
    const isOld = (i: number) => i % 3 === 0
    await notedAsFirst(clicks.filter((_, i) => isOld(i)))
    expect(await notedAsFirst(clicks)).toEqual(clicks.map((_, i) => [!isOld(i), !isOld(i)]))
  })
})

describe('a visit', () => {
  const DAYS_AGO = [-1, 0, 1, 2, 3, 4, 5, 6]
  const clicks = (visitor: number, { laterDays = 0 } = {}) =>
    DAYS_AGO.map((ago) => aClick(visitor, { clickedAtUs: NOON_US + (laterDays - ago) * DAY_US }))

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'of yesterday is kept, those from before are forgotten, %d days later as well',
    async (laterDays) => {
      const nowUs = NOON_US + laterDays * DAY_US
      const before = clicks(1, { laterDays })
      await transact(store.db, (tx) => recordVisitors(tx, before.map(visitOf)))
      await forgetVisitors(store.relaxedDb, nowUs)
      // Of the next days: a clock may have been set back, or another node be ahead.
      expect(await visits()).toBe(3 * 2)
      expect(await notedAsFirst(before)).toEqual(DAYS_AGO.map((ago) => [ago > 1, ago > 1]))
    },
  )

  test('is not mixed up with another of that day, nor of another day', async () => {
    const links = [1, 2, 3, 2 ** 32 + 1, 2 ** 40 + 2]
    const visitors = [1, 2, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 49 + 1]
    const hundredDays = Array.from({ length: 100 }, (_, ago) => NOON_US - ago * DAY_US)
    const all = links.flatMap((linkId) =>
      visitors.flatMap((visitor) =>
        hundredDays.map((clickedAtUs) => aClick(visitor, { linkId, workspaceId: linkId, clickedAtUs })),
      ),
    )
    const { toLink, toWorkspace } = await transact(store.db, (tx) => recordVisitors(tx, all.map(visitOf)))
    const everyOne = all.map(() => 1)
    expect([[...toLink], [...toWorkspace]]).toEqual([everyOne, everyOne])
  })
})

const visits = async () => (await store.db.selectFrom('seen_visits').select('visit').execute()).length

/** For each click, whether it was a first visit to the link, and to the workspace. */
async function notedAsFirst(clicks: Click[]): Promise<[boolean, boolean][]> {
  const { toLink, toWorkspace } = await transact(store.db, (tx) => recordVisitors(tx, clicks.map(visitOf)))
  return clicks.map((_, position) => [toLink[position] === 1, toWorkspace[position] === 1])
}
