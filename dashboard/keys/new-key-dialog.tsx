import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../api-client.ts'
import { fullNumber } from '../format.ts'
import { CodeBlock } from '../components/copy.tsx'
import { FieldError, TextField } from '../components/field.tsx'
import { FormDialog } from '../components/form.tsx'
import { SecretDialog } from '../components/secret-dialog.tsx'
import { errorsOf } from '../components/states.tsx'
import { SwitchRow } from '../components/switch.tsx'
import { useSignedIn } from '../use-session.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { curlCommand } from './curl-command.ts'

type MadeKey = { text: string; scopes: ReadonlySet<string> }

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [made, setMade] = useState<MadeKey>()
  // Many users try the key while it is shown, and its usage then changes.
  const close = () => {
    for (const name of ['keys', 'usage']) void client.invalidateQueries({ queryKey: [name] })
    onClose()
  }
  return made ? <KeyOnce made={made} onClose={close} /> : <KeyForm onMade={setMade} onClose={onClose} />
}

function KeyForm({ onMade, onClose }: { onMade: (made: MadeKey) => void; onClose: () => void }) {
  const { requests_per_hour: allowed } = useSignedIn().user
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(Object.keys(lazyStrings.keys.scope)))
  const [limit, setLimit] = useState('')
  const creation = useMutation({
    mutationFn: () => {
      const rateLimit = limit === '' ? null : Number(limit)
      return ask('POST /keys', { input: { name: name.trim(), scopes: [...scopes], rate_limit: rateLimit } })
    },
    onSuccess: ({ data }) => onMade({ text: data.key, scopes }),
  })
  const scopeErrors = errorsOf(creation.error, 'scopes')
  return (
    <FormDialog
      title={lazyStrings.keys.new}
      action={lazyStrings.keys.create}
      error={creation.error}
      isBusy={creation.isPending}
      isDisabled={scopes.size === 0}
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <TextField
        label={lazyStrings.keys.name}
        hint={lazyStrings.keys.nameHint}
        autoComplete="off"
        value={name}
        onText={setName}
        errors={errorsOf(creation.error, 'name')}
        autoFocus
      />
      <ScopeSwitches scopes={scopes} onScopes={setScopes} />
      {scopeErrors && <FieldError text={scopeErrors.join(' ')} />}
      <TextField
        label={lazyStrings.keys.limit}
        hint={
          allowed === null ? lazyStrings.keys.limitHintNone : lazyStrings.keys.limitHint(fullNumber(allowed))
        }
        type="number"
        inputMode="numeric"
        min={1}
        placeholder={allowed === null ? lazyStrings.keys.noLimit : fullNumber(allowed)}
        value={limit}
        onText={setLimit}
        errors={errorsOf(creation.error, 'rate_limit')}
      />
    </FormDialog>
  )
}

type ScopeSwitchesProps = { scopes: ReadonlySet<string>; onScopes: (scopes: ReadonlySet<string>) => void }

const ScopeSwitches = ({ scopes, onScopes }: ScopeSwitchesProps) => (
  <fieldset className="stack">
    <legend className="legend">{lazyStrings.keys.scopes}</legend>
    {Object.entries(lazyStrings.keys.scope).map(([scope, [label, text]]) => (
      <SwitchRow
        key={scope}
        label={label}
        text={text}
        isOn={scopes.has(scope)}
        onSwitch={(isOn) =>
          onScopes(isOn ? scopes.union(new Set([scope])) : scopes.difference(new Set([scope])))
        }
      />
    ))}
    {scopes.size === 0 && <FieldError text={lazyStrings.keys.scopeMissing} />}
  </fieldset>
)

function KeyOnce({ made: { text, scopes }, onClose }: { made: MadeKey; onClose: () => void }) {
  const { instance } = useSignedIn()
  return (
    <SecretDialog
      title={lazyStrings.keys.onceTitle}
      text={lazyStrings.keys.once}
      secret={text}
      copyLabel={lazyStrings.keys.copyKey}
      below={
        <>
          <p>
            <strong>{lazyStrings.keys.try}</strong>
          </p>
          <CodeBlock text={curlCommand(instance.base_url, text, scopes)} label={lazyStrings.keys.try} />
        </>
      }
      onClose={onClose}
    >
      <pre className="secret" role="group" aria-label={lazyStrings.keys.onceTitle}>
        {text}
      </pre>
    </SecretDialog>
  )
}
