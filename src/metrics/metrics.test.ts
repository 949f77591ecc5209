import { expect, test } from 'bun:test'
import { Histogram } from './instruments.ts'
import { version } from '../../package.json'
import { METRICS, type MetricNote } from './metric-notes.ts'
import { newSharedMetrics, openMetrics } from './metrics.ts'

const notes = Object.values<MetricNote>(METRICS)
const named = notes.filter(({ name }) => name !== undefined)

test('what one thread counts, another reads, and nothing else changes', () => {
  const shared = newSharedMetrics()
  const [one, other] = [openMetrics(shared), openMetrics(shared)]
  one.shortUrlResponses[302].add(3)
  one.journalBytes.set(1_000)
  one.storeWrites.background.observe(0.3)
  expect([other.shortUrlResponses[302].value, other.journalBytes.value]).toEqual([3, 1_000])
  expect(other.storeWrites.background.sum).toBe(0.3)
  expect(new Float64Array(shared).filter((cell) => cell !== 0)).toHaveLength(4)
})

test('no two instruments share a place', () => {
  const shared = newSharedMetrics()
  const instruments = Object.values(openMetrics(shared)).flatMap((found) =>
    'value' in found || found instanceof Histogram ? [found] : Object.values(found),
  )
  const cells = new Float64Array(shared)
  for (const instrument of instruments) {
    const before = cells.filter((cell) => cell !== 0).length
    if ('add' in instrument) instrument.add()
    else if ('set' in instrument) instrument.set(1)
    else instrument.observe(1)
    expect(cells.filter((cell) => cell !== 0).length).toBeGreaterThan(before)
  }
  expect(instruments.length).toBeGreaterThan(40)
})

test('names follow the conventions: our own prefix or the process’s, base units, _total for counters only', () => {
  for (const { name, type, help } of named) {
    expect(name).toMatch(/^(tern|process)_[a-z]+(_[a-z]+)*$/)
    expect([name, name!.endsWith('_total')]).toEqual([name, type === 'counter'])
    expect(name).not.toMatch(/milliseconds|_ms\b|_us\b|percent|kilobytes/)
    expect(help).toMatch(/^[^\\\n]+\.$/)
  }
  expect(new Set(named.map(({ name }) => name)).size).toBe(named.length)
})

test('the version is that of the package', () => {
  expect([...METRICS.build.label.values].map(String)).toEqual([version])
})

test('bounds of histograms rise', () => {
  const all = notes.flatMap(({ bounds }) => (bounds === undefined ? [] : [bounds]))
  expect(all).not.toBeEmpty()
  for (const bounds of all) expect(bounds).toEqual([...bounds].sort((a, b) => a - b))
})
