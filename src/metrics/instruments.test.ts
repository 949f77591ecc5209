import { beforeEach, expect, test } from 'bun:test'
import { Counter, Gauge, Histogram, type SharedCells } from './instruments.ts'

let cells: SharedCells

beforeEach(() => {
  cells = new Float64Array(new SharedArrayBuffer(10 * 8))
})

test('a counter adds up in its own cell, beyond what 32 bits hold', () => {
  const counter = new Counter(cells, 3)
  counter.add()
  counter.add(2 ** 40)
  expect(counter.value).toBe(2 ** 40 + 1)
  expect(new Counter(cells, 3).value).toBe(2 ** 40 + 1)
  expect([cells[2], cells[4]]).toEqual([0, 0])
})

test('a gauge is what it was set to last', () => {
  const gauge = new Gauge(cells, 9)
  for (const value of [7, -0.5]) gauge.set(value)
  expect(gauge.value).toBe(-0.5)
})

test('a histogram puts a value into the first bucket that holds it, its bound included', () => {
  const histogram = new Histogram(cells, 2, [0.1, 1, 10])
  for (const value of [0, 0.1, 0.11, 1, 10, 10.5, 1_000]) histogram.observe(value)
  expect(histogram.counts).toEqual([2, 2, 1, 2])
  expect(histogram.sum).toBeCloseTo(1_021.71)
  expect([cells[1], cells[2 + Histogram.cellCount(histogram.bounds)]]).toEqual([0, 0])
})
