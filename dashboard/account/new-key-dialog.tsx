import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../api-client.ts'
import { fullNumber } from '../format.ts'
import { Button } from '../parts/button.tsx'
import { CodeBlock } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure, NoticeLine } from '../parts/states.tsx'
import { SwitchLine } from '../parts/switch.tsx'
import { useSignedIn } from '../queries.ts'
import { words } from '../words.ts'

const LIMIT_DEFAULT = 100

/** Asks for name, scopes and limit; then shows the key, this once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const creation = useMutation({
    mutationFn: api.createKey,
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  })
  const made = creation.data?.data
  if (made) return <KeyOnce secret={made.secret} onClose={onClose} />
  return <KeyForm onClose={onClose} creation={creation} />
}

type Creation = {
  mutate: (key: { name: string; permissions: string[]; rate_limit: number }) => void
  isPending: boolean
  error: Error | null
}

function KeyForm({ onClose, creation }: { onClose: () => void; creation: Creation }) {
  const formId = useId()
  const account = useQuery({ queryKey: ['account'], queryFn: async () => (await api.account()).data })
  const limitMax = account.data?.limits.rate_limit
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<ReadonlySet<string>>(new Set(Object.keys(words.keys.scope)))
  const [limit, setLimit] = useState<string>()
  const create = (event: FormEvent) => {
    event.preventDefault()
    if (scopes.size === 0) return
    creation.mutate({
      name: name.trim(),
      permissions: [...scopes],
      rate_limit: Number(limit ?? limitMax ?? LIMIT_DEFAULT),
    })
  }
  const turn = (scope: string, isOn: boolean) =>
    setScopes((before) => (isOn ? before.union(new Set([scope])) : before.difference(new Set([scope]))))
  return (
    <Dialog
      title={words.keys.new}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" form={formId} look="primary" isBusy={creation.isPending}>
            {words.keys.create}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={create} noValidate>
        <FormFailure error={creation.error} />
        <TextField
          label={words.keys.name}
          hint={words.keys.nameHint}
          value={name}
          onText={setName}
          errors={errorsOf(creation.error, 'name')}
          autoFocus
        />
        <fieldset className="stack" aria-label={words.keys.scopes}>
          {Object.entries(words.keys.scope).map(([scope, [label, text]]) => (
            <SwitchLine
              key={scope}
              label={label}
              text={text}
              isOn={scopes.has(scope)}
              onSwitch={(isOn) => turn(scope, isOn)}
            />
          ))}
          {scopes.size === 0 && <NoticeLine tone="warn">{words.keys.scopeMissing}</NoticeLine>}
        </fieldset>
        <TextField
          label={words.keys.limit}
          hint={limitMax === undefined ? undefined : words.keys.limitHint(fullNumber(limitMax))}
          type="number"
          inputMode="numeric"
          min={1}
          value={limit ?? String(limitMax ?? LIMIT_DEFAULT)}
          onText={setLimit}
          errors={errorsOf(creation.error, 'rate_limit')}
        />
      </form>
    </Dialog>
  )
}

function KeyOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { instance } = useSignedIn()
  return (
    <Dialog
      title={words.keys.onceTitle}
      onClose={onClose}
      isFirm
      foot={
        <Button look="primary" onClick={onClose}>
          {words.keys.stored}
        </Button>
      }
    >
      <p>{words.keys.once}</p>
      <CodeBlock text={secret} label={words.keys.onceTitle} />
      <p>
        <strong>{words.keys.try}</strong>
      </p>
      <CodeBlock text={curlLine(instance.base_url, secret)} label={words.keys.try} />
    </Dialog>
  )
}

/** Ready to paste into a terminal. */
const curlLine = (baseUrl: string, secret: string) =>
  [
    `curl ${baseUrl}/api/links \\`,
    `  -H "X-API-Key: ${secret}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"original_url": "https://example.com/a/long/address"}'`,
  ].join('\n')
