import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { aClick, NOON_US } from '../../test/rigs/journal-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { DAY_US, dayOf } from '../clock.ts'
import { openStore, type Store } from '../store/open-store.ts'
import type { Click } from './click.ts'
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
  (await store.db.selectFrom('link_visitors').select('day').distinct().orderBy('day').execute()).map(
    (row) => row.day,
  )

/** For each click, whether it was a first visit to the link, and to the account. */
async function notedAsFirst(clicks: Click[]): Promise<[boolean, boolean][]> {
  const { toLink, toAccount } = await noteVisitors(store.db, clicks)
  return clicks.map((click) => [toLink.has(click), toAccount.has(click)])
}

describe('a visitor', () => {
  test('is new to each link and to the account, once', async () => {
    const clicks = [aClick(1), aClick(1), aClick(1, { linkId: 2 })]
    expect(await notedAsFirst(clicks)).toEqual([
      [true, true],
      [false, false],
      [true, false],
    ])
  })

  test('is new to each account', async () => {
    const clicks = [aClick(1), aClick(1, { linkId: 2, accountId: 2 })]
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

  test('comes for the first time with the earliest of the clicks, to the account as well', async () => {
    const later = aClick(1, { clickedAtUs: NOON_US + 2 })
    const first = aClick(1, { linkId: 9, clickedAtUs: NOON_US + 1 })
    expect(await notedAsFirst([later, first])).toEqual([
      [true, false],
      [true, true],
    ])
  })

  test('who does not want to be told apart is never new, and not noted', async () => {
    expect(await notedAsFirst([aClick(0)])).toEqual([[false, false]])
    expect(await days()).toEqual([])
  })

  test('is told from all others of a batch larger than a statement, old and new ones mixed', async () => {
    const clicks = Array.from({ length: 2500 }, (_, i) => aClick(2500 - i, { linkId: 1 + (i % 7) }))
    const isOld = (i: number) => i % 3 === 0
    await notedAsFirst(clicks.filter((_, i) => isOld(i)))
    expect(await notedAsFirst(clicks)).toEqual(clicks.map((_, i) => [!isOld(i), !isOld(i)]))
  })
})

test('visitors of yesterday are kept, those from before are forgotten', async () => {
  const ago = [0, 1, 2, 3].map((n) => aClick(1, { clickedAtUs: NOON_US - n * DAY_US }))
  await noteVisitors(store.db, ago)
  await forgetVisitors(store.db, NOON_US)
  const today = dayOf(NOON_US)
  expect(await days()).toEqual([today - 1, today])
  const ofAccounts = await store.db.selectFrom('account_visitors').select('day').orderBy('day').execute()
  expect(ofAccounts).toEqual([{ day: today - 1 }, { day: today }])
})
