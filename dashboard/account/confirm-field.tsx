import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { Fingerprint, LogIn } from 'lucide-react'
import { type ReactNode, use, useState } from 'react'
import type { MeView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { FormError, PasswordField, TextField, VERBATIM } from '../components/fields/field.tsx'
import { errorsOf, FormFailure, Notice } from '../components/states.tsx'
import { timeOfDay } from '../format.ts'
import { nowMs } from '../now.ts'
import { leaveToConfirm, pathNow } from '../sign-in/provider-buttons.tsx'
import { accountStrings } from './account-strings.ts'
import { providerStrings as texts } from '../sign-in/provider-strings.ts'
import { SESSION, useSignedIn } from '../use-session.ts'
import { deviceRefusal, hasPasskeySupport, presentPasskey } from './passkey.ts'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { useChange } from '../api/use-change.ts'
import { useData } from '../api/use-data.ts'

/** What the account pages show. */
export const ACCOUNT = [SESSION, ['sessions'], ['passkeys'], ['identities']]

/** A change to the account. Afterwards it is loaded again and a toast shows `said`. */
export const useAccountChange = <Answer, Input = void>(
  change: (input: Input) => Promise<Answer>,
  said?: string,
) => useChange(change, { said, rereads: ACCOUNT })

/** `password`: '' of a user who has none, and who confirms elsewhere. `missing`: what is to be done first; see Button. */
type Proof = { password: string; onPassword: (password: string) => void; missing: string | undefined }

/** What sensitive changes need: the password, or a confirmation of the last minutes. */
export function useProof(): Proof {
  const { security } = useSignedIn().user
  const [password, setPassword] = useState('')
  const isGiven = security.has_password ? password !== '' : isConfirmed(security)
  const step = security.has_password ? accountStrings.missing.password : accountStrings.missing.confirmation
  return { password, onPassword: setPassword, missing: isGiven ? undefined : step }
}

const isConfirmed = ({ confirmed_until: until }: MeView['security']): boolean =>
  until !== null && Date.parse(until) > nowMs()

type ConfirmFieldProps = { proof: Proof; autoFocus?: boolean }

/** Within the form of the change. */
export function ConfirmField({ proof, autoFocus = false }: ConfirmFieldProps) {
  const { security } = useSignedIn().user
  const errors = errorsOf(useCurrentError(security.confirmed_until), 'password')
  if (security.has_password) {
    return (
      <PasswordField
        label={accountStrings.password}
        autoComplete="current-password"
        value={proof.password}
        onText={proof.onPassword}
        errors={errors}
        autoFocus={autoFocus}
      />
    )
  }
  // The server refuses a confirmation that has ended while the form was open.
  if (isConfirmed(security) && errors === undefined)
    return <Notice>{texts.confirmedUntil(timeOfDay(security.confirmed_until!))}</Notice>
  return (
    <div className="stack">
      {errors ? <Notice tone="bad">{errors.join(' ')}</Notice> : <Notice>{texts.confirmText}</Notice>}
      <WaysToConfirm />
    </div>
  )
}

/** The error, until the user confirms: it stays with the change that was refused before. */
function useCurrentError(confirmedUntil: string | null): unknown {
  const error = use(FormError)
  const [seen, setSeen] = useState({ error, confirmedUntil })
  if (seen.error !== error) setSeen({ error, confirmedUntil })
  return seen.error === error && seen.confirmedUntil !== confirmedUntil ? null : error
}

function WaysToConfirm() {
  const { user, instance } = useSignedIn()
  const { data } = useData('GET /identities')
  const linked = instance.providers.filter(({ id }) => !data?.linkable.some((provider) => provider.id === id))
  const takesPasskeys =
    user.security.passkeys > 0 &&
    instance.has_passkeys &&
    hasPasskeySupport() &&
    (user.role === 'admin' || !instance.providers_only)
  if (data === undefined) return null
  return (
    <>
      {linked.map(({ id, name }) => (
        <ConfirmAtProvider key={id} id={id} name={name} />
      ))}
      {takesPasskeys && <ConfirmByPasskey />}
      <MailPasswordLink />
    </>
  )
}

function ConfirmAtProvider({ id, name }: { id: string; name: string }) {
  const start = useMutation({
    mutationFn: () => ask('POST /session/confirm/provider', { input: { provider: id } }),
    onSuccess: ({ data }) => leaveToConfirm(data.url, pathNow()),
  })
  return (
    <>
      <FormFailure error={start.error} />
      <Button icon={LogIn} isBusy={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        {texts.confirmWith(name)}
      </Button>
    </>
  )
}

function ConfirmByPasskey() {
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: async () => {
      const { data: options } = await ask('POST /session/passkey/options')
      return ask('POST /session/confirm/passkey', { input: { response: await presentPasskey(options) } })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION }),
  })
  const isDeviceRefusal = deviceRefusal(confirm.error) !== undefined
  const errors = isDeviceRefusal ? [texts.passkeyRefused] : errorsOf(confirm.error, 'response')
  return (
    <>
      {errors ? <Notice tone="bad">{errors.join(' ')}</Notice> : <FormFailure error={confirm.error} />}
      <Button icon={Fingerprint} isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
        {texts.confirmWithPasskey}
      </Button>
    </>
  )
}

