import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { PasskeyView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { relativeTime, shortDate } from '../format.ts'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { errorsOf, Notice } from '../components/states.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { accountStrings } from './account-strings.ts'
import { ConfirmDialog, ConfirmField, useAccountChange, useProof } from './confirm-field.tsx'
import { useData } from '../api/use-data.ts'
import { deviceName, deviceRefusal, hasPasskeySupport, makePasskey } from './passkey.ts'
import { missingStrings } from '../components/fields/missing-strings.ts'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { RowList } from '../components/row-list.tsx'

const DEVICE_SENTENCES = { known: accountStrings.passkeyKnown, refused: accountStrings.passkeyRefused }

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ name: deviceName(navigator.userAgent) })
  const name = values.name.trim()
  const proof = useProof()
  const add = useAccountChange(async () => {
    const { data: options } = await ask('POST /passkeys/options', { input: { password: proof.password } })
    const response = await makePasskey(options)
    return ask('POST /passkeys', { input: { name, response } })
  }, accountStrings.passkeyAdded)
  const refusal = deviceRefusal(add.error)
  const errors = errorsOf(add.error, 'response')
  return (
    <FormDialog
      title={accountStrings.addPasskey}
      action={accountStrings.goOn}
      change={refusal === undefined ? add : { ...add, error: null }}
      missing={name === '' ? missingStrings.name : proof.missing}
      onClose={onClose}
    >
      {refusal && <Notice tone="bad">{DEVICE_SENTENCES[refusal]}</Notice>}
      {errors && <Notice tone="bad">{errors.join(' ')}</Notice>}
      <p>{accountStrings.addPasskeyText}</p>
      <TextField
        label={accountStrings.passkeyName}
        hint={accountStrings.passkeyNameHint}
        autoComplete="off"
        {...field('name')}
      />
      <ConfirmField proof={proof} />
    </FormDialog>
  )
}

export function PasskeysCard() {
  const ownPasskeys = useData('GET /passkeys')
  const { data: passkeys } = ownPasskeys
  const [opened, setOpened] = useState<'add' | PasskeyView>()
  const close = () => setOpened(undefined)
  return (
    <Card title={accountStrings.passkeys} query={ownPasskeys}>
      <div className="form">
        <p className="soft">{accountStrings.passkeysText}</p>
        {passkeys === undefined ? (
          <Skeleton width={260} height={42} />
        ) : (
          passkeys.length > 0 && <PasskeyList passkeys={passkeys} onRemove={setOpened} />
        )}
        <div className="actions">
          {hasPasskeySupport() ? (
            <Button icon={Plus} onClick={() => setOpened('add')}>
              {accountStrings.addPasskey}
            </Button>
          ) : (
            <span className="hint">{accountStrings.passkeyUnsupported}</span>
          )}
        </div>
      </div>
      {opened === 'add' && <AddPasskeyDialog onClose={close} />}
      {typeof opened === 'object' && <RemoveDialog passkey={opened} onClose={close} />}
    </Card>
  )
}

type PasskeyListProps = { passkeys: PasskeyView[]; onRemove: (passkey: PasskeyView) => void }

const PasskeyList = ({ passkeys, onRemove }: PasskeyListProps) => (
  <RowList
    label={accountStrings.passkeys}
    icon={KeyRound}
    rows={passkeys.map((passkey) => ({
      id: passkey.id,
      name: passkey.name,
      hint:
        passkey.last_used_at === null
          ? accountStrings.added(shortDate(passkey.created_at))
          : accountStrings.lastUsed(relativeTime(passkey.last_used_at)),
      at: passkey.last_used_at ?? passkey.created_at,
      action: (
        <Button
          size="small"
          variant="danger"
          aria-label={`${accountStrings.remove}: ${passkey.name}`}
          onClick={() => onRemove(passkey)}
        >
          {accountStrings.remove}
        </Button>
      ),
    }))}
  />
)

const RemoveDialog = ({ passkey: { id, name }, onClose }: { passkey: PasskeyView; onClose: () => void }) => (
  <ConfirmDialog
    title={accountStrings.removePasskey(name)}
    text={accountStrings.removePasskeyText}
    action={accountStrings.remove}
    variant="danger"
    change={(password) => ask('DELETE /passkeys/{id}', { path: { id }, input: { password } })}
    said={accountStrings.removed}
    onClose={onClose}
  />
)
