import { dayOf, hourOf, HOURS_OF_DAY } from '../../runtime/clock.ts'
import type { Tx } from '../../store/handles.ts'
import type { Database } from '../../store/schema.ts'
import type { Click } from '../journal/click.ts'
import type { Rollup } from './rollups.ts'
import type { FirstVisits } from './seen-visitors.ts'

/**
 * Dimensions that nobody filters by together with others, and that most clicks lack. They are counted one by one, beside
 * the combinations of `click_dimensions`, so a plain click costs no row: what is in no row has the default, which is the
 * link's plain destination, its short URL, an unknown language, or the link's own code.
 */
export const SINGLE_DIMENSIONS = ['variant', 'via', 'language', 'alias'] as const

/** What a click has in one of them. */
type ClickValue = { click: Click; dimension: SingleDimension; value: string }
type SingleDimension = (typeof SINGLE_DIMENSIONS)[number]

const DEFAULTS: Record<SingleDimension, string> = { variant: '', via: 'link', language: '', alias: '' }

/** What stands for all values of a link, day and dimension beyond the bound. */
const OTHER_VALUE = 'other'

/** Visitors choose their language, and each value makes rows that stay. */
export const VALUES_MAX = 1_000
const REMEMBERED_MAX = 100_000

/** What the click has in them, other than the default. */
export const singleValuesIn = ({ extras }: Click): [SingleDimension, string][] =>
  extras === undefined
    ? []
    : SINGLE_DIMENSIONS.flatMap((name) => (extras[name] === DEFAULTS[name] ? [] : [[name, extras[name]]]))

/** Every value of the clicks that is not the default. */
export function singleValuesOf(clicks: readonly Click[]): ClickValue[] {
  return clicks.flatMap((click) =>
    singleValuesIn(click).map(([dimension, value]) => ({ click, dimension, value })),
  )
}

/** Adds to a rollup of the same clicks. */
export function addSingleValues(
  rollup: Pick<Rollup, 'linkDimensionHours' | 'workspaceHours'>,
  values: readonly ClickValue[],
  firstVisits: FirstVisits,
): void {
  const links = new Map<string, Database['link_dimension_hours']>()
  const workspaces = new Map<string, Database['workspace_hours']>()
  for (const { click, dimension, value } of values) {
    const { linkId, workspaceId, clickedAtUs } = click
    const ofValue = { dimension, hour: hourOf(clickedAtUs), value, clicks: 0, visitors: 0 }
    const key = `${dimension} ${ofValue.hour} ${value}`
    const ofLink = foundOrSet(links, `${linkId} ${key}`, { link_id: linkId, ...ofValue })
    const ofWorkspace = foundOrSet(workspaces, `${workspaceId} ${key}`, {
      workspace_id: workspaceId,
      ...ofValue,
      bots: 0,
    })
    ofLink.clicks++
    ofWorkspace.clicks++
    if (firstVisits.toLink.has(click)) ofLink.visitors++
    if (firstVisits.toWorkspace.has(click)) ofWorkspace.visitors++
  }
  rollup.linkDimensionHours.push(...links.values())
  rollup.workspaceHours.push(...workspaces.values())
}

function foundOrSet<Value>(map: Map<string, Value>, key: string, fresh: Value): Value {
  const values = map.get(key)
  if (values !== undefined) return values
  map.set(key, fresh)
  return fresh
}

/**
 * Bounds the values of each link, UTC day and dimension to a thousand, the first that are counted. The counters themselves
 * say which those are, so it is the same for every node and after a restart.
 */
export class SingleValueBounds {
  /** By link, day and dimension, as committed; a node beside this one may have added to it. */
  readonly #known = new Map<string, ReadonlySet<string>>()
  #knownCount = 0
  #uncommitted = new Map<string, Set<string>>()

  /**
   * The values as they are to be counted. `totals` are the clicks that each link has ever had, with these. Only while no
   * other transaction can count clicks of these links.
   */
  async apply(
    tx: Tx,
    values: readonly ClickValue[],
    totals: ReadonlyMap<number, number>,
  ): Promise<readonly ClickValue[]> {
    this.#uncommitted = new Map()
    const bounded: ClickValue[] = []
    for (const each of values) {
      // A link has no more values than clicks, so most links are done with here.
      const isFew = totals.get(each.click.linkId)! <= VALUES_MAX || each.value === OTHER_VALUE
      bounded.push(isFew || (await this.#admits(tx, each)) ? each : { ...each, value: OTHER_VALUE })
    }
    return bounded
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

  async #admits(tx: Tx, each: ClickValue): Promise<boolean> {
    const place = { linkId: each.click.linkId, dimension: each.dimension, day: dayOf(each.click.clickedAtUs) }
    const key = `${place.linkId} ${place.day} ${place.dimension}`
    const values = this.#known.get(key)
    if (values?.has(each.value)) return true
    if (values !== undefined && values.size >= VALUES_MAX) return false
    let there = this.#uncommitted.get(key)
    if (there === undefined) this.#uncommitted.set(key, (there = await storedValues(tx, place)))
    if (there.size < VALUES_MAX) there.add(each.value)
    return there.has(each.value)
  }
}

type LinkDimensionDay = { linkId: number; dimension: string; day: number }

async function storedValues(tx: Tx, { linkId, dimension, day }: LinkDimensionDay): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('link_dimension_hours')
    .select('value')
    .distinct()
    .where('link_id', '=', linkId)
    .where('dimension', '=', dimension)
    .where('hour', '>=', day * HOURS_OF_DAY)
    .where('hour', '<', (day + 1) * HOURS_OF_DAY)
    .where('value', '<>', OTHER_VALUE)
    .execute()
  return new Set(rows.map(({ value }) => value))
}
