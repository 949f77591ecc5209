import { html, type Html, NO_HTML } from '../../../html/html.ts'
import type { SharedReport } from '../../../shares/shared-report.ts'
import { wholeText } from '../../../runtime/number-text.ts'
import { dateText, RUNNING } from './share-texts.ts'

type TimeReport = NonNullable<SharedReport['time']>

const WIDTH = 1_000
const HEIGHT = 100
const LABELS_MAX = 5
/** The first digits of the distance between two lines. */
const STEPS = [1, 2, 5, 10]

/**
 * The lines are stretched over the width of the page. Texts stand outside of them, at their own size, so they are readable on any
 * screen.
 */
export function clicksChart({ points, runningPoint, granularity }: TimeReport): Html {
  const step = stepFor(Math.max(...points.map(({ clicks }) => clicks)))
  const places = points.map(({ clicks }, at) => ({
    x: points.length === 1 ? WIDTH / 2 : round((at / (points.length - 1)) * WIDTH),
    y: round(HEIGHT - (clicks / (2 * step)) * HEIGHT),
  }))
  const over = runningPoint === null ? places : places.slice(0, runningPoint)
  const running = runningPoint === null ? undefined : places[runningPoint]
  const labels = labeledPoints(points.length)
  const text = (at: number) => dateText(points[at]!.label, granularity)
  return html`<div class="share-chart">
      <div class="share-axis" aria-hidden="true">
        ${[2 * step, step, 0].map((value) => html`<span>${wholeText(value)}</span>`)}
      </div>
      <svg class="share-plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        <path class="share-grid" d="M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}" />
        ${over.length > 1 ? finishedPart(over) : NO_HTML}
        ${running === undefined ? NO_HTML : runningPart(over.at(-1), running)}
      </svg>
      <svg class="share-dates" width="100%" height="20" aria-hidden="true">
        ${labels.map(
          (at, index) =>
            html`<text
              class="${index % 2 === 0 ? 'share-date' : 'share-date only-wide'}"
              x="${points.length === 1 ? 50 : round((at / (points.length - 1)) * 100)}%"
              y="15"
              text-anchor="${anchorOf(index, labels.length)}"
            >
              ${text(at)}
            </text>`,
        )}
      </svg>
    </div>
    <p class="share-legend">
      <span class="share-key">Clicks</span>
      ${running === undefined ? NO_HTML : html`<span class="share-key running">${RUNNING[granularity]}</span>`}
    </p>
    <details class="share-table">
      <summary>Show as a table</summary>
      <div class="table-frame" tabindex="0" role="group" aria-label="Clicks over time">
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Clicks</th>
            </tr>
          </thead>
          <tbody>
            ${points.map(
              ({ clicks }, at) =>
                html`<tr>
                  <td>${text(at)}${at === runningPoint ? ', so far' : ''}</td>
                  <td>${wholeText(clicks)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`
}

type Point = { x: number; y: number }

const round = (value: number): number => Math.round(value * 100) / 100

/** The distance between two lines, of which the upper one is at or above the largest number. */
function stepFor(max: number): number {
  const half = Math.max(1, max / 2)
  const power = 10 ** Math.floor(Math.log10(half))
  return power * STEPS.find((digit) => digit * power >= half)!
}

/** As many as fit, evenly, with the first and the last. */
function labeledPoints(count: number): number[] {
  if (count <= LABELS_MAX) return Array.from({ length: count }, (_, at) => at)
  return Array.from({ length: LABELS_MAX }, (_, at) => Math.round((at * (count - 1)) / (LABELS_MAX - 1)))
}

function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  if (count === 1) return 'middle'
  return index === 0 ? 'start' : index === count - 1 ? 'end' : 'middle'
}

const lineThrough = (places: readonly Point[]): string =>
  places.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')

const finishedPart = (places: readonly Point[]): Html =>
  html`<path class="share-area" d="${lineThrough(places)}V${HEIGHT}H${places[0]!.x}Z" />
    <path class="share-line" d="${lineThrough(places)}" />`

/** The point that is not over. A line without length has round ends, which are a dot however wide the chart is. */
const runningPart = (last: Point | undefined, running: Point): Html =>
  html`${
      last === undefined
        ? NO_HTML
        : html`<path class="share-line running" d="${lineThrough([last, running])}" />`
    } <path class="share-dot" d="M${running.x} ${running.y}h0" />`
