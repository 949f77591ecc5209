import uPlot from 'uplot'
import type { ClickPoint } from '../../../src/http/endpoints/browser-types.ts'
import { shortNumber } from '../../format.ts'
import { pointLabel } from '../../later-format.ts'
import { hasBars, type Line, type Series, seriesLines, splitsOf } from './series-lines.ts'

const HEIGHT = 260
const FONT = '12px system-ui, sans-serif'
/** Space between a label and the edge of the canvas. */
const EDGE = 4
const COUNT_STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7,
]

type Listeners = {
  onPoint: (at: { index: number; left: number } | undefined) => void
  onZoom: (from: number, to: number) => void
  /** From where to where the points are, in pixels of the frame. */
  onPlotted: (at: { left: number; width: number }) => void
}

/** Draws into `frame` and follows its width and the theme. Returns a function that removes the chart. */
export function drawSeries(frame: HTMLElement, series: Series, listeners: Listeners): () => void {
  let plot: uPlot | undefined
  const places = series.points.map((_, at) => at)
  const draw = () => {
    plot?.destroy()
    const counts = seriesLines(series).map((line) => line.counts)
    plot = new uPlot(optionsOf(frame, series, listeners), [places, ...counts], frame)
  }
  draw()
  // A canvas does not follow custom properties, so a change of theme draws it again.
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', draw)
  const themes = new MutationObserver(draw)
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const sizes = new ResizeObserver(() => plot?.setSize({ width: frame.clientWidth, height: HEIGHT }))
  sizes.observe(frame)
  return () => {
    dark.removeEventListener('change', draw)
    themes.disconnect()
    sizes.disconnect()
    plot?.destroy()
  }
}

function optionsOf(frame: HTMLElement, series: Series, listeners: Listeners): uPlot.Options {
  const { points } = series
  const textWidth = measureTexts()
  const labelWidth = Math.max(...[points[0], points.at(-1)].map((point) => textWidth(labelOf(point))), 0)
  const colors = computedColors(frame)
  return {
    width: frame.clientWidth,
    height: HEIGHT,
    // The last label is centered under the last point, which is at the edge.
    padding: [12, Math.ceil(labelWidth / 2) + EDGE, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 7, fill: colors['--data-1'] },
    },
    scales: {
      x: { time: false, ...xRange(series) },
      // From zero, and at least up to 4, so that a few clicks do not fill the chart.
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
    },
    series: [{}, ...linesOf(colors, series)],
    bands: bandsOf(colors, series),
    axes: [
      {
        stroke: colors['--ink-soft'],
        font: FONT,
        grid: { show: false },
        ticks: { show: false },
        size: 30,
        gap: 8,
        splits: (plot) => splitsOf(points.length, { width: plot.width - labelWidth, labelWidth }),
        values: (_, splits) => splits.map((at) => labelOf(points[at])),
      },
      {
        stroke: colors['--ink-soft'],
        font: FONT,
        grid: { stroke: colors['--line'], width: 1 },
        ticks: { show: false },
        // At least half the width of the first label of the x axis, which is centered on this edge.
        size: (_, values) =>
          Math.ceil(Math.max(labelWidth / 2, 16 + Math.max(0, ...(values ?? []).map(textWidth)))),
        incrs: COUNT_STEPS,
        values: (_, splits) => splits.map((value) => shortNumber(value)),
      },
    ],
    hooks: hooksOf(series, listeners),
  }
}

/** Room for bars, and for few of them no wider ones. A single point is centered: at the edge it would look like part of the axis. */
function xRange(series: Series): { range?: [number, number] } {
  const last = series.points.length - 1
  if (!hasBars(series)) return last === 0 ? { range: [-1, 1] } : {}
  const room = Math.max(0.6, (BARS_ROOM - last) / 2)
  return { range: [-room, last + room] }
}

const BARS_ROOM = 8

const labelOf = (point: ClickPoint | undefined) => (point === undefined ? '' : pointLabel(point.date))

