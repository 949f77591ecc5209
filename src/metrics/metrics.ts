import { Counter, Gauge, Histogram } from './instruments.ts'
import { type MetricNote, METRICS } from './metric-notes.ts'

type Notes = typeof METRICS
type InstrumentOf<Note extends MetricNote> = Note['type'] extends 'histogram'
  ? Histogram
  : Note['type'] extends 'counter'
    ? Counter
    : Gauge
type LabelledOf<Note extends MetricNote> = Note extends { label: { values: readonly (infer Value)[] } }
  ? Readonly<Record<Value & string, InstrumentOf<Note>>>
  : InstrumentOf<Note>

/** The instruments of every metric; with a label, by its value. */
export type Metrics = { readonly [Field in keyof Notes]: LabelledOf<Notes[Field]> }

/** The numbers in a cache line: two threads that write to the same line would slow each other down. */
const CELLS_PER_LINE = 8

const NOTES = Object.entries<MetricNote>(METRICS)

export type SharedMetrics = SharedArrayBuffer

export function newSharedMetrics(): SharedMetrics {
  const cells = NOTES.reduce((sum, [, note]) => sum + cellsOf(note) * (note.label?.values.length ?? 1), 0)
  return new SharedArrayBuffer(cells * Float64Array.BYTES_PER_ELEMENT)
}

/** Every thread lays out the same instruments in the same memory. */
export function openMetrics(shared: SharedMetrics): Metrics {
  const cells = new Float64Array(shared)
  let next = 0
  const allocate = (note: MetricNote) => {
    const at = next
    next += cellsOf(note)
    if (note.type === 'histogram') return new Histogram(cells, at, note.bounds ?? [])
    return note.type === 'counter' ? new Counter(cells, at) : new Gauge(cells, at)
  }
  const placeEach = (note: MetricNote) =>
    note.label === undefined
      ? allocate(note)
      : Object.fromEntries(note.label.values.map((value) => [value, allocate(note)]))
  return Object.fromEntries(NOTES.map(([field, note]) => [field, placeEach(note)])) as Metrics
}

function cellsOf({ type, bounds = [] }: MetricNote): number {
  const cells = type === 'histogram' ? Histogram.cellCount(bounds) : 1
  return Math.ceil(cells / CELLS_PER_LINE) * CELLS_PER_LINE
}
