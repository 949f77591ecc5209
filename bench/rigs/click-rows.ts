import { WHOLE_DIMENSIONS } from '../../src/store/click-dimensions.ts'
import type { RowInsert } from '../../src/store/engine-sql.ts'
import type { SeededChance } from './traffic.ts'

const COUNTRIES = 'US DE GB FR BR IN JP CA AU NL ES IT PL SE CH AT BE DK NO FI'.split(' ')
const SYSTEMS = [
  { os: 'Windows', device: 'desktop' },
  { os: 'Android', device: 'mobile' },
  { os: 'iOS', device: 'mobile' },
  { os: 'macOS', device: 'desktop' },
  { os: 'Linux', device: 'desktop' },
]
const BROWSERS = ['Chrome', 'Safari', 'Edge', 'Firefox']
/** The first is none. */
const REFERRERS = ['', ...Array.from({ length: 300 }, (_, i) => `site-${i}.example.org`)]
export const DIMENSION_SETS = COUNTRIES.length * SYSTEMS.length * BROWSERS.length * REFERRERS.length

/** Visitors; many of them have the same dimensions. */
const CROWD = 200_000

const counters = ['clicks', 'visitors', 'bots']
export const LINK_TOTALS: RowInsert = {
  table: 'link_totals',
  columns: ['link_id', 'workspace_id', ...counters, 'last_clicked_at'],
}
export const WORKSPACE_HOURS: RowInsert = {
  table: 'workspace_hours',
  columns: ['workspace_id', 'dimension', 'hour', 'value', ...counters],
}
export const WORKSPACE_TOTALS: RowInsert = {
  table: 'workspace_totals',
  columns: ['workspace_id', ...counters, 'last_clicked_at'],
}

export type MadeClicks = {
  /** About this many, on the links from 1 on: the n-th gets a share of 1/n. */
  clicks: number
  links: number
  /** Whose all the links are. */
  workspaceId: number
  nowUs: number
  /** They came evenly over this many days. */
  days: number
}

/** Who clicks, each by the number of their dimension set. */
export const makeCrowd = (chance: SeededChance): Int32Array =>
  Int32Array.from({ length: CROWD }, () => aDimensionSet(chance))

function aDimensionSet(chance: SeededChance): number {
  const referrer = chance.next() < 0.3 ? 0 : chance.skewed(REFERRERS.length - 1)
  const country = chance.skewed(COUNTRIES.length) - 1
  const system = chance.skewed(SYSTEMS.length) - 1
  const browser = chance.skewed(BROWSERS.length) - 1
  return ((country * SYSTEMS.length + system) * BROWSERS.length + browser) * REFERRERS.length + referrer
}

/** What the values of each dimension are, in the order of WHOLE_DIMENSIONS. */
const VALUES = [COUNTRIES, ['desktop', 'mobile'], BROWSERS, SYSTEMS.map(({ os }) => os), REFERRERS] as const

/** Which value a dimension set has in each dimension, in the order of WHOLE_DIMENSIONS. */
function placesOf(dimensions: number): number[] {
  const rest = Math.floor(dimensions / REFERRERS.length)
  const system = Math.floor(rest / BROWSERS.length) % SYSTEMS.length
  return [
    Math.floor(rest / BROWSERS.length / SYSTEMS.length),
    (VALUES[1] as readonly string[]).indexOf(SYSTEMS[system]!.device),
    rest % BROWSERS.length,
    system,
    dimensions % REFERRERS.length,
  ]
}

const PLACES = Array.from({ length: DIMENSION_SETS }, (_, dimensions) => placesOf(dimensions))

/** The values of a dimension set, in the order of WHOLE_DIMENSIONS. */
export const valuesOf = (dimensions: number): string[] =>
  PLACES[dimensions]!.map((place, dimension) => VALUES[dimension]![place]!)

/** Clicks of an account by hour and value of each dimension. */
export class WorkspaceHours {
  readonly #clicks: Int32Array[]
  readonly #hours: number

  constructor(hours: number) {
    this.#hours = hours
    this.#clicks = VALUES.map((values) => new Int32Array(hours * values.length))
  }

  add(hour: number, dimensions: number, clicks: number): void {
    const places = PLACES[dimensions]!
    for (let dimension = 0; dimension < places.length; dimension++)
      this.#clicks[dimension]![hour * VALUES[dimension]!.length + places[dimension]!]! += clicks
  }

  rows(workspaceId: number, fromHour: number): unknown[][] {
    return Array.from({ length: this.#hours }, (_, hour) => {
      const row = (dimension: string, value: string, clicks: number) =>
        clicks === 0 ? [] : [[workspaceId, dimension, fromHour + hour, value, clicks, clicks, 0]]
      const byValue = VALUES.map((values, dimension) =>
        this.#clicks[dimension]!.subarray(hour * values.length, (hour + 1) * values.length),
      )
      const total = byValue[0]!.reduce((sum, clicks) => sum + clicks, 0)
      const rows = byValue.flatMap((some, dimension) =>
        [...some].flatMap((clicks, place) =>
          row(WHOLE_DIMENSIONS[dimension]!, VALUES[dimension]![place]!, clicks),
        ),
      )
      return [...row('total', '', total), ...rows]
    }).flat()
  }
}
