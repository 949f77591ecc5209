import { TrendingDown, TrendingUp } from 'lucide-react'
import { changeOf, type Compared } from './change.ts'
import { fullNumber, shortNumber } from '../format.ts'
import { changeStrings } from './analytics-strings.ts'
import { Tooltip } from '../components/tooltip.tsx'
import '../components/charts/data.css'

type ChangeMarkProps = {
  compared: Compared
  /** A sentence that says what is compared. */
  hint: string
  /** No color: a higher value is neither good nor bad. */
  isNeutral?: boolean
  /** Includes the previous value. */
  isLong?: boolean
}

export function ChangeMark({ compared, hint, isNeutral = false, isLong = false }: ChangeMarkProps) {
  const change = changeOf(compared)
  if (change.kind === 'new') {
    const isYoung = compared.before === null
    return (
      <Tooltip text={isYoung ? changeStrings.newHint : changeStrings.noneBefore}>
        <span className="change">{changeStrings.new}</span>
      </Tooltip>
    )
  }
  if (change.kind === 'none') {
    return (
      <Tooltip text={hint}>
        <span className="change">{changeStrings.none}</span>
      </Tooltip>
    )
  }
  const Icon = change.kind === 'up' ? TrendingUp : TrendingDown
  const before = compared.before ?? 0
  return (
    <Tooltip text={hint}>
      <span className="change">
        <span className={isNeutral ? undefined : `is-${change.kind}`}>
          {isLong && <Icon size={14} aria-hidden />}
          {change.text}
        </span>
        {isLong && <span title={fullNumber(before)}>{changeStrings.from(shortNumber(before))}</span>}
      </span>
    </Tooltip>
  )
}
