import { TimeField } from '../../../components/fields/time-field.tsx'
import { ruleStrings } from './rule-strings.ts'
import { isoTime, localTime, useScheduleZone } from '../zone-times.ts'
import type { Conditions } from './rule-form.ts'

const { dates: texts } = ruleStrings

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
        label={texts.from}
        names={texts.fromNames}
        none={texts.none}
        value={localTime(between.from ?? null, zone)}
        onTime={(local) => change('from', local)}
      />
      <TimeField
        label={texts.to}
        names={texts.toNames}
        none={texts.none}
        value={localTime(between.to ?? null, zone)}
        onTime={(local) => change('to', local)}
      />
      <p className="hint">{hint}</p>
    </>
  )
}
