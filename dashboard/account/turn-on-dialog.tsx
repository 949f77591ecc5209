import { strings } from '../strings.ts'
import { lazy, Suspense, useState } from 'react'
import { ask, type DataOf } from '../api-client.ts'
import { CodeBlock } from '../components/copy.tsx'
import { TextField } from '../components/fields/field.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { ReloadOffer } from '../components/lazy-part.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { errorsOf } from '../components/states.tsx'
import { accountStrings } from './account-strings.ts'
import { useAccountChange } from './account-queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

// Drawn in the browser, because a secret does not belong in the URL of an image.
const QrPicture = lazy(() => import('./qr-picture.tsx'))

const QR_PIXELS = 196

type Setup = DataOf<'POST /two-factor'>

export function EnableTwoFactorDialog({ onClose }: { onClose: () => void }) {
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
  const [code, setCode] = useState('')
  const turnOn = useAccountChange((input: { code: string }) => ask('POST /two-factor/confirm', { input }))
  const confirm = () => turnOn.mutate({ code }, { onSuccess: ({ data }) => onCodes(data.recovery_codes) })
  return (
    <FormDialog
      title={accountStrings.twoFactor}
      action={accountStrings.turnOn}
      mutation={turnOn}
      missing={code.trim() === '' ? strings.missing.code : undefined}
      onSubmit={confirm}
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
        value={code}
        onText={setCode}
        errors={errorsOf(turnOn.error, 'code')}
        autoFocus
      />
    </FormDialog>
  )
}
