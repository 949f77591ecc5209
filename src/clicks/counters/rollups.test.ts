import { describe, expect, test } from 'bun:test'
import { aClick, NOON_US } from '../../../test/rigs/clicks/journal-rig.ts'
import { botVisitOf, SOME_DIMENSIONS, visitOf } from '../../../test/rigs/clicks/read-clicks.ts'
import { useTestStore } from '../../../test/rigs/store/test-store.ts'
import { HOUR_US, hourOf } from '../../runtime/clock.ts'
import { transact } from '../../store/transact.ts'
import type { ReadClick } from '../facts/write-facts.ts'
import type { Click } from '../journal/click.ts'
import { addUp } from './rollups.ts'
import { writeLinkTotals, writeWorkspaceHours, writeWorkspaceTotals } from './write-counters.ts'

const HOUR = hourOf(NOON_US)
const store = useTestStore()

describe('adding up', () => {
  test('of nothing is nothing', () => {
    expect(Object.values(addUp([], firstVisits())).map((rows) => [...rows])).toEqual([[], [], []])
  })

  test('makes one row for each link and each workspace, and for each value of its hours', () => {
    const clicks = [visit(), visit(), visit({ clickedAtUs: NOON_US + HOUR_US }), visit({ linkId: 2 })]
    const { linkTotals, workspaceHours } = addUp(clicks, firstVisits())
    expect([...linkTotals].map((total) => [total.link_id, total.clicks])).toEqual([
      [1, 3],
      [2, 1],
    ])
    const hours = workspaceHours.filter(({ hour }) => hour === HOUR)
    expect(hours.map(({ dimension, value, clicks }) => [dimension, value, clicks])).toEqual([
      ['total', '', 3],
      ['country', 'DE', 3],
      ['device', 'desktop', 3],
      ['browser', 'B', 3],
      ['os', 'O', 3],
      ['referrer', 'r', 3],
    ])
  })

  test('keeps values apart, and makes no row for those that most clicks have', () => {
    const elsewhere = {
      ...visit(),
      dimensions: { ...SOME_DIMENSIONS, country: 'NZ', via: 'qr', language: 'pt' },
    }
    const { workspaceHours } = addUp([visit(), elsewhere], firstVisits())
    const rows = workspaceHours.map(({ dimension, value, clicks }) => [dimension, value, clicks])
    expect(
      rows.filter(([dimension]) => ['country', 'device', 'via', 'language'].includes(dimension as string)),
    ).toEqual([
      ['country', 'DE', 1],
      ['device', 'desktop', 2],
      ['country', 'NZ', 1],
      ['language', 'pt', 1],
      ['via', 'qr', 1],
    ])
  })

  test('counts first visits to the link and to the workspace, each for itself', () => {
    const [first, other] = [visit(), visit({ linkId: 2 })]
    const visits = { toLink: Uint8Array.of(1, 1), toWorkspace: Uint8Array.of(1, 0) }
    const { linkTotals, workspaceTotals, workspaceHours } = addUp([first, other], visits)
    expect([...linkTotals, ...workspaceTotals].map(({ visitors }) => visitors)).toEqual([1, 1, 1])
    expect(workspaceHours.map(({ visitors }) => visitors)).toEqual([1, 1, 1, 1, 1, 1])
  })

  test('lets no bot set the time of the last click', () => {
    const clicks = [bot(), visit(), bot({ clickedAtUs: NOON_US + 1 })]
    const { linkTotals, workspaceTotals } = addUp(clicks, firstVisits())
    const expected = { clicks: 1, visitors: 0, bots: 2, last_clicked_at: NOON_US }
    expect([...linkTotals, ...workspaceTotals]).toMatchObject([expected, expected])
  })
})

test('writing a rollup twice counts it twice: that it is written once is the position’s doing', async () => {
  for (let time = 0; time < 2; time++) {
    const many = Array.from({ length: 2500 }, (_, i) => visit({ linkId: i + 1 }))
    const rollup = addUp([...many, bot()], firstVisits(0))
    await transact(store.db, async (tx) => {
      await writeLinkTotals(tx, rollup)
      expect(await writeWorkspaceTotals(tx, rollup)).toEqual(new Map([[1, 2500 * (time + 1)]]))
      await writeWorkspaceHours(tx, rollup.workspaceHours)
    })
  }
  const links = await store.db.selectFrom('link_totals').selectAll().orderBy('link_id').execute()
  expect(links).toHaveLength(2500)
  expect(links[0]).toMatchObject({ clicks: 2, visitors: 2, bots: 2 })
  expect(links[2499]).toMatchObject({ clicks: 2, visitors: 0, bots: 0, last_clicked_at: NOON_US })
  const [workspace] = await store.db.selectFrom('workspace_totals').selectAll().execute()
  expect(workspace).toMatchObject({ clicks: 5000, bots: 2 })
})

const visit = (others: Partial<Click> = {}): ReadClick => visitOf(aClick(1, others))
const bot = (others: Partial<Click> = {}): ReadClick => botVisitOf(aClick(1, others))

/** First visits are those of the clicks with these positions, to their links and to their workspaces. */
const firstVisits = (...positions: number[]) => {
  const marks = Uint8Array.from({ length: 3_000 }, (_, position) => (positions.includes(position) ? 1 : 0))
  return { toLink: marks, toWorkspace: marks }
}
