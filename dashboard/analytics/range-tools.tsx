import { type FormEvent, useState } from 'react'
import type { AnalyticsMeta } from '../../src/http/endpoints/browser-types.ts'
import { nowMs } from '../now.ts'
import { Button } from '../components/button.tsx'
import { Select, TextField } from '../components/fields/field.tsx'
import { Segments } from '../components/tabs.tsx'
import { analyticsStrings, rangeStrings } from './analytics-strings.ts'
import { COMPARISONS, dateOf, GRANULARITIES, PERIODS, type Range } from './range.ts'
import '../components/charts/data.css'
import type { LiveState } from './live-clicks.ts'
import { Badge, type Tone } from '../components/badge.tsx'

type RangeToolsProps = {
  range: Range
  onRange: (change: Partial<Range>) => void
  /** Undefined while loading. */
  meta: AnalyticsMeta | undefined
}

type RangeLineProps = RangeToolsProps & { live: LiveState }

/** The range of the analytics below it, and whether they follow new clicks. */
export const RangeLine = ({ live, ...range }: RangeLineProps) => (
  <div className="range-line">
    <RangeTools {...range} />
    <LiveBadge state={live} />
  </div>
)

const DATE_CHARS = 10
const CHOICES = [...PERIODS, 'own'] as const

function RangeTools({ range, onRange, meta }: RangeToolsProps) {
  const [isOwn, setOwn] = useState(range.period === 'own')
  const choose = (period: Range['period']) => {
    setOwn(period === 'own')
    if (period !== 'own') onRange({ period, from: '', to: '' })
  }
  const period = {
    label: rangeStrings.label,
    value: isOwn ? ('own' as const) : range.period,
    onChoice: choose,
  }
  return (
    <div className="stack">
      <div className="range-tools">
        <div className="is-wide">
          <Segments
            {...period}
            choices={CHOICES.map((value) => ({ value, label: rangeStrings.periods[value] }))}
          />
        </div>
        <div className="is-narrow">
          <Select
            aria-label={period.label}
            value={period.value}
            onChoice={choose}
            choices={CHOICES.map((value) => ({ value, label: rangeStrings.longPeriods[value] }))}
          />
        </div>
        <IntervalSelect range={range} onRange={onRange} meta={meta} />
        <Select
          aria-label={rangeStrings.compare}
          value={range.compare}
          onChoice={(compare) => onRange({ compare })}
          choices={COMPARISONS.map((value) => ({ value, label: rangeStrings.comparisons[value] }))}
        />
      </div>
      {isOwn && <OwnRange key={`${range.from} ${range.to}`} range={range} onRange={onRange} />}
    </div>
  )
}

/** Intervals with too many points are disabled. If the URL has one, the automatic interval is shown. */
function IntervalSelect({ range, onRange, meta }: RangeToolsProps) {
  const isPossible = (each: Range['granularity']) =>
    each === 'auto' || meta === undefined || meta.possible_granularities.includes(each)
  const automatic =
    meta === undefined ? rangeStrings.granularities.auto : rangeStrings.automatic[meta.automatic_granularity]
  return (
    <Select
      aria-label={rangeStrings.granularity}
      value={isPossible(range.granularity) ? range.granularity : 'auto'}
      onChoice={(granularity) => onRange({ granularity })}
      choices={[
        { value: 'auto' as Range['granularity'], label: automatic },
        ...GRANULARITIES.map((value) => {
          const label = rangeStrings.granularities[value]
          return isPossible(value)
            ? { value, label }
            : { value, label: rangeStrings.impossible(label), isDisabled: true }
        }),
      ]}
    />
  )
}

function OwnRange({ range, onRange }: Omit<RangeToolsProps, 'meta'>) {
  const [from, setFrom] = useState(range.from.slice(0, DATE_CHARS))
  const [to, setTo] = useState(range.to.slice(0, DATE_CHARS))
  const today = dateOf(nowMs())
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (from !== '' && to !== '') onRange({ period: 'own', from, to })
  }
  return (
    <form className="own-range" onSubmit={apply} aria-label={rangeStrings.periods.own}>
      <TextField
        label={rangeStrings.from}
        type="date"
        value={from}
        max={to || today}
        onText={setFrom}
        required
      />
      <TextField
        label={rangeStrings.to}
        type="date"
        value={to}
        min={from}
        max={today}
        onText={setTo}
        required
      />
      <Button type="submit">{rangeStrings.apply}</Button>
    </form>
  )
}

const TONES: Record<LiveState, Tone> = { connecting: 'plain', live: 'ok', reconnecting: 'warn' }

const LiveBadge = ({ state }: { state: LiveState }) => (
  <span role="status">
    <Badge tone={TONES[state]}>
      <span className={`live-dot${state === 'live' ? ' is-on' : ''}`} aria-hidden />
      {analyticsStrings.liveStates[state]}
    </Badge>
  </span>
)
