import { useEffect, useId, useRef, useState } from 'react'
import type { ClickPoint } from '../../src/http/dashboard-api/dashboard-types.ts'
import { fullNumber, pointLabel } from '../format.ts'
import { words } from '../words.ts'
import { drawSeries } from './draw-series.ts'

type SeriesChartProps = {
  points: ClickPoint[]
  /** The first and the last point of what was dragged over. */
  onZoom?: (from: number, to: number) => void
  onUnzoom?: () => void
}

/** Clicks as an area, visitors as a dashed line: told apart without colour. The table beside it has every figure. */
export default function SeriesChart({ points, onZoom, onUnzoom }: SeriesChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<{ index: number; left: number } | undefined>()
  const zoom = useRef(onZoom)
  zoom.current = onZoom
  const descriptionId = useId()
  useEffect(
    () =>
      drawSeries(frame.current!, points, {
        onPoint: setAt,
        onZoom: (from, to) => zoom.current?.(from, to),
      }),
    [points],
  )
  const total = points.reduce((sum, { clicks }) => sum + clicks, 0)
  const point = at && points[at.index]
  return (
    <figure onDoubleClick={onUnzoom}>
      <div className="chart" role="img" aria-labelledby={descriptionId}>
        <div ref={frame} />
        {at && point && <Tip point={point} left={at.left} />}
      </div>
      <figcaption className="chart-legend">
        <span>
          <LegendLine className="is-clicks" /> {words.chart.clicks}
        </span>
        <span>
          <LegendLine className="is-visitors" /> {words.chart.visitors}
        </span>
        {onZoom && <span className="only-with-pointer">{words.chart.zoomHint}</span>}
        <span className="only-spoken" id={descriptionId}>
          {points.length > 0 &&
            words.chart.summary(
              fullNumber(total),
              pointLabel(points[0]!.date),
              pointLabel(points.at(-1)!.date),
            )}
        </span>
      </figcaption>
    </figure>
  )
}

const LegendLine = ({ className }: { className: string }) => (
  <svg width="18" height="8" aria-hidden>
    {className === 'is-clicks' ? (
      <path d="M0 4H18" stroke="var(--data-1)" strokeWidth="2.5" />
    ) : (
      <path d="M0 4H18" stroke="var(--data-2)" strokeWidth="2" strokeDasharray="4 3" />
    )}
  </svg>
)

const TIP_WIDTH = 150

function Tip({ point, left }: { point: ClickPoint; left: number }) {
  return (
    <div
      className="chart-tip"
      style={{ translate: `max(0px, calc(${left}px - ${TIP_WIDTH / 2}px)) 0` }}
      aria-hidden
    >
      <strong>{pointLabel(point.date)}</strong>
      <dl>
        <dt>{words.chart.clicks}</dt>
        <dd>{fullNumber(point.clicks)}</dd>
        <dt>{words.chart.visitors}</dt>
        <dd>{fullNumber(point.unique_visitors)}</dd>
        {point.bots > 0 && (
          <>
            <dt>{words.chart.bots}</dt>
            <dd>{fullNumber(point.bots)}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
