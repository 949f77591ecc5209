import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { metricsText } from '../src/http/metrics/metrics-text.ts'
import { newSharedMetrics, openMetrics } from '../src/metrics/metrics.ts'
import { parsePrometheusText, type Sample } from './rigs/http/prometheus-text.ts'

const read = (path: string) => readFileSync(join(dirname(import.meta.dir), path), 'utf8')

const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as Dashboard
const alarms = (
  Bun.YAML.parse(read('deploy/prometheus-alarms.yml')) as { groups: { rules: Alarm[] }[] }
).groups.flatMap(({ rules }) => rules)
const operations = read('docs/operations.md')

const families = parsePrometheusText(metricsText(openMetrics(newSharedMetrics())))
const samples = [...families.values()].flatMap((family) => family.samples)

const METRIC = /\b(?:tern|process)_[a-z_]+\b/g

describe('the dashboard and the alerts', () => {
  test('use only metrics that exist', () => {
    expect(expressions.length).toBeGreaterThan(40)
    expect(expressions.flatMap(unknowns)).toEqual([])
  })

  test('would fail this check otherwise', () => {
    expect(unknowns('rate(tern_no_such_total[5m])')).toEqual(['tern_no_such_total'])
    expect(unknowns('tern_api_responses_total{status="6xx",job="a"}')).toEqual(['status="6xx"'])
    expect(unknowns('tern_api_responses_total{thread="api"}')).toEqual(['thread="api"'])
    expect(unknowns('tern_event_loop_delay_seconds{thread="api"}')).toEqual(['tern_event_loop_delay_seconds'])
  })

  test('use every counter as a rate, an increase, or a total since the start', () => {
    const LOSSES = /^tern_(clicks_missing|dead_letters|journal_damaged_bytes)_total$/
    const bare = expressions.flatMap((expr) =>
      [...expr.replaceAll(/(?:rate|increase)\([^()]*\)/g, '').matchAll(/\b\w+_total\b/g)].map(
        ([name]) => name,
      ),
    )
    expect(bare.filter((name) => !LOSSES.test(name))).toEqual([])
  })
})

describe('the dashboard', () => {
  test('has panels with unique titles and IDs that do not overlap', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
    const overlaps = (a: Box, b: Box) =>
      a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
    for (const [i, { gridPos }] of panels.entries()) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (const other of panels.slice(i + 1)) expect(overlaps(gridPos, other.gridPos)).toBe(false)
    }
  })

  test('shows every metric', () => {
    const shown = new Set(expressions.flatMap((expr) => expr.match(METRIC) ?? []))
    const isShown = (name: string) => shown.has(name) || shown.has(`${name}_bucket`)
    expect([...families.keys()].filter((name) => !isShown(name))).toEqual([])
  })
})

describe('the alerts', () => {
  test('each have a severity, a summary, and instructions in a sentence', () => {
    expect(new Set(alarms.map(({ alert }) => alert)).size).toBe(alarms.length)
    for (const { alert, labels, annotations } of alarms) {
      expect(alert).toMatch(/^Tern[A-Z][A-Za-z]+$/)
      expect(['critical', 'warning']).toContain(labels.severity)
      expect(Object.keys(annotations)).toEqual(['summary', 'action'])
      for (const sentence of Object.values(annotations)) expect(sentence).toMatch(/^[A-Z].{20,}\.$/)
    }
  })
})

describe('the operations page', () => {
  test('lists every metric and every alert, and no others', () => {
    const section = (title: string) =>
      operations.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''
    const listed = (text: string) => [...text.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!)
    expect(listed(section('Metrics')).sort()).toEqual([...families.keys()].sort())
    expect(listed(section('Alerts')).sort()).toEqual(alarms.map(({ alert }) => alert).sort())
  })
})

/** A metric with its label matchers. */
const SELECTOR = /\b((?:tern|process)_[a-z_]+)(?:\{([^}]*)\})?/g

/** Labels that Prometheus adds to every sample. */
const LABELS_OF_PROMETHEUS = new Set(['job', 'instance'])

const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.map(({ expr }) => expr),
  ...dashboard.templating.list.flatMap(({ definition }) => definition ?? []),
  ...alarms.map(({ expr }) => expr),
]

type Panel = { id: number; title: string; type: string; targets?: { expr: string }[]; gridPos: Box }
type Box = { x: number; y: number; w: number; h: number }
type Dashboard = {
  title: string
  panels: Panel[]
  annotations: { list: { expr: string }[] }
  templating: { list: { name: string; definition?: string }[] }
}
type Alarm = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<string, string>
}

/** What an expression asks for that no scrape ever has: an unknown name, label, or value of a label. */
function unknowns(expr: string): string[] {
  return [...expr.matchAll(SELECTOR)].flatMap(([, name, matchers = '']) => {
    const found = samples.filter((sample) => sample.name === name)
    if (found.length === 0) return [name!]
    return matchers
      .split(',')
      .filter((matcher) => matcher !== '')
      .filter((matcher) => !isKnown(matcher, found))
  })
}

function isKnown(matcher: string, found: Sample[]): boolean {
  const [, label = '', operator, value = ''] = /^(\w+)(=~|!=|=)"([^"]*)"$/.exec(matcher) ?? []
  if (operator === undefined) return false
  if (LABELS_OF_PROMETHEUS.has(label)) return true
  const values = operator === '=~' ? value.split('|') : [value]
  return values.every((each) => found.some(({ labels }) => labels[label] === each))
}
