import { type FormEvent, useState } from 'react'
import type { FiguresMeta } from '../../src/http/dashboard-api/dashboard-types.ts'
import { nowMs } from '../now.ts'
import { Button } from '../parts/button.tsx'
import { Select, TextField } from '../parts/field.tsx'
import { Segments } from '../parts/tabs.tsx'
import { laterWords } from '../later-words.ts'
import { dateOf, GRANULARITIES, PERIODS, type Range } from './range.ts'

type RangeToolsProps = {
  range: Range
  onRange: (change: Partial<Range>) => void
  /** What the server says of the range; undefined while it is loading. */
  meta: FiguresMeta | undefined
}

const DATE_CHARS = 10
const CHOICES = [...PERIODS, 'own'] as const
const { range: texts } = laterWords

export function RangeTools({ range, onRange, meta }: RangeToolsProps) {
  const [isOwn, setOwn] = useState(range.period === 'own')
  const choose = (period: Range['period']) => {
    setOwn(period === 'own')
    if (period !== 'own') onRange({ period, from: '', to: '' })
  }
  const period = { label: texts.label, value: isOwn ? ('own' as const) : range.period, onChoice: choose }
  return (
    <div className="stack">
      <div className="range-tools">
        <div className="is-wide">
          <Segments {...period} choices={CHOICES.map((value) => ({ value, label: texts.periods[value] }))} />
        </div>
        <div className="is-narrow">
          <Select
            aria-label={period.label}
            value={period.value}
            onChoice={choose}
            choices={CHOICES.map((value) => ({ value, label: texts.longPeriods[value] }))}
          />
        </div>
        <IntervalSelect range={range} onRange={onRange} meta={meta} />
      </div>
      {isOwn && <OwnRange key={`${range.from} ${range.to}`} range={range} onRange={onRange} />}
    </div>
  )
}

/** What would be too many points is not to be had; where it is in the address, the automatic one is shown. */
function IntervalSelect({ range, onRange, meta }: RangeToolsProps) {
  const isPossible = (each: Range['granularity']) =>
    each === 'auto' || meta === undefined || meta.possible_granularities.includes(each)
  const automatic =
    meta === undefined ? texts.granularities.auto : texts.automatic[meta.automatic_granularity]
  return (
    <Select
      aria-label={texts.granularity}
      value={isPossible(range.granularity) ? range.granularity : 'auto'}
      onChoice={(granularity) => onRange({ granularity })}
      choices={[
        { value: 'auto' as Range['granularity'], label: automatic },
        ...GRANULARITIES.map((value) => {
          const label = texts.granularities[value]
          return isPossible(value)
            ? { value, label }
            : { value, label: texts.impossible(label), isDisabled: true }
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
    <form className="own-range" onSubmit={apply} aria-label={texts.periods.own}>
      <TextField label={texts.from} type="date" value={from} max={to || today} onText={setFrom} required />
      <TextField label={texts.to} type="date" value={to} min={from} max={today} onText={setTo} required />
      <Button type="submit">{texts.apply}</Button>
    </form>
  )
}
