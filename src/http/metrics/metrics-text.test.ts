import { describe, expect, test } from 'bun:test'
import { parsePrometheusText, valueOf } from '../../../test/rigs/http/prometheus-text.ts'
import { METRICS, type MetricNote } from '../../metrics/metric-notes.ts'
import { newSharedMetrics, openMetrics } from '../../metrics/metrics.ts'
import { metricsText } from './metrics-text.ts'

describe('the text', () => {
  test('has every metric that has a name, with its type, its help and each value of its label', () => {
    const families = parsePrometheusText(metricsText(openMetrics(newSharedMetrics())))
    const named = Object.values<MetricNote>(METRICS).filter(({ name }) => name !== undefined)
    expect([...families.values()].map(({ name, type, help }) => ({ name, type, help }))).toEqual(
      named.map(({ name, type, help }) => ({ name: name!, type, help })),
    )
    for (const { name, label } of named) {
      const { samples } = families.get(name!)!
      const values = label === undefined ? [] : samples.map(({ labels }) => labels[label.name])
      expect(new Set(values)).toEqual(new Set(label?.values))
    }
  })

  test('has counters and gauges as they are, and unknown ones as NaN', () => {
    const metrics = openMetrics(newSharedMetrics())
    metrics.clicksJournaled.add(12)
    metrics.lagSeconds.set(0.000_000_25)
    metrics.journalBytes.set(2 ** 40)
    metrics.storeBytes.set(Number.NaN)
    const families = parsePrometheusText(metricsText(metrics))
    expect(valueOf(families, 'tern_clicks_journaled_total')).toBe(12)
    expect(valueOf(families, 'tern_ingestion_lag_seconds')).toBe(0.000_000_25)
    expect(valueOf(families, 'tern_journal_bytes')).toBe(2 ** 40)
    expect(valueOf(families, 'tern_store_bytes')).toBeNaN()
  })

  test('has histograms that count everything up to each bound', () => {
    const metrics = openMetrics(newSharedMetrics())
    for (const seconds of [0.0005, 0.005, 0.005, 0.2, 60]) metrics.storeWrites.api.observe(seconds)
    const families = parsePrometheusText(metricsText(metrics))
    const bucket = (le: string) => valueOf(families, 'tern_store_write_seconds_bucket', { thread: 'api', le })
    expect(['0.001', '0.002', '0.005', '0.25', '10', '+Inf'].map(bucket)).toEqual([1, 1, 3, 4, 4, 5])
    expect(valueOf(families, 'tern_store_write_seconds_sum', { thread: 'api' })).toBeCloseTo(60.2105)
    expect(valueOf(families, 'tern_store_write_seconds_count', { thread: 'api' })).toBe(5)
    expect(valueOf(families, 'tern_store_write_seconds_count', { thread: 'background' })).toBe(0)
  })
})
