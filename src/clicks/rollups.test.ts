import { afterEach, describe, expect, test } from 'bun:test'
import { aClick, NOON_US } from '../../test/rigs/journal-rig.ts'
import { temporaryFolders } from '../../test/rigs/temporary-folders.ts'
import { HOUR_US, hourOf } from '../clock.ts'
import { openStore } from '../store/open-store.ts'
import { type Audience, audienceKey } from './audiences.ts'
import type { Click } from './click.ts'
import { addUp, type ReadClick, writeRollup } from './rollups.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

const AUDIENCE: Audience = { country: 'DE', device: 'desktop', browser: 'B', os: 'O', referrer: 'r' }
const IDS = new Map([[audienceKey(AUDIENCE), 7]])
const HOUR = hourOf(NOON_US)

const person = (others: Partial<Click> = {}): ReadClick => ({
  click: aClick(1, others),
  audience: AUDIENCE,
  isBot: false,
})
const bot = (others: Partial<Click> = {}): ReadClick => ({ ...person(others), isBot: true })

/** The first `count` claims are granted. */
function newVisitors(count: number) {
  const claims: string[] = []
  return { claims, claim: (kind: string, { visitor }: Click) => claims.push(`${kind} ${visitor}`) <= count }
}

describe('adding up', () => {
  test('of nothing is nothing', () => {
    const rollup = addUp([], IDS, newVisitors(0))
    expect(Object.values(rollup).map((rows) => rows.size)).toEqual([0, 0, 0, 0])
  })

  test('makes one row for each link, hour, audience and dimension', () => {
    const clicks = [person(), person(), person({ clickedAtUs: NOON_US + HOUR_US }), person({ linkId: 2 })]
    const rollup = addUp(clicks, IDS, newVisitors(0))
    expect([...rollup.linkTotals.values()].map(({ link_id, clicks }) => [link_id, clicks])).toEqual([
      [1, 3],
      [2, 1],
    ])
    expect([...rollup.linkHours.values()].map(({ hour, clicks }) => [hour - HOUR, clicks])).toEqual([
      [0, 2],
      [0, 1],
      [1, 1],
    ])
    const hours = [...rollup.accountHours.values()].filter(({ hour }) => hour === HOUR)
    expect(hours.map(({ dimension, value, clicks }) => [dimension, value, clicks])).toEqual([
      ['total', '', 3],
      ['country', 'DE', 3],
      ['device', 'desktop', 3],
      ['browser', 'B', 3],
      ['os', 'O', 3],
      ['referrer', 'r', 3],
    ])
  })

  test('lets no bot use up the claim of a visitor, nor set the time of the last click', () => {
    const visitors = newVisitors(2)
    const { linkTotals, accountTotals } = addUp(
      [bot(), person(), bot({ clickedAtUs: NOON_US + 1 })],
      IDS,
      visitors,
    )
    expect(visitors.claims).toEqual(['link 1', 'account 1'])
    const expected = { clicks: 1, visitors: 1, bots: 2, last_clicked_at: NOON_US }
    expect([linkTotals.get(1), accountTotals.get(1)]).toMatchObject([expected, expected])
  })
})

test('writing a rollup twice counts it twice: that it is written once is the position’s doing', async () => {
  const store = await openStore(folders.make(), 'same-thread')
  for (let time = 0; time < 2; time++) {
    const many = Array.from({ length: 2500 }, (_, i) => person({ linkId: i + 1 }))
    await store.db
      .transaction()
      .execute((tx) => writeRollup(tx, addUp([...many, bot()], IDS, newVisitors(1))))
  }
  const links = await store.db.selectFrom('link_totals').selectAll().orderBy('link_id').execute()
  expect(links).toHaveLength(2500)
  expect(links[0]).toMatchObject({ clicks: 2, visitors: 2, bots: 2 })
  expect(links[2499]).toMatchObject({ clicks: 2, visitors: 0, bots: 0, last_clicked_at: NOON_US })
  const [account] = await store.db.selectFrom('account_totals').selectAll().execute()
  expect(account).toMatchObject({ clicks: 5000, bots: 2 })
  await store.close()
})
