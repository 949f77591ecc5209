import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../api-client.ts'
import { fullNumber } from '../format.ts'
import { CodeBlock } from '../parts/copy.tsx'
import { FieldError, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { errorsOf } from '../parts/states.tsx'
import { SwitchLine } from '../parts/switch.tsx'
import { useSignedIn } from '../use-session.ts'
import { laterWords } from '../later-words.ts'
import { tryLine } from './try-line.ts'

type MadeKey = { text: string; scopes: ReadonlySet<string> }

/** Asks for name, scopes and limit; then shows the key, this once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [made, setMade] = useState<MadeKey>()
  // Many try the key at once, while it is still shown.
  const close = () => {
    for (const name of ['keys', 'usage']) void client.invalidateQueries({ queryKey: [name] })
    onClose()
  }
  return made ? <KeyOnce made={made} onClose={close} /> : <KeyForm onMade={setMade} onClose={onClose} />
}

function KeyForm({ onMade, onClose }: { onMade: (made: MadeKey) => void; onClose: () => void }) {
  const { requests_per_hour: allowed } = useSignedIn().user
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(Object.keys(laterWords.keys.scope)))
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
      title={laterWords.keys.new}
      action={laterWords.keys.create}
      error={creation.error}
      isBusy={creation.isPending}
      isDisabled={scopes.size === 0}
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <TextField
        label={laterWords.keys.name}
        hint={laterWords.keys.nameHint}
        autoComplete="off"
        value={name}
        onText={setName}
        errors={errorsOf(creation.error, 'name')}
        autoFocus
      />
      <ScopeSwitches scopes={scopes} onScopes={setScopes} />
      {scopeErrors && <FieldError text={scopeErrors.join(' ')} />}
      <TextField
        label={laterWords.keys.limit}
        hint={
          allowed === null ? laterWords.keys.limitHintNone : laterWords.keys.limitHint(fullNumber(allowed))
        }
        type="number"
        inputMode="numeric"
        min={1}
        placeholder={allowed === null ? laterWords.keys.noLimit : fullNumber(allowed)}
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
    <legend className="legend">{laterWords.keys.scopes}</legend>
    {Object.entries(laterWords.keys.scope).map(([scope, [label, text]]) => (
      <SwitchLine
        key={scope}
        label={label}
        text={text}
        isOn={scopes.has(scope)}
        onSwitch={(isOn) =>
          onScopes(isOn ? scopes.union(new Set([scope])) : scopes.difference(new Set([scope])))
        }
      />
    ))}
    {scopes.size === 0 && <FieldError text={laterWords.keys.scopeMissing} />}
  </fieldset>
)

function KeyOnce({ made: { text, scopes }, onClose }: { made: MadeKey; onClose: () => void }) {
  const { instance } = useSignedIn()
  return (
    <SecretDialog
      title={laterWords.keys.onceTitle}
      text={laterWords.keys.once}
      secret={text}
      copyLabel={laterWords.keys.copyKey}
      below={
        <>
          <p>
            <strong>{laterWords.keys.try}</strong>
          </p>
          <CodeBlock text={tryLine(instance.base_url, text, scopes)} label={laterWords.keys.try} />
        </>
      }
      onClose={onClose}
    >
      <pre className="secret" role="group" aria-label={laterWords.keys.onceTitle}>
        {text}
      </pre>
    </SecretDialog>
  )
}
