import { TrendingDown, TrendingUp } from 'lucide-react'
import { fullNumber, percentChange, shortNumber } from '../format.ts'
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

/** `before`: null if the link did not exist for the whole previous period. */
export type Compared = { now: number; before: number | null }
type Change = { kind: 'new' } | { kind: 'none' } | { kind: 'up' | 'down'; text: string }

/** Smaller changes are noise. */
const RATIO_MIN = 0.01

/** No percentage if there were no clicks before, or the link did not exist. */
export function changeOf({ now, before }: Compared): Change {
  if (before === null || (before === 0 && now > 0)) return { kind: 'new' }
  const ratio = before === 0 ? 0 : now / before - 1
  if (Math.abs(ratio) < RATIO_MIN) return { kind: 'none' }
  return { kind: ratio > 0 ? 'up' : 'down', text: percentChange(ratio) }
}
