import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { aClick, NOON_US } from '../../test/rigs/journal-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { DAY_US, dayOf } from '../clock.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { forgetVisitors, noteVisitors } from './seen-visitors.ts'

const folders = temporaryFolders()
let store: Store

beforeEach(async () => {
  store = await openStore(folders.make(), 'same-thread')
})

afterEach(async () => {
  await store.close()
  folders.remove()
})

const days = async () =>
  (await store.db.selectFrom('seen_visitors').select('day').distinct().orderBy('day').execute()).map(
    (row) => row.day,
  )

describe('a visitor', () => {
  test('is new to each link and to the account, once', async () => {
    const [first, other] = [aClick(1), aClick(1, { linkId: 2 })]
    const visitors = await noteVisitors(store.db, [first, first, other])
    expect([first, first, other].map((click) => visitors.claim('link', click))).toEqual([true, false, true])
    expect([first, first, other].map((click) => visitors.claim('account', click))).toEqual([
      true,
      false,
      false,
    ])
  })

  test('is not new in a later batch of the day, and is on the next day', async () => {
    await noteVisitors(store.db, [aClick(1)])
    const nextDay = aClick(1, { clickedAtUs: NOON_US + DAY_US })
    const visitors = await noteVisitors(store.db, [aClick(1), nextDay])
    expect([visitors.claim('link', aClick(1)), visitors.claim('link', nextDay)]).toEqual([false, true])
  })

  test('who does not want to be told apart is never new, and not noted', async () => {
    const visitors = await noteVisitors(store.db, [aClick(0)])
    expect([visitors.claim('link', aClick(0)), await days()]).toEqual([false, []])
  })

  test('is one of many in a batch larger than a statement', async () => {
    const clicks = Array.from({ length: 2500 }, (_, i) => aClick(i + 1))
    const visitors = await noteVisitors(store.db, clicks)
    expect(clicks.every((click) => visitors.claim('link', click))).toBe(true)
    expect(clicks.every((click) => visitors.claim('account', click))).toBe(true)
  })
})

test('visitors of yesterday are kept, those from before are forgotten', async () => {
  const ago = [0, 1, 2, 3].map((n) => aClick(1, { clickedAtUs: NOON_US - n * DAY_US }))
  await noteVisitors(store.db, ago)
  await forgetVisitors(store.db, NOON_US)
  const today = dayOf(NOON_US)
  expect(await days()).toEqual([today - 1, today])
})
