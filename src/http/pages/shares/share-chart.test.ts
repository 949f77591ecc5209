import { expect, test } from 'bun:test'
import { clicksChart } from './share-chart.ts'

test('days that are over are a line with an area, and today is a dot at the end of a dashed line', () => {
  const { markup } = clicksChart(report([0, 50, 100, 20], 3))
  expect(axisOf(markup)).toEqual(['100', '50', '0'])
  expect(pathsOf(markup)).toEqual([
    ['share-area', 'M0 100L333.33 50L666.67 0V100H0Z'],
    ['share-line', 'M0 100L333.33 50L666.67 0'],
    ['share-line running', 'M666.67 0L1000 80'],
    ['share-dot', 'M1000 80h0'],
  ])
  expect(markup).toContain('<td>Nov 4, so far</td>')
})

test('a single point is a dot, and a range that is over has none', () => {
  expect(pathsOf(clicksChart(report([7], 0)).markup)).toEqual([['share-dot', 'M500 30h0']])
  expect(pathsOf(clicksChart(report([1, 1], null)).markup).map(([name]) => name)).toEqual([
    'share-area',
    'share-line',
  ])
})

test.each([
  [0, ['2', '1', '0']],
  [3, ['4', '2', '0']],
  [10, ['10', '5', '0']],
  [11, ['20', '10', '0']],
  [2_401, ['4,000', '2,000', '0']],
])('the axis for at most %d clicks has whole, round numbers', (most, axis) => {
  expect(axisOf(clicksChart(report([0, most], null)).markup)).toEqual(axis)
})

function report(clicks: readonly number[], runningPoint: number | null): Parameters<typeof clicksChart>[0] {
  const labelOf = (day: number) => `2026-11-${String(day + 1).padStart(2, '0')}`
  return {
    granularity: 'day',
    points: clicks.map((count, day) => ({ label: labelOf(day), clicks: count })),
    runningPoint,
    visitors: { count: 0, change: null },
    today: 0,
  }
}

function pathsOf(markup: string) {
  const paths = markup.matchAll(/<path class="(share-(?:area|line|dot)[^"]*)" d="([^"]*)"/g)
  return [...paths].map(([, name, d]) => [name, d])
}

function axisOf(markup: string) {
  return [...markup.matchAll(/<span>([\d,]+)<\/span>/g)].map(([, text]) => text)
}
