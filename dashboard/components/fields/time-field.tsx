import { useId, useRef } from 'react'
import { describedBy, FieldNotes } from './field.tsx'
import { TextButton } from '../button.tsx'

/** What a time becomes when only a day was chosen. */
const MORNING = '09:00'

type TimeFieldProps = {
  label: string
  names: { date: string; time: string }
  /** `2026-12-01T09:00` in the browser's time zone; empty: none. */
  value: string
  onTime: (value: string) => void
  /** Clears it. */
  none: string
  hint?: string | undefined
  errors?: string[] | undefined
}

/** The browser's own date and time inputs. */
export function TimeField({ label, names, value, onTime, none, hint, errors }: TimeFieldProps) {
  const id = useId()
  const dateInput = useRef<HTMLInputElement>(null)
  const [date = '', time = ''] = value.split('T')
  const described = describedBy(id, { hint, errors })
  const clear = () => {
    onTime('')
    // The button goes, and would take the focus with it.
    dateInput.current?.focus()
  }
  return (
    <div className="field" role="group" aria-labelledby={`${id}-label`}>
      <span className="label-line">
        <span id={`${id}-label`}>{label}</span>
        {value !== '' && <TextButton onClick={clear}>{none}</TextButton>}
      </span>
      <span className="time-inputs">
        <input
          {...described}
          className="input"
          ref={dateInput}
          type="date"
          max="2254-12-31"
          aria-label={names.date}
          value={date}
          onChange={({ target }) => onTime(target.value === '' ? '' : `${target.value}T${time || MORNING}`)}
        />
        <input
          {...described}
          className="input"
          type="time"
          aria-label={names.time}
          disabled={date === ''}
          value={time}
          onChange={({ target }) => onTime(`${date}T${target.value || MORNING}`)}
        />
      </span>
      <FieldNotes id={id} hint={hint} errors={errors} />
    </div>
  )
}

/** The IANA time zones that the browser knows, for a list to choose from. */
export const TIME_ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].map((zone) => ({
  value: zone,
  label: zone.replaceAll('_', ' '),
}))
