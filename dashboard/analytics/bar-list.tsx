import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { fullNumber, percent, shortNumber } from '../format.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { analyticsStrings } from './analytics-strings.ts'
import '../components/charts/data.css'

export type Bar = { label: string; clicks: number; percentage: number }

const SKELETON_WIDTHS = ['90%', '64%', '48%', '30%', '18%']

/** Longest bar first. `bars` is undefined while loading. */
export function BarList({ label, bars }: { label: string; bars: Bar[] | undefined }) {
  if (bars === undefined) {
    return (
      <ul className="bars" aria-busy aria-label={label}>
        {SKELETON_WIDTHS.map((width) => (
          <li key={width}>
            <Skeleton width={width} height={18} />
          </li>
        ))}
      </ul>
    )
  }
  const most = Math.max(1, ...bars.map(({ clicks }) => clicks))
  return (
    <ul className="bars" aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.label}>
          <span className="bar" style={{ width: `${(bar.clicks / most) * 100}%` }} />
          <span className="cut" title={bar.label}>
            {bar.label}
          </span>
          <span className="count" title={fullNumber(bar.clicks)}>
            {shortNumber(bar.clicks)}
          </span>
          <span className="share">{percent(bar.percentage)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The rest is shown on request. */
const BARS_SHOWN = 8

type BarsProps = { label: string; bars: Bar[] | undefined; shown?: number }

export function Bars({ label, bars, shown = BARS_SHOWN }: BarsProps) {
  const [isLong, setLong] = useState(false)
  if (bars?.length === 0) return <p className="hint">{analyticsStrings.none}</p>
  const hasMore = bars !== undefined && bars.length > shown
  return (
    <div className="stack">
      <BarList label={label} bars={isLong ? bars : bars?.slice(0, shown)} />
      {hasMore && (
        <div>
          <Button variant="quiet" size="small" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
            {isLong ? analyticsStrings.showFewer : analyticsStrings.showAll(fullNumber(bars.length))}
          </Button>
        </div>
      )}
    </div>
  )
}
