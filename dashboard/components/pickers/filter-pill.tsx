import { Plus, X } from 'lucide-react'
import { type MouseEvent, type ReactElement, type ReactNode, useState } from 'react'
import { listStrings as texts } from '../../links/list/list-strings.ts'
import './filters.css'
import { shortDate } from '../../format.ts'
import { TextField } from '../fields/field.tsx'
import { Floating } from './picker.tsx'

type FilterPillProps = {
  label: string
  /** What is set: "Winter 2026". Undefined: nothing. */
  value: string | undefined
  onClear: () => void
  /** What opens from the button. */
  children: (trigger: ReactElement) => ReactNode
}

/** A filter: dashed while it is empty, and with a button that removes it when it is set. */
export function FilterPill({ label, value, onClear, children }: FilterPillProps) {
  const clear = ({ currentTarget }: MouseEvent) => {
    // This button goes, and would take the focus with it.
    currentTarget.parentElement!.querySelector<HTMLElement>('.pill-open')!.focus()
    onClear()
  }
  return (
    <span className={`pill${value === undefined ? '' : ' is-set'}`}>
      {children(
        <button type="button" className="pill-open">
          {value === undefined && <Plus size={14} aria-hidden />}
          <span className="cut">
            {label}
            {value !== undefined && (
              <>
                : <b>{value}</b>
              </>
            )}
          </span>
        </button>,
      )}
      {value !== undefined && (
        <button
          type="button"
          className="pill-clear"
          aria-label={texts.remove(label)}
          title={texts.remove(label)}
          onClick={clear}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </span>
  )
}

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
