import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { type Account, api } from '../api-client.ts'
import { fullNumber } from '../format.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Card } from '../parts/card.tsx'
import { CodeBlock, CopyButton } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { errorsOf, FormFailure } from '../parts/states.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { words } from '../words.ts'
import { useAccountChange } from './account-queries.ts'

const { account: texts } = words
const QR_PIXELS = 196

export function TwoFactorCard({ twoFactor }: { twoFactor: Account['security']['two_factor'] }) {
  const [opened, setOpened] = useState<'on' | 'off'>()
  const close = () => setOpened(undefined)
  return (
    <Card
      title={texts.twoFactor}
      actions={twoFactor.is_on && <Badge tone="ok">{words.links.columns.on}</Badge>}
    >
      <div className="switch-line is-middle">
        <p className="soft">
          {twoFactor.is_on
            ? texts.twoFactorOn(fullNumber(twoFactor.recovery_codes_left))
            : texts.twoFactorOff}
        </p>
        <Button onClick={() => setOpened(twoFactor.is_on ? 'off' : 'on')}>
          {twoFactor.is_on ? texts.turnOff : texts.turnOn}
        </Button>
      </div>
      {opened === 'on' && <TurnOnDialog onClose={close} />}
      {opened === 'off' && <TurnOffDialog onClose={close} />}
    </Card>
  )
}

function TurnOnDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [code, setCode] = useState('')
  const turnOn = useAccountChange(api.turnOnTwoFactor)
  const begin = useMutation({ mutationFn: api.beginTwoFactor })
  const { mutate: askForSecret } = begin
  useEffect(() => askForSecret(), [askForSecret])
  const codes = turnOn.data?.data.recovery_codes
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  const confirm = (event: FormEvent) => {
    event.preventDefault()
    turnOn.mutate(code.replaceAll(/\s/g, ''))
  }
  const setup = begin.data?.data
  return (
    <Dialog
      title={texts.twoFactor}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button
            type="submit"
            form={formId}
            look="primary"
            disabled={setup === undefined}
            isBusy={turnOn.isPending}
          >
            {texts.turnOn}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={confirm} noValidate>
        <FormFailure error={begin.error ?? turnOn.error} />
        <p>{texts.scan}</p>
        <div className="qr-picture" style={{ width: QR_PIXELS, height: QR_PIXELS, margin: '0 auto' }}>
          {setup ? (
            <img
              src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`}
              width={QR_PIXELS}
              height={QR_PIXELS}
              alt={texts.scan}
            />
          ) : (
            <Skeleton width={QR_PIXELS} height={QR_PIXELS} />
          )}
        </div>
        {setup && <CodeBlock text={setup.secret} label={texts.secret} />}
        <TextField
          label={texts.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          value={code}
          onText={setCode}
          errors={errorsOf(turnOn.error, 'code')}
          autoFocus
        />
      </form>
    </Dialog>
  )
}

const RecoveryCodes = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <Dialog
    title={texts.recovery}
    onClose={onClose}
    isFirm
    foot={
      <>
        <CopyButton text={codes.join('\n')} />
        <Button look="primary" onClick={onClose}>
          {texts.recoveryStored}
        </Button>
      </>
    }
  >
    <p>{texts.recoveryText}</p>
    <ul className="recovery-codes">
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  </Dialog>
)

function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [password, setPassword] = useState('')
  const turnOff = useAccountChange(api.turnOffTwoFactor)
  const confirm = (event: FormEvent) => {
    event.preventDefault()
    turnOff.mutate(password, { onSuccess: onClose })
  }
  return (
    <Dialog
      title={texts.twoFactor}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" form={formId} look="danger" isBusy={turnOff.isPending}>
            {texts.turnOff}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={confirm} noValidate>
        <FormFailure error={turnOff.error} />
        <TextField
          label={texts.password}
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          errors={errorsOf(turnOff.error, 'password')}
          autoFocus
        />
      </form>
    </Dialog>
  )
}
