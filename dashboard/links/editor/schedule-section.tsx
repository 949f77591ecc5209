import { CalendarClock } from 'lucide-react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber } from '../../format.ts'
import { SelectField, TextField } from '../../components/fields/field.tsx'
import { Section } from './section.tsx'
import { TimeField } from '../../components/fields/time-field.tsx'
import { nowMs } from '../../now.ts'
import { editorStrings } from './editor-strings.ts'
import { AddedScheme } from '../added-scheme.tsx'
import { endErrors, isoTime, localTime, timeIn, useScheduleZone } from './zone-times.ts'
import type { LinkForm } from './link-form.ts'
import type { LinkFields } from './use-link-form.ts'

const { schedule } = editorStrings
const NAMES = ['starts_at', 'expires_at', 'max_clicks', 'fallback_url'] as const

type ScheduleSectionProps = {
  fields: LinkFields
  /** Undefined for a new link. */
  link: OwnLink | undefined
  /** It is what the editor was opened for. */
  isFirst: boolean
  onOpen: () => void
}

export function ScheduleSection({ fields, link, isFirst, onOpen }: ScheduleSectionProps) {
  const { form, before, set, errorsFor } = fields
  const { zone, hint } = useScheduleZone()
  const isOver =
    form.expires_at !== '' && form.expires_at !== before.expires_at && Date.parse(form.expires_at) <= nowMs()
  return (
    <Section
      icon={CalendarClock}
      title={schedule.name}
      summary={summaryOf(form, zone)}
      isSet={NAMES.some((name) => form[name])}
      hasErrors={NAMES.some(errorsFor)}
      isFirst={isFirst}
      onOpen={onOpen}
    >
      <div className="field-pair">
        <TimeField
          label={schedule.starts}
          names={schedule.startsNames}
          none={schedule.startNow}
          value={localTime(form.starts_at, zone)}
          onTime={(time) => set({ starts_at: isoTime(time, zone) ?? '' })}
          errors={errorsFor('starts_at')}
        />
        <TimeField
          label={schedule.ends}
          names={schedule.endsNames}
          none={schedule.never}
          value={localTime(form.expires_at, zone)}
          onTime={(time) => set({ expires_at: isoTime(time, zone) ?? '' })}
          hint={isOver ? schedule.atOnce : undefined}
          errors={endErrors(errorsFor('expires_at'), form, zone)}
        />
      </div>
      <p className="hint">{hint}</p>
      <div className="field-pair">
        <TextField
          label={schedule.limit}
          hint={schedule.limitHint}
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          {...fields.text('max_clicks')}
          suffix={
            link &&
            link.max_clicks !== null && <span className="hint">{schedule.used(fullNumber(link.opened))}</span>
          }
        />
        <Otherwise fields={fields} />
      </div>
      <Fallback fields={fields} />
    </Section>
  )
}

const Otherwise = ({ fields: { form, before, set } }: { fields: LinkFields }) => (
  <SelectField
    label={schedule.otherwise}
    value={form.fallback_url === null ? 'notice' : 'fallback'}
    onChoice={(choice) => set({ fallback_url: choice === 'notice' ? null : (before.fallback_url ?? '') })}
    choices={[
      { value: 'notice', label: schedule.notice },
      { value: 'fallback', label: schedule.redirect },
    ]}
  />
)

function Fallback({ fields: { form, text } }: { fields: LinkFields }) {
  if (form.fallback_url === null) return null
  return (
    <div className="field">
      <TextField
        label={schedule.fallback}
        type="url"
        inputMode="url"
        autoComplete="off"
        {...text('fallback_url')}
      />
      <AddedScheme text={form.fallback_url} />
    </div>
  )
}

function summaryOf(
  { starts_at: starts, expires_at: ends, max_clicks: clicks }: LinkForm,
  zone: string,
): string {
  const parts = [
    starts !== '' && schedule.startsAt(timeIn(starts, zone)),
    ends !== '' && schedule.endsAt(timeIn(ends, zone)),
    clicks !== '' && schedule.clicks(/^\d+$/.test(clicks) ? fullNumber(Number(clicks)) : clicks),
  ].filter((part) => part !== false)
  return parts.length === 0 ? schedule.always : parts.join(' · ')
}
