import { ask } from '../api/api-client.ts'
import { useChange } from '../api/use-change.ts'
import { useData } from '../api/use-data.ts'
import { Card } from '../components/card.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { SelectField } from '../components/fields/field.tsx'
import { TIME_ZONES } from '../components/fields/time-field.tsx'
import { Combobox } from '../components/pickers/combobox.tsx'
import { FailedCard, hasFailed } from '../components/states.tsx'
import { shortDate } from '../format.ts'
import { useSignedIn } from '../use-session.ts'
import { workspaceStrings } from './workspace-strings.ts'

const { report: texts, page } = workspaceStrings

type Frequency = keyof typeof texts.frequencies
const CHOICES = (Object.keys(texts.frequencies) as Frequency[]).map((value) => ({
  value,
  label: texts.frequencies[value],
}))

/** Every member chooses for themselves. */
export function EmailReportCard() {
  return useSignedIn().instance.sends_mail ? (
    <ChosenReportCard />
  ) : (
    <Card title={texts.title}>
      <p className="soft">{texts.noMail}</p>
    </Card>
  )
}

function ChosenReportCard() {
  const report = useData('GET /email-report')
  const { mutate: choose } = useChange(
    (input: { frequency: Frequency; timezone: string }) => ask('PUT /email-report', { input }),
    { said: texts.saved, rereads: [['email-report']], onError: useErrorToast() },
  )
  if (hasFailed(report)) return <FailedCard what={texts.title} query={report} />
  if (report.data === undefined) return null
  const { frequency, next_at: nextAt } = report.data
  const timezone = report.data.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Card title={texts.title}>
      <div className="form">
        <p className="soft">{texts.text}</p>
        <SelectField
          label={texts.frequency}
          hint={nextAt === null ? undefined : texts.next(shortDate(nextAt))}
          choices={CHOICES}
          value={frequency}
          onChoice={(chosen) => choose({ frequency: chosen, timezone })}
        />
        {frequency !== 'off' && (
          <Combobox
            label={texts.timezone}
            hint={texts.timezoneHint}
            options={TIME_ZONES}
            none={page.timezoneNone}
            value={timezone}
            allowsOwn={false}
            onValue={(zone) => choose({ frequency, timezone: zone })}
          />
        )}
      </div>
    </Card>
  )
}
