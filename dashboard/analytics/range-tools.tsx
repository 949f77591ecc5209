import { type FormEvent, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Select, TextField } from '../parts/field.tsx'
import { Segments } from '../parts/tabs.tsx'
import { laterWords } from '../later-words.ts'
import { GRANULARITIES, PERIODS, type Range } from './range.ts'

type RangeToolsProps = { range: Range; onRange: (change: Partial<Range>) => void }

const DATE_CHARS = 10

export function RangeTools({ range, onRange }: RangeToolsProps) {
  const [isOwn, setOwn] = useState(range.period === 'own')
  const choose = (period: Range['period']) => {
    setOwn(period === 'own')
    if (period !== 'own') onRange({ period, from: '', to: '' })
  }
  return (
    <div className="stack">
      <div className="range-tools">
        <Segments
          label={laterWords.range.label}
          value={isOwn ? 'own' : range.period}
          onChoice={choose}
          choices={[...PERIODS, 'own' as const].map((value) => ({
            value,
            label: laterWords.range.periods[value],
          }))}
        />
        <Select
          aria-label={laterWords.range.granularity}
          value={range.granularity}
          onChoice={(granularity: Range['granularity']) => onRange({ granularity })}
          choices={(['auto', ...GRANULARITIES] as const).map((value) => ({
            value,
            label: laterWords.range.granularities[value],
          }))}
        />
      </div>
      {isOwn && <OwnRange key={`${range.from} ${range.to}`} range={range} onRange={onRange} />}
    </div>
  )
}

function OwnRange({ range, onRange }: RangeToolsProps) {
  const [from, setFrom] = useState(range.from.slice(0, DATE_CHARS))
  const [to, setTo] = useState(range.to.slice(0, DATE_CHARS))
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (from !== '' && to !== '') onRange({ period: 'own', from, to })
  }
  return (
    <form className="own-range" onSubmit={apply} aria-label={laterWords.range.periods.own}>
      <TextField label={laterWords.range.from} type="date" value={from} max={to} onText={setFrom} required />
      <TextField label={laterWords.range.to} type="date" value={to} min={from} onText={setTo} required />
      <Button type="submit">{laterWords.range.apply}</Button>
    </form>
  )
}
