import { type Counter, type Gauge, Histogram } from '../../metrics/instruments.ts'
import { METRICS, type MetricNote } from '../../metrics/metric-notes.ts'
import type { Metrics } from '../../metrics/metrics.ts'

type Instrument = Counter | Gauge | Histogram

/** Prometheus' text format, version 0.0.4. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function metricsText(metrics: Metrics): string {
  const lines = Object.entries<MetricNote>(METRICS).flatMap(([field, note]) =>
    note.name === undefined ? [] : linesOf(note.name, note, metrics[field as keyof Metrics]),
  )
  return lines.join('\n') + '\n'
}

function linesOf(name: string, { type, help, label }: MetricNote, found: Metrics[keyof Metrics]): string[] {
  const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
  if (label === undefined) return [...head, ...samples(name, '', found as Instrument)]
  const byValue = found as Record<string, Instrument>
  return [
    ...head,
    ...label.values.flatMap((value) => samples(name, `${label.name}="${value}"`, byValue[value]!)),
  ]
}

function samples(name: string, label: string, instrument: Instrument): string[] {
  if (!(instrument instanceof Histogram)) return [sample(name, [label], instrument.value)]
  const { bounds, counts, sum } = instrument
  let below = 0
  const buckets = counts.map((count, i) =>
    sample(`${name}_bucket`, [label, `le="${bounds[i] ?? '+Inf'}"`], (below += count)),
  )
  // The total of these buckets, not one that is read later: a scrape must be consistent.
  return [...buckets, sample(`${name}_sum`, [label], sum), sample(`${name}_count`, [label], below)]
}

function sample(name: string, labels: string[], value: number): string {
  const pairs = labels.filter((label) => label !== '')
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}