/** For a user who has no password: the mailbox proves who they are. */
function MailPasswordLink() {
  const { email } = useSignedIn().user
  const send = useMutation({ mutationFn: () => ask('POST /forgot-password', { input: { email } }) })
  return (
    <>
      {send.isSuccess && <Notice>{texts.passwordSent(email)}</Notice>}
      <FormFailure error={send.error} />
      <Button isBusy={send.isPending} onClick={() => send.mutate()}>
        {texts.setPassword}
      </Button>
    </>
  )
}

type ConfirmDialogProps<Answer> = {
  title: string
  text: string
  action: string
  variant?: 'primary' | 'danger'
  /** What has to be entered before the proof; see Button. */
  missing?: string | undefined
  /** `password`: '' of a user who has none. */
  change: (password: string) => Promise<Answer>
  said?: string
  /** Of what is read again. Default: the account. */
  rereads?: readonly QueryKey[]
  /** After the change, also if the dialog is gone by then. */
  onSuccess?: () => unknown
  onDone?: (answer: Answer) => void
  onClose: () => void
  /** Fields before the proof. */
  children?: ReactNode
}

/** Asks the user to prove again who they are, in case somebody else is at an unlocked screen. */
export function ConfirmDialog<Answer>({ text, change, children, ...props }: ConfirmDialogProps<Answer>) {
  const { said, rereads = ACCOUNT, onSuccess, missing, ...dialog } = props
  const proof = useProof()
  const confirmed = useChange(() => change(proof.password), {
    said,
    rereads,
    ...(onSuccess && { onSuccess }),
  })
  return (
    <FormDialog {...dialog} change={confirmed} missing={missing ?? proof.missing}>
      <p>{text}</p>
      {children}
      <ConfirmField proof={proof} autoFocus={children === undefined} />
    </FormDialog>
  )
}

type DeletionDialogProps = {
  texts: { title: string; action: string; text: string; confirm: (name: string) => string }
  /** What has to be typed. */
  name: string
  /** With the password, '' of a user who has none. */
  remove: (password: string) => Promise<unknown>
  onSuccess: () => unknown
  onClose: () => void
}

/** Requires the name of what is deleted to be typed, and a proof of who it is. */
export function DeletionDialog({ texts, name, remove, ...events }: DeletionDialogProps) {
  const { confirm, ...dialog } = texts
  const { values, field } = useFields({ name: '' })
  return (
    <ConfirmDialog
      {...dialog}
      {...events}
      variant="danger"
      missing={values.name.trim() === name ? undefined : accountStrings.missing.typedName}
      change={remove}
      rereads={[]}
    >
      <TextField label={confirm(name)} {...VERBATIM} {...field('name')} autoFocus />
    </ConfirmDialog>
  )
}
