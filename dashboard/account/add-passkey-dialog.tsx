import { strings } from '../strings/strings.ts'
import { useState } from 'react'
import { ask } from '../api-client.ts'
import { TextField } from '../components/field.tsx'
import { FormDialog } from '../components/form.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { accountStrings } from '../strings/account-strings.ts'
import { useAccountChange } from './account-queries.ts'
import { ConfirmField, useProof } from './confirm-field.tsx'
import { deviceName, deviceRefusal, makePasskey } from './passkey.ts'

const DEVICE_SENTENCES = { known: accountStrings.passkeyKnown, refused: accountStrings.passkeyRefused }

export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent))
  const proof = useProof()
  const add = useAccountChange(async () => {
    const { data: options } = await ask('POST /passkeys/options', { input: { password: proof.password } })
    const response = await makePasskey(options)
    return ask('POST /passkeys', { input: { name: name.trim(), response } })
  }, accountStrings.passkeyAdded)
  const refusal = deviceRefusal(add.error)
  const errors = errorsOf(add.error, 'response')
  return (
    <FormDialog
      title={accountStrings.addPasskey}
      action={accountStrings.goOn}
      error={refusal === undefined ? add.error : null}
      isBusy={add.isPending}
      missing={name.trim() === '' ? strings.missing.name : proof.missing}
      onSubmit={() => add.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {refusal && <Notice tone="bad">{DEVICE_SENTENCES[refusal]}</Notice>}
      {errors && <Notice tone="bad">{errors.join(' ')}</Notice>}
      <p>{accountStrings.addPasskeyText}</p>
      <TextField
        label={accountStrings.passkeyName}
        hint={accountStrings.passkeyNameHint}
        autoComplete="off"
        value={name}
        onText={setName}
        errors={errorsOf(add.error, 'name')}
      />
      <ConfirmField proof={proof} error={add.error} />
    </FormDialog>
  )
}
