import { Pencil } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { AnalyticsMeta, ClickPoint } from '../../../src/http/endpoints/browser-types.ts'
import type { Range } from '../../analytics/range.ts'
import { calendarDay, fullNumber, timeOfDay } from '../../format.ts'
import { pointLabel } from '../../later-format.ts'
import { importedStrings } from '../../analytics/analytics-strings.ts'
import { chartStrings } from './chart-strings.ts'
import { historyStrings } from '../../links/history/history-strings.ts'
import { type Measure, MEASURES } from './measures.ts'
import { chartMarks, type Line, placedMarks } from './series-lines.ts'
import { drawSeries } from './draw-series.ts'
import './data.css'

export type SeriesChartProps = {
  points: ClickPoint[]
  /** Of each point, the clicks that other programs had counted. */
  imported?: readonly { clicks: number }[] | undefined
  measure: Measure
  /** What the points are compared with, if they are. */
  compare?: Exclude<Range['compare'], 'off'> | undefined
  /** Without it, all points count as complete. */
  meta?: Pick<AnalyticsMeta, 'granularity' | 'running_point' | 'as_of'> | undefined
  /** When the link was created, if that is within the range. */
  createdAt?: string | null | undefined
  /** When the destination of the link was changed. */
  destinationChanges?: readonly string[] | undefined
  onHistory?: (() => void) | undefined
  /** First and last point of a selection by dragging. */
  onZoom?: (from: number, to: number) => void
  onUnzoom?: () => void
}

/** An area, and a dashed line for the time before: distinguishable without color. The running interval is dotted. */
export default function SeriesChart({
  points,
  imported,
  measure,
  compare,
  meta,
  createdAt,
  onZoom,
  onUnzoom,
  ...marked
}: SeriesChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<{ index: number; left: number } | undefined>()
  const [plotted, setPlotted] = useState<{ left: number; width: number }>()
  const zoom = useRef(onZoom)
  zoom.current = onZoom
  const descriptionId = useId()
  const running = meta?.running_point ?? undefined
  useEffect(
    () =>
      drawSeries(
        frame.current!,
        { points, measure, running, imported: imported?.map(({ clicks }) => clicks) },
        { onPoint: setAt, onPlotted: setPlotted, onZoom: (from, to) => zoom.current?.(from, to) },
      ),
    [points, imported, measure, running],
  )
  const point = at && points[at.index]
  const importedAt = (index: number) => (measure === 'clicks' && imported?.[index]?.clicks) || 0
  const importedSum = points.reduce((sum, _, index) => sum + importedAt(index), 0)
  return (
    <figure onDoubleClick={onUnzoom}>
      <div className="chart-frame">
        <div className="chart" role="img" aria-labelledby={descriptionId}>
          <div ref={frame} />
          {at && point && (
            <Tip
              {...{ point, measure, compare }}
              imported={importedAt(at.index)}
              granularity={meta?.granularity}
              left={at.left}
              isRunning={at.index === running}
            />
          )}
        </div>
        {plotted && <DestinationMarks {...marked} {...plotted} points={points} />}
      </div>
      <figcaption className="chart-legend">
        <LegendItem line="over" text={chartStrings.measures[measure]} />
        {importedSum > 0 && <LegendItem line="imported" text={chartStrings.imported} />}
        {compare && points.some(({ previous }) => previous !== undefined) && (
          <LegendItem line="previous" text={chartStrings.previous[compare]} />
        )}
        {meta && running !== undefined && <LegendItem line="running" text={soFar(meta)} />}
        {createdAt && <span>{chartStrings.created(calendarDay(createdAt))}</span>}
        {onZoom && <span className="only-with-pointer">{chartStrings.zoomHint}</span>}
        <span className="only-spoken" id={descriptionId}>
          {summaryOf(points, measure, importedSum)}
        </span>
      </figcaption>
    </figure>
  )
}

type DestinationMarksProps = Pick<SeriesChartProps, 'points' | 'destinationChanges' | 'onHistory'> & {
  left: number
  width: number
}

