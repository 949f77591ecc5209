import { dayOf, HOUR_US, hourOf } from '../../src/runtime/clock.ts'
import { prepareClickDays } from '../../src/store/engine-sql.ts'
import type { Store } from '../../src/store/open-store.ts'
import {
  WORKSPACE_HOURS,
  WORKSPACE_TOTALS,
  WorkspaceHours,
  DIMENSION_ROWS,
  DIMENSION_SETS,
  dimensionRows,
  LINK_HOURS,
  LINK_TOTALS,
  type MadeClicks,
  makeCrowd,
  RAW_CLICKS,
} from './click-rows.ts'
import type { CopyWriter } from './copy-writer.ts'
import { SeededChance } from './traffic.ts'

const ROWS_AT_ONCE = 50_000

/**
 * The clicks that `makeClicks` makes, hour by hour: rows of PostgreSQL stay where they were written, so a link's lie
 * scattered among those of all others, as counting leaves them. Gives how many clicks there are.
 */
export async function copyClicks(
  { relaxedDb }: Pick<Store, 'relaxedDb'>,
  writer: CopyWriter,
  made: MadeClicks,
): Promise<number> {
  const hours = made.days * 24
  const toHour = hourOf(made.nowUs)
  const days = Array.from({ length: made.rawDays + 1 }, (_, ago) => dayOf(made.nowUs) - ago)
  await prepareClickDays(relaxedDb, days)
  await writer.write(DIMENSION_ROWS, dimensionRows())
  const clicks = new HourlyClicks(made)
  for (let hour = 0; hour < hours; hour++) {
    const fromUs = (toHour - hours + hour) * HOUR_US
    const cells = clicks.cellsOf(fromUs)
    if (hour >= (made.days - made.rawDays) * 24) await writer.write(RAW_CLICKS, clicks.rawRows(cells, fromUs))
    await writer.write(LINK_HOURS, clicks.hourRows(cells.sort(), hour, fromUs / HOUR_US))
  }
  const [totals, total] = [clicks.linkTotals(), clicks.total]
  for (let rows = take(totals); rows.length > 0; rows = take(totals)) await writer.write(LINK_TOTALS, rows)
  await writer.write(WORKSPACE_TOTALS, [[made.workspaceId, total, total, 0, toHour * HOUR_US]])
  await writer.write(WORKSPACE_HOURS, clicks.ofWorkspace.rows(made.workspaceId, toHour - hours))
  await writer.end()
  return total
}

/** Draws clicks, and remembers what they come to. A cell is a click's link and dimension set as one number. */
class HourlyClicks {
  readonly ofWorkspace: WorkspaceHours
  total = 0
  readonly #made: MadeClicks
  readonly #chance = new SeededChance(1)
  readonly #crowd = makeCrowd(this.#chance)
  readonly #clicks: Int32Array
  readonly #lastClickedUs: Float64Array

  constructor(made: MadeClicks) {
    this.#made = made
    this.ofWorkspace = new WorkspaceHours(made.days * 24)
    this.#clicks = new Int32Array(made.links + 1)
    this.#lastClickedUs = new Float64Array(made.links + 1)
  }

  /** In the order in which they came: evenly over the hour. */
  cellsOf(fromUs: number): Float64Array {
    const { clicks, days, links } = this.#made
    const cells = new Float64Array(Math.floor(clicks / (days * 24) + this.#chance.next()))
    for (let i = 0; i < cells.length; i++) {
      const linkId = this.#chance.skewed(links)
      cells[i] = linkId * DIMENSION_SETS + this.#chance.oneOf(this.#crowd)
      this.#clicks[linkId]!++
      this.#lastClickedUs[linkId] = clickedAtUs(fromUs, i, cells.length)
    }
    this.total += cells.length
    return cells
  }

  rawRows(cells: Float64Array, fromUs: number): unknown[][] {
    return Array.from(cells, (cell, i) => {
      const at = clickedAtUs(fromUs, i, cells.length)
      const visitor = Math.floor(this.#chance.next() * 2 ** 52)
      return [
        Math.floor(cell / DIMENSION_SETS),
        this.#made.workspaceId,
        at,
        (cell % DIMENSION_SETS) + 1,
        visitor,
        0,
      ]
    })
  }

  /** `sorted`: equal cells are neighbours. */
  hourRows(sorted: Float64Array, hour: number, hourSince1970: number): unknown[][] {
    const rows: unknown[][] = []
    for (let from = 0, to = 0; from < sorted.length; from = to) {
      const cell = sorted[from]!
      while (to < sorted.length && sorted[to] === cell) to++
      const [count, dimensions] = [to - from, cell % DIMENSION_SETS]
      this.ofWorkspace.add(hour, dimensions, count)
      rows.push([Math.floor(cell / DIMENSION_SETS), hourSince1970, dimensions + 1, count, count, 0])
    }
    return rows
  }

  *linkTotals(): Generator<unknown[]> {
    for (let linkId = 1; linkId <= this.#made.links; linkId++) {
      const clicks = this.#clicks[linkId]!
      if (clicks > 0) yield [linkId, this.#made.workspaceId, clicks, clicks, 0, this.#lastClickedUs[linkId]]
    }
  }
}

const clickedAtUs = (fromUs: number, place: number, count: number): number =>
  fromUs + Math.floor((place / count) * HOUR_US)

function take(rows: Generator<unknown[]>): unknown[][] {
  const taken: unknown[][] = []
  while (taken.length < ROWS_AT_ONCE) {
    const { value, done } = rows.next()
    if (done) break
    taken.push(value)
  }
  return taken
}
