import {
  type ClickDimensions,
  type Dimension,
  DIMENSIONS,
  WHOLE_DIMENSIONS,
} from '../../../src/store/click-dimensions.ts'

export type HistoryClick = {
  /** Its number among the links of the history. */
  link: number
  timeUs: number
  /** 0: not known. */
  visitor: number
  /** Undefined for a bot. */
  dimensions: ClickDimensions | undefined
}

/** Kept counters of a workspace have at most this many values of a dimension for each UTC day, and `other` for the rest. */
const KEPT_VALUES_MAX = 5_000
const OTHER = 'other'

const QUARTER_US = 900_000_000
const DAY_US = 86_400_000_000
/** More than there are visitors, and links. */
const OWNERS_MAX = 2 ** 12
const VISITORS_MAX = 2 ** 24

/** Texts as numbers. */
class Dictionary {
  readonly texts: string[] = []
  readonly #codes = new Map<string, number>()

  codeOf(text: string): number {
    return this.#codes.getOrInsertComputed(text, () => this.texts.push(text) - 1)
  }
}

type ByDimension<Column> = Record<Dimension, Column>
const byDimension = <Column>(make: () => Column) =>
  Object.fromEntries(DIMENSIONS.map((name) => [name, make()])) as ByDimension<Column>

/** Every click of a history in the order of counting, column by column: a million takes a hundredth of a second to look through. */
export class ClickColumns {
  count = 0
  readonly links: Uint16Array
  readonly quarters: Int32Array
  readonly times: Float64Array
  readonly areBots: Uint8Array
  /** Whether it is the visitor's first click of the UTC day on the link, and on any link of the workspace. */
  readonly areFirstOfLink: Uint8Array
  readonly areFirstOfWorkspace: Uint8Array
  readonly dictionaries = byDimension(() => new Dictionary())
  readonly values: ByDimension<Uint16Array>
  /** As the kept counters of the workspace have them. */
  readonly keptValues: ByDimension<Uint16Array>
  readonly #workspaceOf: (link: number) => number
  readonly #seen = new Set<number>()
  readonly #kept = new Map<string, Set<string>>()

  constructor(size: number, workspaceOf: (link: number) => number) {
    this.#workspaceOf = workspaceOf
    this.links = new Uint16Array(size)
    this.quarters = new Int32Array(size)
    this.times = new Float64Array(size)
    this.areBots = new Uint8Array(size)
    this.areFirstOfLink = new Uint8Array(size)
    this.areFirstOfWorkspace = new Uint8Array(size)
    this.values = byDimension(() => new Uint16Array(size))
    this.keptValues = byDimension(() => new Uint16Array(size))
  }

  /** Clicks that are counted together: of those, the earliest of a visitor is the first. */
  addBatch(clicks: readonly HistoryClick[]): void {
    const firstOfLink = this.#firsts(clicks, ({ link }) => link + 1)
    const firstOfWorkspace = this.#firsts(
      clicks.filter((click) => firstOfLink.has(click)),
      ({ link }) => OWNERS_MAX - 1 - this.#workspaceOf(link),
    )
    for (const click of clicks) {
      const at = this.count++
      this.links[at] = click.link
      this.quarters[at] = Math.floor(click.timeUs / QUARTER_US)
      this.times[at] = click.timeUs
      this.areBots[at] = Number(click.dimensions === undefined)
      this.areFirstOfLink[at] = Number(firstOfLink.has(click))
      this.areFirstOfWorkspace[at] = Number(firstOfWorkspace.has(click))
      if (click.dimensions !== undefined) this.#addValues(at, click, click.dimensions)
    }
  }

  #addValues(at: number, click: HistoryClick, dimensions: ClickDimensions): void {
    for (const name of DIMENSIONS) {
      const code = this.dictionaries[name].codeOf(dimensions[name])
      this.values[name][at] = code
      this.keptValues[name][at] = this.#isKept(click, name, dimensions[name])
        ? code
        : this.dictionaries[name].codeOf(OTHER)
    }
  }

  #isKept({ link, timeUs }: HistoryClick, name: Dimension, value: string): boolean {
    if (value === '' || value === OTHER || !(WHOLE_DIMENSIONS as readonly string[]).includes(name))
      return true
    const key = `${this.#workspaceOf(link)} ${Math.floor(timeUs / DAY_US)} ${name}`
    const kept = this.#kept.getOrInsertComputed(key, () => new Set())
    if (kept.size < KEPT_VALUES_MAX) kept.add(value)
    return kept.has(value)
  }

  #firsts(clicks: readonly HistoryClick[], ownerOf: (click: HistoryClick) => number): Set<HistoryClick> {
    const earliest = new Map<number, HistoryClick>()
    for (const click of clicks) {
      if (click.visitor === 0 || click.dimensions === undefined) continue
      const day = Math.floor(click.timeUs / DAY_US)
      const key = ((day % 2 ** 15) * OWNERS_MAX + ownerOf(click)) * VISITORS_MAX + click.visitor
      const earlier = earliest.get(key)
      if (earlier === undefined || click.timeUs < earlier.timeUs) earliest.set(key, click)
    }
    for (const key of earliest.keys()) if (this.#seen.has(key)) earliest.delete(key)
    for (const key of earliest.keys()) this.#seen.add(key)
    return new Set(earliest.values())
  }
}
