import { lazy, Suspense, useState } from 'react'
import { ask, type DataOf } from '../api-client.ts'
import { CodeBlock } from '../components/copy.tsx'
import { TextField } from '../components/field.tsx'
import { FormDialog } from '../components/form.tsx'
import { ReloadOffer } from '../components/lazy-part.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { errorsOf } from '../components/states.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { useAccountChange } from './account-queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

// Drawn in the browser, because a secret does not belong in the URL of an image.
const QrPicture = lazy(() => import('./qr-picture.tsx'))

const { account: texts } = lazyStrings
const QR_PIXELS = 196

type Setup = DataOf<'POST /two-factor'>

export function EnableTwoFactorDialog({ onClose }: { onClose: () => void }) {
  const [setup, setSetup] = useState<Setup>()
  const [codes, setCodes] = useState<string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />
  if (setup !== undefined) return <ScanDialog setup={setup} onCodes={setCodes} onClose={onClose} />
  return (
    <ConfirmDialog
      title={texts.twoFactor}
      text={texts.again}
      action={texts.goOn}
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
      title={texts.twoFactor}
      action={texts.turnOn}
      error={turnOn.error}
      isBusy={turnOn.isPending}
      isDisabled={code.trim() === ''}
      onSubmit={confirm}
      onClose={onClose}
    >
      <p>{texts.scan}</p>
      <div className="scan-picture">
        <ReloadOffer>
          <Suspense fallback={<Skeleton width={QR_PIXELS} height={QR_PIXELS} />}>
            <QrPicture text={setup.uri} label={texts.qr} pixels={QR_PIXELS} />
          </Suspense>
        </ReloadOffer>
      </div>
      <div className="stack">
        <span className="hint">{texts.secret}</span>
        <CodeBlock text={setup.secret} label={texts.secret} />
      </div>
      <TextField
        label={texts.code}
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
