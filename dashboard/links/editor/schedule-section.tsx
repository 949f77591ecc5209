import { CalendarClock } from 'lucide-react'
import { dayAndTime, fullNumber } from '../../format.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { TimeField } from '../../components/time-field.tsx'
import { nowMs } from '../../now.ts'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import type { LinkForm } from './link-form.ts'
import type { LinkFields } from './use-link-form.ts'

const { schedule } = lazyStrings.editor
const NAMES = ['starts_at', 'expires_at', 'max_clicks', 'fallback_url'] as const

export function ScheduleSection({ fields }: { fields: LinkFields }) {
  const { form, before, set, errorsFor } = fields
  const isOver =
    form.expires_at !== '' && form.expires_at !== before.expires_at && Date.parse(form.expires_at) <= nowMs()
  return (
    <Section
      icon={CalendarClock}
      title={schedule.name}
      summary={summaryOf(form)}
      isSet={NAMES.some((name) => form[name])}
      hasErrors={NAMES.some(errorsFor)}
    >
      <div className="field-pair">
        <TimeField
          label={schedule.starts}
          names={schedule.startsNames}
          none={schedule.startNow}
          value={form.starts_at}
          onTime={(time) => set({ starts_at: time })}
          errors={errorsFor('starts_at')}
        />
        <TimeField
          label={schedule.ends}
          names={schedule.endsNames}
          none={schedule.never}
          value={form.expires_at}
          onTime={(time) => set({ expires_at: time })}
          hint={isOver ? schedule.atOnce : undefined}
          errors={errorsFor('expires_at')}
        />
      </div>
      <p className="hint">{schedule.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
      <div className="field-pair">
        <TextField
          label={schedule.limit}
          hint={schedule.limitHint}
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          value={form.max_clicks}
          onText={(text) => set({ max_clicks: text })}
          errors={errorsFor('max_clicks')}
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

function Fallback({ fields: { form, set, errorsFor } }: { fields: LinkFields }) {
  if (form.fallback_url === null) return null
  return (
    <TextField
      label={schedule.fallback}
      type="url"
      inputMode="url"
      autoComplete="off"
      value={form.fallback_url}
      onText={(text) => set({ fallback_url: text })}
      errors={errorsFor('fallback_url')}
    />
  )
}

function summaryOf({ starts_at: starts, expires_at: ends, max_clicks: clicks }: LinkForm): string {
  const parts = [
    starts !== '' && schedule.startsAt(dayAndTime(starts)),
    ends !== '' && schedule.endsAt(dayAndTime(ends)),
    clicks !== '' && schedule.clicks(/^\d+$/.test(clicks) ? fullNumber(Number(clicks)) : clicks),
  ].filter((part) => part !== false)
  return parts.length === 0 ? schedule.always : parts.join(' · ')
}
