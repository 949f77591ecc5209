import { missingStrings } from '../components/fields/missing-strings.ts'
import { Fingerprint } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { deviceRefusal, hasPasskeySupport, presentPasskey } from '../account/passkey.ts'
import { ask } from '../api/api-client.ts'
import { withoutScheme } from '../format.ts'
import { Button } from '../components/button.tsx'
import { PasswordField, TextField } from '../components/fields/field.tsx'
import { ChangeForm, useFields } from '../components/fields/form.tsx'
import { errorsOf, FormFailure, Notice } from '../components/states.tsx'
import { useSession, useSessionChange, useSessionReturn, useSignedIn } from '../use-session.ts'
import { signedOutStrings } from './signed-out-strings.ts'
import { providerStrings } from './provider-strings.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { SignedOutFrame, SignedOutHeading } from './signed-out-frame.tsx'
import { useTitle } from '../use-title.ts'
import { Dialog } from '../components/dialogs/dialog.tsx'

/** Another page may pass the email address, or show this one with it. */
export type SignInState = { email: string }

/** `returnTo`: where a provider leads back to, if not here. */
type SignInPageProps = Partial<SignInState> & { returnTo?: string }

export default function SignInPage({ email, returnTo }: SignInPageProps) {
  useTitle(signedOutStrings.signIn)
  const { instance } = useSession().data!
  const passed = useHistoryState<Partial<SignInState> | null>()?.email
  const firstEmail = email ?? passed ?? ''
  const [values, setValues] = useState({ email: firstEmail, password: '' })
  const onChanged = useSessionChange()
  const [needsCode, setNeedsCode] = useState(false)
  const [showsPassword, setShowsPassword] = useState(!instance.providers_only)
  const takesPasskeys = instance.has_passkeys && hasPasskeySupport()
  if (needsCode) return <CodeStep {...values} onBack={() => setNeedsCode(false)} />
  return (
    <SignedOutFrame
      foot={
        instance.sign_up === 'open' && (
          <>
            {signedOutStrings.noAccount} <Link href="/sign-up">{signedOutStrings.signUp}</Link>
          </>
        )
      }
    >
      <SignedOutHeading
        title={signedOutStrings.signIn}
        lead={signedOutStrings.signInLead(withoutScheme(instance.base_url))}
      />
      {showsPassword && (
        <>
          <PasswordStep
            values={values}
            onValues={setValues}
            onCodeNeeded={() => setNeedsCode(true)}
            onSignedIn={onChanged}
          />
          {takesPasskeys && <PasskeyStep onSignedIn={onChanged} />}
        </>
      )}
      <ProviderButtons returnTo={returnTo} hasOr={showsPassword && !takesPasskeys} />
      {!showsPassword && (
        <button type="button" className="link-button" onClick={() => setShowsPassword(true)}>
          {providerStrings.withPassword}
        </button>
      )}
    </SignedOutFrame>
  )
}

type Values = { email: string; password: string }
type SignedIn = { onSignedIn: () => Promise<void> }
type PasswordStepProps = SignedIn & {
  values: Values
  onValues: (values: Values) => void
  onCodeNeeded: () => void
}

function PasswordStep({ values, onValues, onCodeNeeded, onSignedIn }: PasswordStepProps) {
  const { email, password } = values
  const signIn = useMutation({
    mutationFn: () => ask('POST /session', { input: { email: email.trim(), password } }),
    onSuccess: ({ data }) => (data.needs_code ? onCodeNeeded() : onSignedIn()),
  })
  return (
    <ChangeForm change={signIn} action={signedOutStrings.signIn} variant="primary" isWide>
      <TextField
        label={signedOutStrings.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onText={(text) => onValues({ email: text, password })}
        apiName="email"
        autoFocus={email === ''}
      />
      <PasswordField
        label={signedOutStrings.password}
        aside={<Link href="/forgot-password">{signedOutStrings.forgot}</Link>}
        autoComplete="current-password"
        value={password}
        onText={(text) => onValues({ email, password: text })}
        apiName="password"
        autoFocus={email !== ''}
        data-first={email !== '' || undefined}
      />
    </ChangeForm>
  )
}

/** Sends the same input again, with the code. */
function CodeStep({ onBack, ...values }: Values & { onBack: () => void }) {
  const onChanged = useSessionChange()
  return (
    <SignedOutFrame
      foot={
        <button type="button" className="link-button" onClick={onBack}>
          {signedOutStrings.back}
        </button>
      }
    >
      <SignedOutHeading title={signedOutStrings.signIn} lead={signedOutStrings.codeLead} />
      <CodeForm send={(code) => signInWith(values, code)} onSignedIn={onChanged} />
    </SignedOutFrame>
  )
}

const signInWith = ({ email, password }: Values, code: string) =>
  ask('POST /session', { input: { email: email.trim(), password, code } })

/** `send`: the request that signs in with a code of the second factor. */
export function CodeForm({ send, onSignedIn }: { send: (code: string) => Promise<unknown> } & SignedIn) {
  const { values, field } = useFields({ code: '' })
  const signIn = useMutation({ mutationFn: () => send(values.code), onSuccess: onSignedIn })
  return (
    <ChangeForm
      change={signIn}
      action={signedOutStrings.signIn}
      variant="primary"
      isWide
      missing={values.code.trim() === '' ? missingStrings.code : undefined}
    >
      <TextField
        label={signedOutStrings.code}
        hint={signedOutStrings.codeHint}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        {...field('code')}
        apiName={['code', 'email']}
        autoFocus
      />
    </ChangeForm>
  )
}

function PasskeyStep({ onSignedIn }: SignedIn) {
  const signIn = useMutation({
    mutationFn: async () => {
      const { data: options } = await ask('POST /session/passkey/options')
      return ask('POST /session/passkey', { input: { response: await presentPasskey(options) } })
    },
    onSuccess: onSignedIn,
  })
  const isDeviceRefusal = deviceRefusal(signIn.error) !== undefined
  const errors = errorsOf(signIn.error, 'response')
  return (
    <>
      <div className="or">{signedOutStrings.or}</div>
      {isDeviceRefusal && <Notice tone="bad">{signedOutStrings.passkeyRefused}</Notice>}
      {errors && <Notice tone="bad">{errors.join(' ')}</Notice>}
      <FormFailure error={isDeviceRefusal ? null : signIn.error} />
      <Button size="wide" icon={Fingerprint} isBusy={signIn.isPending} onClick={() => signIn.mutate()}>
        {signedOutStrings.passkey}
      </Button>
    </>
  )
}

/** A dialog above the page, which keeps everything that was typed. */
export function SignInAgain() {
  const { user, instance } = useSignedIn()
  const onSignedIn = useSessionReturn()
  const [values, setValues] = useState({ email: user.email, password: '' })
  const [needsCode, setNeedsCode] = useState(false)
  const takesPasskeys = instance.has_passkeys && hasPasskeySupport()
  return (
    <Dialog title={signedOutStrings.ended} onClose={() => {}} isFirm>
      {needsCode ? (
        <CodeForm send={(code) => signInWith(values, code)} onSignedIn={onSignedIn} />
      ) : (
        <>
          <PasswordStep
            values={values}
            onValues={setValues}
            onCodeNeeded={() => setNeedsCode(true)}
            onSignedIn={onSignedIn}
          />
          {takesPasskeys && <PasskeyStep onSignedIn={onSignedIn} />}
          <ProviderButtons hasOr={!takesPasskeys} />
        </>
      )}
    </Dialog>
  )
}