/** Styles of the lines of `seriesLines`, in the same order. */
function linesOf(colors: Colors, series: Series): uPlot.Series[] {
  const { '--data-1': color, '--ink-soft': gray, '--surface-raised': surface } = colors
  const { points, running = points.length } = series
  const styles: Record<Line['kind'], uPlot.Series> = {
    previous: { stroke: gray, width: 1.5, dash: [6, 5], points: { show: points.length === 1, size: 6 } },
    // Its band is hatched.
    imported: { stroke: faded(color, 0.5), width: 1, points: { show: false } },
    over: {
      stroke: color,
      width: 2,
      fill: faded(color, 0.12),
      points: { show: running === 1 || points.length === 1, size: 8, fill: color },
    },
    running: {
      stroke: color,
      width: 2,
      dash: [1, 5],
      cap: 'round',
      fill: faded(color, 0.05),
      points: { show: true, width: 2, fill: surface, filter: () => [running], size: 8, stroke: color },
    },
  }
  const bars: Partial<typeof styles> = hasBars(series)
    ? { over: barOf(color, 0.3), running: barOf(color, 0.12) }
    : {}
  return seriesLines(series).map(({ kind }) => bars[kind] ?? styles[kind])
}

/** Imported clicks are hatched between those that are counted here and all of them. */
function bandsOf(colors: Colors, series: Series): uPlot.Band[] {
  const kinds = seriesLines(series).map(({ kind }) => kind)
  const imported = kinds.indexOf('imported') + 1
  if (imported === 0) return []
  return [{ series: [imported, kinds.indexOf('over') + 1], fill: hatching(colors['--data-1']) }]
}

const HATCH = 7

function hatching(color: string): CanvasPattern {
  const tile = document.createElement('canvas')
  const size = Math.round(HATCH * devicePixelRatio)
  tile.width = tile.height = size
  const context = tile.getContext('2d')!
  context.strokeStyle = faded(color, 0.5)
  context.lineWidth = devicePixelRatio
  context.beginPath()
  // Thrice, so that the corners of the tile have their part of the line.
  for (const shift of [-size, 0, size]) {
    context.moveTo(shift, size)
    context.lineTo(shift + size, 0)
  }
  context.stroke()
  return context.createPattern(tile, 'repeat')!
}

/** What is not over is paler. */
const barOf = (color: string, fill: number): uPlot.Series => ({
  stroke: color,
  width: 1,
  fill: faded(color, fill),
  points: { show: false },
  paths: uPlot.paths.bars!({ size: [BAR_SHARE, BAR_WIDTH_MAX] }),
})

const BAR_SHARE = 0.6
const BAR_WIDTH_MAX = 48

function hooksOf({ points }: Series, listeners: Listeners): uPlot.Hooks.Arrays {
  return {
    draw: [
      (plot) => {
        const left = plot.bbox.left / devicePixelRatio
        const width = plot.bbox.width / devicePixelRatio
        if (points.length < 2) return listeners.onPlotted({ left, width })
        const first = plot.valToPos(0, 'x')
        const last = plot.valToPos(points.length - 1, 'x')
        listeners.onPlotted({ left: left + first, width: last - first })
      },
    ],
    setCursor: [
      ({ cursor: { idx, left = -1 }, bbox }) =>
        listeners.onPoint(
          idx === null || idx === undefined || left < 0
            ? undefined
            : { index: idx, left: left + bbox.left / devicePixelRatio },
        ),
    ],
    setSelect: [
      (plot) => {
        if (plot.select.width < 4) return
        const from = Math.round(plot.posToVal(plot.select.left, 'x'))
        const to = Math.round(plot.posToVal(plot.select.left + plot.select.width, 'x'))
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        if (to > from) listeners.onZoom(Math.max(0, from), Math.min(points.length - 1, to))
      },
    ],
  }
}

function measureTexts(): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d')!
  context.font = FONT
  return (text) => context.measureText(text).width
}

const COLOR_NAMES = ['--data-1', '--ink-soft', '--line', '--surface-raised'] as const

type Colors = Record<(typeof COLOR_NAMES)[number], string>

/** Computed, because a canvas does not support light-dark(). All at once, so that the browser computes styles once. */
function computedColors(frame: HTMLElement): Colors {
  const probes = COLOR_NAMES.map((name) => {
    const probe = document.createElement('span')
    probe.style.color = `var(${name})`
    return probe
  })
  frame.append(...probes)
  const colors = probes.map((probe) => getComputedStyle(probe).color)
  for (const probe of probes) probe.remove()
  return Object.fromEntries(COLOR_NAMES.map((name, at) => [name, colors[at]])) as Colors
}

/** Adds an alpha value to a computed `oklch(…)` color. */
const faded = (color: string, weight: number) => color.replace(/\)$/, ` / ${weight})`)
