import { useState } from 'react'
import { ask } from '../api/api-client.ts'
import { useChange } from '../api/use-change.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { SelectField, TextArea } from '../components/fields/field.tsx'
import { ChangeForm } from '../components/fields/form.tsx'
import { errorsBelow } from '../components/states.tsx'
import { strings } from '../strings.ts'
import { missingStrings } from '../components/fields/missing-strings.ts'
import { useCan, useSignedIn } from '../use-session.ts'
import { useSettingsChange, useWorkspaceSettings } from './use-settings.ts'
import { workspaceStrings } from './workspace-strings.ts'

const { ownTraffic: texts, page } = workspaceStrings

/** Visits that do not count: of this browser, for every member, and of networks. */
export function OwnTrafficCard() {
  const canWrite = useCan('workspace:write')
  const networks = useWorkspaceSettings(canWrite).data?.uncounted_networks
  return (
    <Card title={texts.title}>
      <div className="form">
        <BrowserPart />
        {canWrite && networks !== undefined && <NetworksForm stored={networks} />}
      </div>
    </Card>
  )
}

/** Leads to a page of the domain, because a cookie can be set only there. */
function BrowserPart() {
  const { domains } = useSignedIn().user
  const [domain, setDomain] = useState(domains[0]!)
  const exclude = useChange(() => ask('POST /own-traffic/link', { input: { domain } }), {
    onSuccess: ({ data }) => location.assign(data.url),
    onError: useErrorToast(),
  })
  return (
    <div className="form">
      <p className="soft">{texts.browserText}</p>
      {domains.length > 1 && (
        <SelectField
          label={texts.domain}
          choices={domains.map((host) => ({ value: host, label: host }))}
          value={domain}
          onChoice={setDomain}
        />
      )}
      <div className="actions">
        <Button isBusy={exclude.isPending} onClick={() => exclude.mutate()}>
          {texts.exclude}
        </Button>
      </div>
    </div>
  )
}

function NetworksForm({ stored }: { stored: readonly string[] }) {
  const [text, setText] = useState(stored.join('\n'))
  const networks = text.split(/[\s,]+/).filter((network) => network !== '')
  const change = useSettingsChange(() => ({ uncounted_networks: networks }), { said: page.saved })
  return (
    <ChangeForm
      change={change}
      action={strings.actions.save}
      missing={networks.join() === stored.join() ? missingStrings.changes : undefined}
    >
      <TextArea
        label={texts.networks}
        hint={texts.networksHint}
        rows={3}
        value={text}
        errors={errorsBelow(change.error, 'uncounted_networks')?.map((sentence) => named(sentence, networks))}
        onText={setText}
      />
    </ChangeForm>
  )
}

/** Says which network is meant, not its place in the list. */
const named = (sentence: string, networks: readonly string[]): string =>
  sentence.replace(/^The uncounted_networks\.(\d+)/, (start, at) => networks[Number(at)] ?? start)
