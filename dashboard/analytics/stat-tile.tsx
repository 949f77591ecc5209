import { CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Compared } from './change.ts'
import { fullNumber, shortNumber } from '../format.ts'
import { ChangeMark } from './change-mark.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { Sparkline } from '../components/charts/sparkline.tsx'
import { Tooltip } from '../components/tooltip.tsx'
import '../components/charts/data.css'

type StatTileProps = {
  label: string
  /** Undefined while loading. */
  value: number | undefined
  compared?: (Compared & { hint: string }) | undefined
  /** No color: a higher value is neither good nor bad. */
  isNeutral?: boolean
  /** Complete intervals only: the running one would look like a drop. */
  series?: number[] | undefined
  help?: string
  /** Instead of the change. */
  note?: ReactNode
}

export function StatTile({ label, value, compared, isNeutral = false, series, help, note }: StatTileProps) {
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
          (compared && <ChangeMark compared={compared} hint={compared.hint} isNeutral={isNeutral} isLong />)}
      </span>
      {series && series.length > 1 && <Sparkline values={series} width={88} height={34} />}
    </div>
  )
}
