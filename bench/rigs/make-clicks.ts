import { DIMENSIONS } from '../../src/store/click-dimensions.ts'
import type { RelaxedDb } from '../../src/store/handles.ts'
import { transact } from '../../src/store/transact.ts'
import { HOUR_US, hourOf } from '../../src/runtime/clock.ts'
import { FACT_ROW } from '../../src/clicks/facts/write-facts.ts'
import { type RowInsert, writeRows } from '../../src/store/engine-sql.ts'
import type { Store } from '../../src/store/open-store.ts'
import {
  WORKSPACE_HOURS,
  WORKSPACE_TOTALS,
  WorkspaceHours,
  DIMENSION_SETS,
  LINK_TOTALS,
  type MadeClicks,
  makeCrowd,
  valuesOf,
} from './click-rows.ts'
import { SeededChance } from './traffic.ts'

const ROWS_PER_TRANSACTION = 50_000

/** Writes clicks and counters as if the clicks had been counted, which would take an hour. Gives how many there are. */
export async function makeClicks({ relaxedDb }: Pick<Store, 'relaxedDb'>, made: MadeClicks): Promise<number> {
  const writer = new BatchWriter(relaxedDb)
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
    const ofLink = { ...made, linkId, fromHour: toHour - made.days * 24 }
    await writer.write(FACT_ROW, rowsOf(chance, cells, ofLink, ofWorkspace))
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

function rowsOf(chance: SeededChance, cells: Float64Array, of: OfLink, account: WorkspaceHours): unknown[][] {
  return Array.from(cells, (cell) => {
    const [hour, dimensions] = [Math.floor(cell / DIMENSION_SETS), cell % DIMENSION_SETS]
    account.add(hour, dimensions, 1)
    const clickedAt = (of.fromHour + hour) * HOUR_US + Math.floor(chance.next() * HOUR_US)
    const values = valuesOf(dimensions)
    const others = DIMENSIONS.slice(values.length).map((name) => (name === 'via' ? 'link' : ''))
    return [of.workspaceId, of.linkId, clickedAt, ...values, ...others, 1, 1, 1, 0]
  })
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
