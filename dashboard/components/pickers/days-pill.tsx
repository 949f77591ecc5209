import { useState } from 'react'
import { shortDate } from '../../format.ts'
import { listStrings as texts } from '../../links/list/list-strings.ts'
import { TextField } from '../fields/field.tsx'
import { FilterPill } from './filter-pill.tsx'
import { Floating } from './picker.tsx'

/** Days, as `2026-11-20`; '': any. */
type Days = { from: string; to: string }

type DaysPillProps = Days & { label: string; onChange: (days: Partial<Days>) => void }

/** A filter by a first and a last day. */
export function DaysPill({ label, from, to, onChange }: DaysPillProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <FilterPill label={label} value={daysText({ from, to })} onClear={() => onChange({ from: '', to: '' })}>
      {(trigger) => (
        <Floating label={label} trigger={trigger} isOpen={isOpen} onOpen={setOpen}>
          <div className="filter-days">
            <TextField
              label={texts.from}
              type="date"
              value={from}
              max={to || undefined}
              onText={(day) => onChange({ from: day })}
            />
            <TextField
              label={texts.to}
              type="date"
              value={to}
              min={from || undefined}
              onText={(day) => onChange({ to: day })}
            />
          </div>
        </Floating>
      )}
    </FilterPill>
  )
}

/** "from Nov 20"; undefined for any day. */
export function daysText({ from, to }: Days): string | undefined {
  if (from === '' && to === '') return undefined
  // At noon, which is the same day in every time zone of the browser.
  const day = (date: string) => shortDate(`${date}T12:00`)
  if (to === '') return texts.fromDay(day(from))
  return from === '' ? texts.toDay(day(to)) : texts.days(day(from), day(to))
}
