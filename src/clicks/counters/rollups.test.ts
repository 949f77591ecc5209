import { transact } from '../../store/transact.ts'
import { afterEach, describe, expect, test } from 'bun:test'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { temporaryFolders } from '../../../test/rigs/temporary-folders.ts'
import { HOUR_US, hourOf } from '../../runtime/clock.ts'
import { openTestStore } from '../../../test/rigs/store/test-store.ts'
import type { ClickDimensions } from './dimensions.ts'
import type { Click } from '../journal/click.ts'
import { addUp, type ReadClick } from './rollups.ts'
import { writeHours, writeLinkTotals } from './write-counters.ts'

const folders = temporaryFolders()
afterEach(folders.remove)

const DIMENSIONS: ClickDimensions = { country: 'DE', device: 'desktop', browser: 'B', os: 'O', referrer: 'r' }
const IDS = new Map([[DIMENSIONS, 7]])
const HOUR = hourOf(NOON_US)

describe('adding up', () => {
  test('of nothing is nothing', () => {
    const rollup = addUp([], firstVisits())
    expect(Object.values(rollup).map((rows) => [...rows])).toEqual([[], [], [], [], []])
  })

  test('makes one row for each link, hour, dimension set and dimension', () => {
    const clicks = [person(), person(), person({ clickedAtUs: NOON_US + HOUR_US }), person({ linkId: 2 })]
    const rollup = addUp(clicks, firstVisits())
    expect([...rollup.linkTotals.values()].map(({ link_id, clicks }) => [link_id, clicks])).toEqual([
      [1, 3],
      [2, 1],
    ])
    expect(rollup.linkHours.map(({ link_id, hour, clicks }) => [link_id, hour - HOUR, clicks])).toEqual([
      [1, 0, 2],
      [1, 1, 1],
      [2, 0, 1],
    ])
    const hours = rollup.workspaceHours.filter(({ hour }) => hour === HOUR)
    expect(hours.map(({ dimension, value, clicks }) => [dimension, value, clicks])).toEqual([
      ['total', '', 3],
      ['country', 'DE', 3],
      ['device', 'desktop', 3],
      ['browser', 'B', 3],
      ['os', 'O', 3],
      ['referrer', 'r', 3],
    ])
  })

  test('adds what dimension sets have in common, and keeps apart what they have not', () => {
    const elsewhere = { ...DIMENSIONS, country: 'NZ' }
    const clicks = [person(), { ...person(), dimensions: elsewhere }]
    const { linkHours, workspaceHours } = addUp(clicks, firstVisits())
    expect(linkHours.map(({ dimensions, clicks }) => [dimensions?.country, clicks])).toEqual([
      ['DE', 1],
      ['NZ', 1],
    ])
    const rows = workspaceHours.map(({ dimension, value, clicks }) => [dimension, value, clicks])
    expect(rows.slice(0, 4)).toEqual([
      ['total', '', 2],
      ['country', 'DE', 1],
      ['country', 'NZ', 1],
      ['device', 'desktop', 2],
    ])
  })

  test('counts first visits of people to the link and to the workspace, each for itself', () => {
    const [first, other] = [person(), person({ linkId: 2 })]
    const visits = { toLink: new Set([first.click, other.click]), toWorkspace: new Set([first.click]) }
    const { linkTotals, workspaceTotals, workspaceHours } = addUp([first, other], visits)
    expect([...linkTotals.values(), ...workspaceTotals.values()].map(({ visitors }) => visitors)).toEqual([
      1, 1, 1,
    ])
    expect(workspaceHours.map(({ visitors }) => visitors)).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('lets no bot set the time of the last click', () => {
    const clicks = [bot(), person(), bot({ clickedAtUs: NOON_US + 1 })]
    const { linkTotals, workspaceTotals } = addUp(clicks, firstVisits())
    const expected = { clicks: 1, visitors: 0, bots: 2, last_clicked_at: NOON_US }
    expect([linkTotals.get(1), workspaceTotals.get(1)]).toMatchObject([expected, expected])
  })
})

test('writing a rollup twice counts it twice: that it is written once is the position’s doing', async () => {
  const store = await openTestStore(folders.make())
  for (let time = 0; time < 2; time++) {
    const many = Array.from({ length: 2500 }, (_, i) => person({ linkId: i + 1 }))
    const rollup = addUp([...many, bot()], firstVisits(many[0]!))
    await transact(store.db, async (tx) => {
      const totals = await writeLinkTotals(tx, rollup)
      expect(totals).toEqual(new Map(many.map(({ click }) => [click.linkId, time + 1])))
      await writeHours(tx, rollup, IDS)
    })
  }
  const links = await store.db.selectFrom('link_totals').selectAll().orderBy('link_id').execute()
  expect(links).toHaveLength(2500)
  expect(links[0]).toMatchObject({ clicks: 2, visitors: 2, bots: 2 })
  expect(links[2499]).toMatchObject({ clicks: 2, visitors: 0, bots: 0, last_clicked_at: NOON_US })
  const [workspace] = await store.db.selectFrom('workspace_totals').selectAll().execute()
  expect(workspace).toMatchObject({ clicks: 5000, bots: 2 })
  await store.close()
})

const person = (others: Partial<Click> = {}): ReadClick => ({
  click: aClick(1, others),
  dimensions: DIMENSIONS,
})
const bot = (others: Partial<Click> = {}): ReadClick => ({ ...person(others), dimensions: undefined })

/** First visits are those of the clicks given, to their links and to their workspaces. */
const firstVisits = (...clicks: ReadClick[]) => {
  const first = new Set(clicks.map(({ click }) => click))
  return { toLink: first, toWorkspace: first }
}
