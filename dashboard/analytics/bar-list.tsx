import { use, useState } from 'react'
import { Button } from '../components/button.tsx'
import { fullNumber, percent, shortNumber } from '../format.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { type FilterName, toggleValue } from './analytics-filters.ts'
import { ClickFilterContext } from './filter-context.ts'
import { analyticsStrings } from './analytics-strings.ts'
import '../components/charts/data.css'

export type Bar = {
  /** By which it is filtered. */
  value: string
  label: string
  /** Beside the label. */
  note?: string | undefined
  clicks: number
  percentage: number
}

const SKELETON_WIDTHS = ['90%', '64%', '48%', '30%', '18%']

type BarListProps = {
  label: string
  /** Longest first; undefined while loading. */
  bars: Bar[] | undefined
  /** What a bar filters by when it is clicked. */
  filter?: FilterName
}

export function BarList({ label, bars, filter }: BarListProps) {
  const { filters, onFilters } = use(ClickFilterContext)
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
        <li key={bar.value}>
          {filter === undefined ? (
            <BarParts bar={bar} most={most} />
          ) : (
            <button
              type="button"
              aria-pressed={filters[filter]?.includes(bar.value) ?? false}
              title={analyticsStrings.filterBy(bar.label)}
              onClick={() => onFilters(toggleValue(filters, filter, bar.value))}
            >
              <BarParts bar={bar} most={most} />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

const BarParts = ({ bar: { label, note, clicks, percentage }, most }: { bar: Bar; most: number }) => (
  <>
    <span className="bar" style={{ width: `${(clicks / most) * 100}%` }} />
    <span className="cut">
      {label} {note !== undefined && <span className="soft">{note}</span>}
    </span>
    <span className="count" title={fullNumber(clicks)}>
      {shortNumber(clicks)}
    </span>
    <span className="share">{percent(percentage)}</span>
  </>
)

/** The rest is shown on request. */
const BARS_SHOWN = 8

type BarsProps = BarListProps & { shown?: number }

export function Bars({ bars, shown = BARS_SHOWN, ...list }: BarsProps) {
  const [isLong, setLong] = useState(false)
  if (bars?.length === 0) return <p className="hint">{analyticsStrings.none}</p>
  const hasMore = bars !== undefined && bars.length > shown
  return (
    <div className="stack">
      <BarList {...list} bars={isLong ? bars : bars?.slice(0, shown)} />
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
