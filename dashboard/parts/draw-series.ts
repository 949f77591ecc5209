import uPlot from 'uplot'
import type { ClickPoint } from '../../src/http/dashboard-api/dashboard-types.ts'
import { pointLabel, shortNumber } from '../format.ts'

const HEIGHT = 260
const FONT = '12px system-ui, sans-serif'
const LABEL_WIDTH = 92

type Listeners = {
  onPoint: (at: { index: number; left: number } | undefined) => void
  onZoom: (from: number, to: number) => void
}

/** Draws into `frame`, follows its width and the theme; the answer removes it. */
export function drawSeries(frame: HTMLElement, points: ClickPoint[], listeners: Listeners): () => void {
  let plot: uPlot | undefined
  const draw = () => {
    plot?.destroy()
    plot = new uPlot(optionsOf(frame, points, listeners), dataOf(points), frame)
  }
  draw()
  // A canvas does not see custom properties change: it is drawn again in the other theme's colours.
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

const dataOf = (points: ClickPoint[]): uPlot.AlignedData => [
  points.map((_, at) => at),
  points.map(({ clicks }) => clicks),
  points.map(({ unique_visitors }) => unique_visitors),
]

function optionsOf(frame: HTMLElement, points: ClickPoint[], listeners: Listeners): uPlot.Options {
  // Colours are read as the browser computes them: a canvas knows no light-dark().
  const colour = (name: string) => computedColour(frame, name)
  const [clicks, visitors, line, ink] = [
    colour('--data-1'),
    colour('--data-2'),
    colour('--line'),
    colour('--ink-soft'),
  ]
  const isOnly = points.length < 2
  return {
    width: frame.clientWidth,
    height: HEIGHT,
    padding: [12, 26, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 7, fill: clicks },
    },
    scales: {
      x: { time: false },
      // Counts begin at zero, and an empty time is not drawn as if it were full.
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
    },
    series: [
      {},
      { stroke: clicks, width: 2, fill: faded(clicks), points: { show: isOnly, size: 8, fill: clicks } },
      { stroke: visitors, width: 1.75, dash: [5, 4], points: { show: isOnly, size: 6, fill: visitors } },
    ],
    axes: [
      {
        stroke: ink,
        font: FONT,
        grid: { show: false },
        ticks: { show: false },
        size: 30,
        gap: 8,
        splits: (plot) => splitsOf(points.length, plot.width),
        values: (_, splits) => splits.map((at) => pointLabel(points[at]?.date ?? '')),
      },
      {
        stroke: ink,
        font: FONT,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: (_, values) => 18 + 7 * Math.max(2, ...(values ?? []).map((value) => value.length)),
        incrs: [
          1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7,
        ],
        values: (_, splits) => splits.map((value) => shortNumber(value)),
      },
    ],
    hooks: {
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
    },
  }
}

/** As many labels as fit, the last point always among them. */
function splitsOf(count: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / LABEL_WIDTH))))
  const splits: number[] = []
  for (let at = count - 1; at >= 0; at -= every) splits.unshift(at)
  return splits
}

function computedColour(frame: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  frame.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** `oklch(…)` as computed, with a tenth of its weight. */
const faded = (colour: string) => colour.replace(/\)$/, ' / 0.12)')
