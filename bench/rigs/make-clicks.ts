import type { RelaxedDb } from '../../src/store/handles.ts'
import { transact } from '../../src/store/transact.ts'
import { HOUR_US, hourOf } from '../../src/runtime/clock.ts'
import { type RowInsert, writeRows } from '../../src/store/engine-sql.ts'
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
import { SeededChance } from './traffic.ts'

const ROWS_PER_TRANSACTION = 50_000

/** Writes the counters as if the clicks had been counted, which would take an hour. Gives how many there are. */
export async function makeClicks({ relaxedDb }: Pick<Store, 'relaxedDb'>, made: MadeClicks): Promise<number> {
  const writer = new BatchWriter(relaxedDb)
  await writer.write(DIMENSION_ROWS, dimensionRows())
  const chance = new SeededChance(1)
  const crowd = makeCrowd(chance)
  const toHour = hourOf(made.nowUs)
  const ofWorkspace = new WorkspaceHours(made.days * 24)
  const share = made.clicks / (Math.log(made.links) + 0.5772)
  let total = 0
  for (let linkId = 1; linkId <= made.links; linkId++) {
    // Rounded by chance, so that rare links get a click now and then.
    const count = Math.floor(share / linkId + chance.next())
    if (count === 0) continue
    total += count
    const cells = cellsOf(chance, { count, hours: made.days * 24, crowd })
    const { hours, raw } = rowsOf(
      chance,
      cells,
      { ...made, linkId, fromHour: toHour - made.days * 24 },
      ofWorkspace,
    )
    await writer.write(LINK_HOURS, hours)
    await writer.write(RAW_CLICKS, raw)
    await writer.write(LINK_TOTALS, [[linkId, made.workspaceId, count, count, 0, made.nowUs]])
  }
  await writer.write(WORKSPACE_TOTALS, [[made.workspaceId, total, total, 0, made.nowUs]])
  await writer.write(WORKSPACE_HOURS, ofWorkspace.rows(made.workspaceId, toHour - made.days * 24))
  await writer.end()
  return total
}

type Crowd = { count: number; hours: number; crowd: Int32Array }

/** Hour and dimension set of each click as one number, in order. */
function cellsOf(chance: SeededChance, { count, hours, crowd }: Crowd): Float64Array {
  const cells = new Float64Array(count)
  for (let i = 0; i < count; i++)
    cells[i] = Math.floor(chance.next() * hours) * DIMENSION_SETS + chance.oneOf(crowd)
  return cells.sort()
}

type OfLink = MadeClicks & { linkId: number; fromHour: number }

function rowsOf(chance: SeededChance, cells: Float64Array, of: OfLink, account: WorkspaceHours) {
  const hours: unknown[][] = []
  const raw: unknown[][] = []
  for (let from = 0, to = 0; from < cells.length; from = to) {
    while (to < cells.length && cells[to] === cells[from]) to++
    const cell = cells[from]!
    const [hour, dimensions] = [Math.floor(cell / DIMENSION_SETS), cell % DIMENSION_SETS]
    hours.push([of.linkId, of.fromHour + hour, dimensions + 1, to - from, to - from, 0])
    account.add(hour, dimensions, to - from)
    if (hour < (of.days - of.rawDays) * 24) continue
    for (let i = from; i < to; i++) {
      const clickedAt = (of.fromHour + hour) * HOUR_US + Math.floor(chance.next() * HOUR_US)
      raw.push([of.linkId, of.workspaceId, clickedAt, dimensions + 1, Math.floor(chance.next() * 2 ** 52), 0])
    }
  }
  return { hours, raw }
}

/** Gathers rows into large transactions. */
class BatchWriter {
  readonly #db: RelaxedDb
  readonly #waiting = new Map<RowInsert, unknown[][]>()
  #count = 0

  constructor(db: RelaxedDb) {
    this.#db = db
  }

  async write(target: RowInsert, rows: unknown[][]): Promise<void> {
    const waiting = this.#waiting.get(target) ?? []
    this.#waiting.set(target, waiting)
    for (const row of rows) waiting.push(row)
    this.#count += rows.length
    if (this.#count >= ROWS_PER_TRANSACTION) await this.end()
  }

  async end(): Promise<void> {
    await transact(this.#db, async (tx) => {
      for (const [target, rows] of this.#waiting) await writeRows(tx, target, rows)
    })
    this.#waiting.clear()
    this.#count = 0
  }
}
