import { useState } from 'react'
import { ask } from '../api-client.ts'
import { TextField } from '../components/field.tsx'
import { FormDialog } from '../components/form.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { useAccountChange } from './account-queries.ts'
import { ConfirmField, useProof } from './confirm-field.tsx'
import { deviceName, deviceRefusal, makePasskey } from './passkey.ts'

const { account: texts } = lazyStrings
const DEVICE_SENTENCES = { known: texts.passkeyKnown, refused: texts.passkeyRefused }

export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => deviceName(navigator.userAgent))
  const proof = useProof()
  const add = useAccountChange(async () => {
    const { data: options } = await ask('POST /passkeys/options', { input: { password: proof.password } })
    const response = await makePasskey(options)
    return ask('POST /passkeys', { input: { name: name.trim(), response } })
  }, texts.passkeyAdded)
  const refusal = deviceRefusal(add.error)
  const errors = errorsOf(add.error, 'response')
  return (
    <FormDialog
      title={texts.addPasskey}
      action={texts.goOn}
      error={refusal === undefined ? add.error : null}
      isBusy={add.isPending}
      isDisabled={name.trim() === '' || !proof.isGiven}
      onSubmit={() => add.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {refusal && <Notice tone="bad">{DEVICE_SENTENCES[refusal]}</Notice>}
      {errors && <Notice tone="bad">{errors.join(' ')}</Notice>}
      <p>{texts.addPasskeyText}</p>
      <TextField
        label={texts.passkeyName}
        hint={texts.passkeyNameHint}
        autoComplete="off"
        value={name}
        onText={setName}
        errors={errorsOf(add.error, 'name')}
      />
      <ConfirmField proof={proof} error={add.error} />
    </FormDialog>
  )
}
