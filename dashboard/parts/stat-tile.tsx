import { CircleHelp, TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { fullNumber, percentChange, shortNumber } from '../format.ts'
import { laterWords } from '../later-words.ts'
import { Skeleton } from './skeleton.tsx'
import { Sparkline } from './sparkline.tsx'
import { Tooltip } from './tooltip.tsx'

type StatTileProps = {
  label: string
  /** Undefined while it is loading. */
  value: number | undefined
  /** The same figure of the period before. */
  before?: number | undefined
  /** More of it is neither good nor bad. */
  isNeutral?: boolean
  series?: number[] | undefined
  help?: string
  /** In place of the change. */
  note?: ReactNode
}

export function StatTile({ label, value, before, isNeutral = false, series, help, note }: StatTileProps) {
  return (
    <div className="card tile" role="group" aria-label={label}>
      <span className="tile-label">
        {label}
        {help && (
          <Tooltip text={help}>
            <button type="button" className="info-mark" aria-label={`${label}: ${help}`}>
              <CircleHelp size={14} aria-hidden />
            </button>
          </Tooltip>
        )}
      </span>
      <span className="tile-figure" title={value === undefined ? undefined : fullNumber(value)}>
        {value === undefined ? <Skeleton width={88} height={28} /> : shortNumber(value)}
      </span>
      <span className="tile-change">
        {note ??
          (value !== undefined && before !== undefined && before > 0 ? (
            <Change ratio={value / before - 1} isNeutral={isNeutral} />
          ) : null)}
      </span>
      {series && series.length > 1 && <Sparkline values={series} width={88} height={34} />}
    </div>
  )
}

function Change({ ratio, isNeutral }: { ratio: number; isNeutral: boolean }) {
  const isUp = ratio >= 0
  const Icon = isUp ? TrendingUp : TrendingDown
  const text = percentChange(ratio)
  return (
    <Tooltip text={laterWords.link.change(text)}>
      <span
        className={isNeutral ? undefined : isUp ? 'is-up' : 'is-down'}
        style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}
      >
        <Icon size={14} aria-hidden />
        {text}
      </span>
    </Tooltip>
  )
}