/** Buttons over the canvas. */
function DestinationMarks({
  points,
  destinationChanges = [],
  onHistory,
  left,
  width,
}: DestinationMarksProps) {
  const marks = chartMarks(
    points.map(({ date }) => date),
    destinationChanges,
  )
  return placedMarks(marks, { points: points.length, left, width }).map((mark) => {
    const day = calendarDay(mark.lastAt)
    const label =
      mark.count === 1 ? historyStrings.mark(day) : historyStrings.marks(fullNumber(mark.count), day)
    return (
      <button
        key={mark.index}
        type="button"
        className="chart-mark"
        style={{ left: mark.left }}
        aria-label={label}
        title={label}
        onClick={onHistory}
      >
        <Pencil size={13} aria-hidden />
      </button>
    )
  })
}

function summaryOf(points: ClickPoint[], measure: Measure, imported: number): string {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined) return ''
  const total = points.reduce((sum, point) => sum + point[measure], imported)
  return chartStrings.summary(
    chartStrings.measures[measure],
    imported === 0 ? fullNumber(total) : importedStrings.ofThese(fullNumber(total), fullNumber(imported)),
    `${pointLabel(first.date)} – ${pointLabel(last.date)}`,
  )
}

function soFar({ granularity, as_of: at }: Pick<AnalyticsMeta, 'granularity' | 'as_of'>): string {
  const time = timeOfDay(at)
  const isOfDays = granularity === 'week' || granularity === 'month'
  return chartStrings.soFar[granularity](isOfDays ? `${calendarDay(at)}, ${time}` : time)
}

const LINE_STYLES = {
  over: { stroke: 'var(--data-1)', strokeWidth: 2.5 },
  imported: { stroke: 'var(--data-1)', strokeWidth: 8, strokeDasharray: '1 2.5', opacity: 0.6 },
  previous: { stroke: 'var(--ink-soft)', strokeWidth: 1.75, strokeDasharray: '5 4' },
  running: { stroke: 'var(--data-1)', strokeWidth: 2.5, strokeDasharray: '0.1 4.4', strokeLinecap: 'round' },
} as const satisfies Record<Line['kind'], object>

const LegendItem = ({ line, text }: { line: keyof typeof LINE_STYLES; text: string }) => (
  <span>
    <svg width="18" height="8" aria-hidden>
      <path d={line === 'running' ? 'M2 4H18' : 'M0 4H18'} {...LINE_STYLES[line]} />
    </svg>{' '}
    {text}
  </span>
)

const TIP_WIDTH = 190

type TipProps = Pick<SeriesChartProps, 'measure' | 'compare'> & {
  point: ClickPoint
  granularity: AnalyticsMeta['granularity'] | undefined
  left: number
  isRunning: boolean
  imported: number
}

function Tip({ point, granularity, measure, compare, left, isRunning, imported }: TipProps) {
  const labelOf = (date: string) =>
    granularity === 'week' ? chartStrings.weekOf(pointLabel(date)) : pointLabel(date)
  const label = labelOf(point.date)
  const { previous } = point
  const others = MEASURES.filter((name) => name !== measure && point[name] > 0)
  return (
    <div
      className="chart-tip"
      style={{
        width: TIP_WIDTH,
        translate: `clamp(0px, calc(${left}px - ${TIP_WIDTH / 2}px), calc(100cqw - ${TIP_WIDTH}px)) 0`,
      }}
      aria-hidden
    >
      <strong>{isRunning ? chartStrings.soFarMark(label) : label}</strong>
      <dl>
        <TipRow name={chartStrings.measures[measure]} count={point[measure] + imported} />
        {imported > 0 && <TipRow name={chartStrings.ofThese} count={imported} />}
        {previous && compare && <TipRow name={labelOf(previous.date)} count={previous[measure]} />}
        {others.map((name) => (
          <TipRow key={name} name={chartStrings.measures[name]} count={point[name]} />
        ))}
      </dl>
    </div>
  )
}

const TipRow = ({ name, count }: { name: string; count: number }) => (
  <>
    <dt>{name}</dt>
    <dd>{fullNumber(count)}</dd>
  </>
)
