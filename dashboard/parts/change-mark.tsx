import { TrendingDown, TrendingUp } from 'lucide-react'
import { changeOf, type Compared } from '../analytics/change.ts'
import { fullNumber, shortNumber } from '../format.ts'
import { laterWords } from '../later-words.ts'
import { Tooltip } from './tooltip.tsx'

type ChangeMarkProps = {
  compared: Compared
  /** What is compared, in a sentence. */
  hint: string
  /** More of it is neither good nor bad. */
  isNeutral?: boolean
  /** With the figure of the time before. */
  isLong?: boolean
}

/** How a figure compares with the time before. */
export function ChangeMark({ compared, hint, isNeutral = false, isLong = false }: ChangeMarkProps) {
  const change = changeOf(compared)
  if (change.kind === 'new') {
    const isYoung = compared.before === null
    return (
      <Tooltip text={isYoung ? laterWords.change.newHint : laterWords.change.noneBefore}>
        <span className="change">{laterWords.change.new}</span>
      </Tooltip>
    )
  }
  if (change.kind === 'none') {
    return (
      <Tooltip text={hint}>
        <span className="change">{laterWords.change.none}</span>
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
        {isLong && <span title={fullNumber(before)}>{laterWords.change.from(shortNumber(before))}</span>}
      </span>
    </Tooltip>
  )
}
