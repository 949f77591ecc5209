import { Combobox } from '../../../components/pickers/combobox.tsx'
import { TextField } from '../../../components/fields/field.tsx'
import { TIME_ZONES, TimeField } from '../../../components/fields/time-field.tsx'
import { ruleStrings } from './rule-strings.ts'
import { dayName, WEEKDAYS } from './chip-text.ts'
import type { Conditions } from './rule-form.ts'
import { isoTime, localTime, useScheduleZone } from '../zone-times.ts'

const { hours: texts } = ruleStrings
const MIDNIGHT = '00:00'
const END_OF_DAY = '24:00'

type Hours = NonNullable<Conditions['hours']>
type HoursValuesProps = { hours: Hours; onHours: (hours: Hours) => void }

export function HoursValues({ hours, onHours }: HoursValuesProps) {
  const { days = WEEKDAYS, from, to, timezone } = hours
  const toggle = (day: (typeof WEEKDAYS)[number]) =>
    onHours({
      ...hours,
      days: WEEKDAYS.filter((each) => days.includes(each) !== (each === day)),
    })
  return (
    <>
      <div className="field" role="group" aria-label={texts.days}>
        <span className="label-line">{texts.days}</span>
        <span className="days">
          {WEEKDAYS.map((day) => (
            <button
              key={day}
              type="button"
              className="day"
              aria-pressed={days.includes(day)}
              onClick={() => toggle(day)}
            >
              {dayName(day)}
            </button>
          ))}
        </span>
      </div>
      <div className="hours-times">
        <TextField
          label={texts.from}
          type="time"
          value={from === END_OF_DAY ? MIDNIGHT : from}
          onText={(time) => onHours({ ...hours, from: time })}
        />
        <TextField
          label={texts.to}
          type="time"
          // The browser's field has no 24:00.
          value={to === END_OF_DAY ? MIDNIGHT : to}
          onText={(time) => onHours({ ...hours, to: time === MIDNIGHT ? END_OF_DAY : time })}
        />
      </div>
      {to < from && <p className="hint">{texts.overnight}</p>}
      <Combobox
        label={texts.zone}
        options={TIME_ZONES}
        none={texts.noZone}
        value={timezone}
        allowsOwn={false}
        onValue={(zone) => onHours({ ...hours, timezone: zone })}
      />
    </>
  )
}

const { dates: dateTexts } = ruleStrings

type Between = NonNullable<Conditions['between']>
type DatesValuesProps = { between: Between; onBetween: (between: Between) => void }

/** The end that is not touched stays exactly as it was sent. */
export function DatesValues({ between, onBetween }: DatesValuesProps) {
  const { zone, hint } = useScheduleZone()
  const change = (end: 'from' | 'to', local: string) => {
    const { [end]: _, ...other } = between
    const iso = isoTime(local, zone)
    onBetween(iso === null ? other : { ...other, [end]: iso })
  }
  return (
    <>
      <TimeField
        label={dateTexts.from}
        names={dateTexts.fromNames}
        none={dateTexts.none}
        value={localTime(between.from ?? null, zone)}
        onTime={(local) => change('from', local)}
      />
      <TimeField
        label={dateTexts.to}
        names={dateTexts.toNames}
        none={dateTexts.none}
        value={localTime(between.to ?? null, zone)}
        onTime={(local) => change('to', local)}
      />
      <p className="hint">{hint}</p>
    </>
  )
}
