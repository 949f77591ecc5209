import { HOURS_OF_DAY } from '../../runtime/clock.ts'
import type { Tx } from '../../store/handles.ts'
import { add, type WorkspaceHour } from './rollups.ts'

/** What stands for all values of a workspace, UTC day and dimension beyond the bound. */
export const OTHER_VALUE = 'other'

/** Anyone can send any Referer, and each value makes rows of hours that stay. Real workspaces have far fewer in a day. */
export const VALUES_MAX = 5_000
const REMEMBERED_MAX = 200_000

/**
 * Bounds the values that the hours of a workspace have of each dimension on a UTC day, the first that are counted. The hours
 * themselves say which those are, so it is the same for every node and after a restart. Clicks keep every value.
 */
export class ValueBounds {
  /** By workspace, day and dimension, as committed; another node may have added to it. */
  readonly #known = new Map<string, ReadonlySet<string>>()
  #knownCount = 0
  #uncommitted = new Map<string, Set<string>>()

  /**
   * The hours as they are to be counted. `totals` are the clicks that each workspace has ever had, with these. Only while no
   * other transaction can count clicks of these workspaces.
   */
  async apply(
    tx: Tx,
    hours: readonly WorkspaceHour[],
    totals: ReadonlyMap<number, number>,
  ): Promise<readonly WorkspaceHour[]> {
    this.#uncommitted = new Map()
    const bounded: WorkspaceHour[] = []
    const others = new Map<string, WorkspaceHour>()
    for (const row of hours) {
      // A workspace has no more values than clicks, so most are done with here.
      const isFew =
        totals.get(row.workspace_id)! <= VALUES_MAX || row.value === '' || row.value === OTHER_VALUE
      if (isFew || (await this.#admits(tx, row))) bounded.push(row)
      else addOther(others, row)
    }
    if (others.size === 0) return bounded
    // A row of the batch may have the name already: two rows of one statement must not have the same key.
    const named = bounded.filter(({ value }) => value === OTHER_VALUE)
    for (const row of named) addOther(others, row)
    return [...bounded.filter(({ value }) => value !== OTHER_VALUE), ...others.values()]
  }

  /** Only after the commit. */
  remember(): void {
    for (const [key, values] of this.#uncommitted) {
      this.#knownCount += values.size - (this.#known.get(key)?.size ?? 0)
      this.#known.set(key, values)
    }
    this.#uncommitted = new Map()
    if (this.#knownCount > REMEMBERED_MAX) this.forget()
  }

  /** When the store may lack what was committed. */
  forget(): void {
    this.#known.clear()
    this.#knownCount = 0
  }

  async #admits(
    tx: Tx,
    { workspace_id: workspaceId, dimension, hour, value }: WorkspaceHour,
  ): Promise<boolean> {
    const day = Math.floor(hour / HOURS_OF_DAY)
    const key = `${workspaceId} ${day} ${dimension}`
    const knownValues = this.#known.get(key)
    if (knownValues?.has(value)) return true
    if (knownValues !== undefined && knownValues.size >= VALUES_MAX) return false
    let values = this.#uncommitted.get(key)
    if (values === undefined) {
      values = await storedValues(tx, { workspaceId, dimension, day })
      this.#uncommitted.set(key, values)
    }
    if (values.size < VALUES_MAX) values.add(value)
    return values.has(value)
  }
}

function addOther(others: Map<string, WorkspaceHour>, row: WorkspaceHour): void {
  const key = `${row.workspace_id} ${row.dimension} ${row.hour}`
  const other = others.get(key)
  if (other === undefined) others.set(key, { ...row, value: OTHER_VALUE })
  else add(other, row)
}

type DimensionDay = { workspaceId: number; dimension: string; day: number }

async function storedValues(tx: Tx, { workspaceId, dimension, day }: DimensionDay): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('workspace_hours')
    .select('value')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('dimension', '=', dimension)
    .where('hour', '>=', day * HOURS_OF_DAY)
    .where('hour', '<', (day + 1) * HOURS_OF_DAY)
    .where('value', 'not in', ['', OTHER_VALUE])
    .execute()
  return new Set(rows.map(({ value }) => value))
}
