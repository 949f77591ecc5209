import { lazy, Suspense, useState } from 'react'
import { ask, type DataOf } from '../api/api-client.ts'
import { fullNumber } from '../format.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { useSignedIn } from '../use-session.ts'
import { accountStrings } from './account-strings.ts'
import { ConfirmDialog, useAccountChange } from './confirm-field.tsx'
import { SecretDialog } from '../components/dialogs/secret-dialog.tsx'
import { missingStrings } from '../components/fields/missing-strings.ts'
import { CodeBlock } from '../components/copy.tsx'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { ReloadOffer } from '../components/lazy-part.tsx'
import { Skeleton } from '../components/skeleton.tsx'

export function TwoFactorCard() {
  const { has_two_factor: isOn, recovery_codes_left: left } = useSignedIn().user.security
  const [opened, setOpened] = useState<'on' | 'codes' | 'off'>()
  const close = () => setOpened(undefined)
  return (
    <Card title={accountStrings.twoFactor} actions={isOn && <Badge tone="ok">{accountStrings.on}</Badge>}>
      <div className="switch-line is-middle wraps">
        <p className="soft">
          {isOn ? accountStrings.twoFactorOn(fullNumber(left)) : accountStrings.twoFactorOff}
        </p>
        <div className="actions">
          {isOn && <Button onClick={() => setOpened('codes')}>{accountStrings.newCodes}</Button>}
          <Button key="switch" onClick={() => setOpened(isOn ? 'off' : 'on')}>
            {isOn ? accountStrings.turnOff : accountStrings.turnOn}
          </Button>
        </div>
      </div>
      {opened === 'on' && <EnableTwoFactorDialog onClose={close} />}
      {opened === 'codes' && <NewCodesDialog onClose={close} />}
      {opened === 'off' && (
        <ConfirmDialog
          title={accountStrings.twoFactor}
          text={accountStrings.turnOffText}
          action={accountStrings.turnOff}
          variant="danger"
          change={(password) => ask('DELETE /two-factor', { input: { password } })}
          said={accountStrings.turnedOff}
          onClose={close}
        />
      )}
    </Card>
  )
}

function NewCodesDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  return (
    <ConfirmDialog
      title={accountStrings.newCodes}
      text={accountStrings.newCodesText}
      action={accountStrings.makeCodes}
      change={(password) => ask('POST /two-factor/recovery-codes', { input: { password } })}
      onDone={({ data }) => setCodes(data.recovery_codes)}
      onClose={onClose}
    />
  )
}

const RecoveryCodes = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <SecretDialog
    title={accountStrings.recovery}
    text={accountStrings.recoveryText}
    secret={codes.join('\n')}
    copyLabel={accountStrings.copyCodes}
    savedLabel={accountStrings.codesSaved}
    fileName={accountStrings.codesFile}
    onClose={onClose}
  >
    <ul className="recovery-codes" aria-label={accountStrings.recovery}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
  </SecretDialog>
)

// Drawn in the browser, because a secret does not belong in the URL of an image.
const QrPicture = lazy(() => import('./qr-picture.tsx'))

const QR_PIXELS = 196

type Setup = DataOf<'POST /two-factor'>

function EnableTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [setup, setSetup] = useState<Setup>()
  const [codes, setCodes] = useState<string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  if (setup !== undefined) return <ScanDialog setup={setup} onCodes={setCodes} onClose={onClose} />
  return (
    <ConfirmDialog
      title={accountStrings.twoFactor}
      text={accountStrings.again}
      action={accountStrings.goOn}
      change={(password) => ask('POST /two-factor', { input: { password } })}
      onDone={({ data }) => setSetup(data)}
      onClose={onClose}
    />
  )
}

type ScanDialogProps = { setup: Setup; onCodes: (codes: string[]) => void; onClose: () => void }

function ScanDialog({ setup, onCodes, onClose }: ScanDialogProps) {
  const { values, field } = useFields({ code: '' })
  const turnOn = useAccountChange(() => ask('POST /two-factor/confirm', { input: values }))
  return (
    <FormDialog
      title={accountStrings.twoFactor}
      action={accountStrings.turnOn}
      change={turnOn}
      missing={values.code.trim() === '' ? missingStrings.code : undefined}
      onDone={({ data }) => onCodes(data.recovery_codes)}
      onClose={onClose}
    >
      <p>{accountStrings.scan}</p>
      <div className="scan-picture">
        <ReloadOffer>
          <Suspense fallback={<Skeleton width={QR_PIXELS} height={QR_PIXELS} />}>
            <QrPicture text={setup.uri} label={accountStrings.qr} pixels={QR_PIXELS} />
          </Suspense>
        </ReloadOffer>
      </div>
      <div className="stack">
        <span className="hint">{accountStrings.secret}</span>
        <CodeBlock text={setup.secret} label={accountStrings.secret} />
      </div>
      <TextField
        label={accountStrings.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        {...field('code')}
        autoFocus
      />
    </FormDialog>
  )
}
